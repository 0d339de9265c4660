/**
 * Whose state a workspace has: what a copy of a project brings is shown, and nothing is done with it.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { main } from "../../cli.ts";
import { sys } from "../../lib/sys/mod.ts";
import { bear, birthOf } from "../../lib/workspace/state_origin.ts";
import { sampleRecord } from "../clarify/samples.ts";
import { FakeIo, type FakeIoOptions } from "../cli/fake_io.ts";
import { askWords } from "../gate/samples.ts";
import { TempUser } from "../temp_user.ts";
import { ASK, type Ran, TempWorkspace } from "../temp_workspace.ts";

const STALE = sampleRecord({ status: "stale" });

/** A project of somebody else, with a state that asks for much. */
async function theirs(): Promise<TempWorkspace> {
  const temp = new TempWorkspace({ agents: { architect: "echo ran >>ran; echo PostgreSQL." } });
  await temp.run([...askWords({ session: "s1" }), "--no-wait"]);
  await temp.run(["answer", "1", "c", "--always"]);
  const answered = sampleRecord({ id: "CLR-42-002", status: "answered" });
  const clarifications = [STALE, answered]; // only the first one is open
  temp.write(temp.ledgerPath(42), JSON.stringify({ issueNumber: 42, clarifications }));
  return temp;
}

/** A copy without git, and the user who has it. */
class Copy implements Disposable {
  readonly user = new TempUser({ trustsAll: true });
  readonly root: string;

  constructor(of: TempWorkspace) {
    this.root = `${this.user.path}/project`;
    new Deno.Command("cp", { args: ["-R", of.root, this.root] }).outputSync();
  }

  async run(words: readonly string[], options: FakeIoOptions = {}): Promise<Ran> {
    const io = new FakeIo(options);
    const code = await main(["--root", this.root, ...words], io);
    return { code, out: io.out, err: io.err };
  }

  /** Whether an agent was run: the one of the project leaves its trace beside it. */
  hasRun(of: TempWorkspace): boolean {
    return of.has("ran") ||
      Array.from(Deno.readDirSync(this.root), ({ name }) => name).includes("ran");
  }

  ledger(): string {
    return Deno.readTextFileSync(`${this.root}/.agentx/state/clarifications/issue-42.json`);
  }

  [Symbol.dispose](): void {
    this.user[Symbol.dispose]();
  }
}

Deno.test("a copied state is shown and not acted on; later questions are", async () => {
  using temp = await theirs();
  using copy = new Copy(temp);
  const before = copy.ledger();
  for (const words of ["clarify", "ready", "hook start engineer 42", "clarify retry CLR-42-001"]) {
    const { err } = await copy.run(words.split(" "));
    assert(err.includes("came from elsewhere"), err);
  }
  assertEquals([copy.ledger(), copy.hasRun(temp)], [before, false]);
  assert((await copy.run(["clarify", "--issue", "42"])).out.includes("Foreign"));

  const asked = await copy.run([...askWords({ session: "s2" }), "--no-wait"]);
  assertEquals(asked.code, 7, `its standing answer does not count: ${asked.out}`);
  assert(asked.out.includes("ASK-002"), asked.out);
  assertEquals((await copy.run(["answer", "ASK-002", "a"])).code, 0);

  const { code, out } = await copy.run(ASK);
  assertEquals([code, copy.hasRun(temp)], [0, true], out);
  assert(out.includes("CLR-42-003") && out.includes("PostgreSQL."), out);
});

Deno.test("a person at a terminal is asked once whether to adopt it, and can do it later", async () => {
  using temp = await theirs();
  using copy = new Copy(temp);
  const terminal = { terminal: true };
  const first = await copy.run(["clarify"], { ...terminal, stdin: "n\n" });
  for (const shown of ["Adopt it?", "1 open questions", "CLR-42-001", "1 standing answers"]) {
    assert(first.err.includes(shown), first.err);
  }
  assert(!(await copy.run(["clarify"], terminal)).err.includes("Adopt it?"));
  assertEquals((await copy.run(["adopt"])).code, 6);
  assertEquals((await copy.run(["adopt"], { ...terminal, stdin: "n\n" })).code, 6);
  assertEquals(birthOf(copy.root).isOurs, false);
  assertEquals((await copy.run(["adopt"], { ...terminal, stdin: "y\n" })).code, 0);
  const asked = await copy.run([...askWords({ session: "s2" }), "--no-wait"]);
  assert(asked.out.includes("standing answer of ASK-001"), asked.out);
  const before = copy.ledger();
  await copy.run(["clarify"]);
  assert(copy.ledger() !== before, "the monitor looks after it");
});

Deno.test("a state without a mark, as of an earlier version, is adopted like any other", async () => {
  using temp = await theirs();
  Deno.removeSync(`${temp.root}/.agentx/state/birth`);
  assertEquals(birthOf(temp.root), { id: undefined, isOurs: false });
  const options = { terminal: true, stdin: "y\n" };
  assertEquals((await temp.run(["clarify"], options)).code, 0);
  assertEquals(birthOf(temp.root).isOurs, true);
});

Deno.test("a state that was moved is ours, and so is an empty one", async () => {
  using temp = await theirs();
  using user = new TempUser();
  const other = `${user.path}/other`;
  Deno.mkdirSync(`${other}/.agentx/state`, { recursive: true });
  bear(other);
  assertEquals(birthOf(other).isOurs, true);
  Deno.renameSync(other, `${other}-moved`);
  assertEquals(birthOf(`${other}-moved`).isOurs, true);
  assertEquals(birthOf(temp.root).isOurs, false, "another user has another mark");
});

Deno.test("a mark inside of the repository, or a forged token, does not count", async () => {
  using temp = await theirs();
  using copy = new Copy(temp);
  const birth = `${copy.root}/.agentx/state/birth`;
  const { id } = birthOf(copy.root);
  const inode = Deno.statSync(`${copy.root}/.agentx/state`).ino;
  for (
    const token of ["", `${Deno.uid()} ${inode} `, `${Deno.uid()} ${inode} undefined`, `${inode}`]
  ) {
    Deno.writeTextFileSync(birth, `${id}\n${token}\n`);
    assertEquals(birthOf(copy.root).isOurs, false, token);
  }
  const marks = `${copy.root}/.cache/agentx/births`;
  Deno.mkdirSync(marks, { recursive: true });
  Deno.writeTextFileSync(`${marks}/${id}`, `${inode} ${copy.root}\n`);
  Deno.env.set("XDG_STATE_HOME", `${copy.root}/.cache`);
  assertEquals(birthOf(copy.root).isOurs, false);
});

Deno.test("where the user's folder cannot be written, the state counts, until a command can", () => {
  using user = new TempUser();
  Deno.writeTextFileSync(`${user.path}/state`, "no folder can be made here");
  const root = `${user.path}/project`;
  Deno.mkdirSync(`${root}/.agentx`, { recursive: true });
  bear(root);
  assertEquals(birthOf(root).isOurs, true);
  Deno.writeTextFileSync(`${root}/.agentx/state/x`, "");
  assertEquals(birthOf(root).isOurs, true);
  Deno.removeSync(`${user.path}/state`);
  assertEquals(birthOf(root).isOurs, true);
  const birth = `${root}/.agentx/state/birth`;
  Deno.writeTextFileSync(birth, Deno.readTextFileSync(birth).split("\n")[0] + "\n");
  assertEquals(birthOf(root).isOurs, true, "by its mark");
});

Deno.test("an iterative loop that a copy brings closes no gate; one that is started there does", async () => {
  using temp = await theirs();
  await temp.run(["loop", "start", "42"]);
  await temp.run(["loop", "start", "43"]);
  using copy = new Copy(temp);
  for (const issue of ["42", "43"]) {
    assertEquals((await copy.run(["loop", "complete", issue])).code, 4);
  }
  assertEquals((await copy.run(["loop", "start", "42"])).code, 0);
  assertEquals((await copy.run(["loop", "iterate", "42", "--summary", "More."])).code, 0);
  assertEquals((await copy.run(["loop", "complete", "43"])).code, 4);
  assertEquals((await copy.run(["loop", "complete", "42"])).code, 0);
});

Deno.test("a process below an agent adopts nothing, also where it has lost the agent's variables", async () => {
  using temp = await theirs();
  using copy = new Copy(temp);
  const { id } = birthOf(copy.root);
  const ancestors = sys.ancestors;
  try {
    Deno.env.set("AGENTX_ADOPT", id!);
    sys.ancestors = () => [{ pid: 7, programs: ["/usr/bin/codex"], variables: [] }];
    assertEquals(birthOf(copy.root).isOurs, false);
    sys.ancestors = () => [];
    assertEquals(birthOf(copy.root).isOurs, true);
  } finally {
    sys.ancestors = ancestors;
    Deno.env.delete("AGENTX_ADOPT");
  }
});

Deno.test("a container adopts the state that it is started for; a session and a .env do not", async () => {
  using temp = await theirs();
  using copy = new Copy(temp);
  const { id } = birthOf(copy.root);
  try {
    Deno.env.set("AGENTX_ADOPT", "0".repeat(32));
    assertEquals(birthOf(copy.root).isOurs, false);
    Deno.env.set("AGENTX_ADOPT", id!);
    Deno.env.set("CLAUDECODE", "1");
    assertEquals(birthOf(copy.root).isOurs, false);
    Deno.env.delete("CLAUDECODE");
    Deno.writeTextFileSync(`${copy.root}/.env`, `AGENTX_ADOPT=${id}\n`);
    assertEquals(birthOf(copy.root).isOurs, false);
    Deno.removeSync(`${copy.root}/.env`);
    assertEquals(birthOf(copy.root).isOurs, true);
  } finally {
    Deno.env.delete("AGENTX_ADOPT");
    Deno.env.delete("CLAUDECODE");
  }
  assertEquals(birthOf(copy.root).isOurs, true, "for the sessions in it, too");
});
