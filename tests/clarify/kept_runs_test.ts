/**
 * Runs whose asker is killed, or cannot write: no agent runs twice for one question, nor beside itself, and
 * no reply is lost. Counts are reduced unless `AGENTX_STRESS=full`.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { RunFiles } from "../../lib/agents/run_files.ts";
import { sys } from "../../lib/sys/mod.ts";
import { fault, replace } from "../lock/faults.ts";
import { TempFolder } from "../lock/temp_folder.ts";
import { nodeProgram } from "../node_program.ts";
import { refusal } from "../refusal.ts";
import { ASK, ended, killAgent, signal, TempWorkspace } from "../temp_workspace.ts";
import { Hub, request } from "./hub.ts";
import { IS_FULL } from "../often.ts";

/** How often an asker is killed, at least, by its runtime. */
const ROUNDS = IS_FULL ? { Deno: 100, Node: 100 } : { Deno: 10, Node: 3 };

/** Its runs, and whether two went on at once; what it was asked about names the files. */
const COUNTED = `issue=$(grep -o 'question [0-9]*' | head -n 1 | tr -d ' ')
mkdir running-$issue || echo overlap >>overlaps
echo run >>runs-$issue
sleep 0.2
rmdir running-$issue
echo Both.`;

const RETRY = ["clarify", "run", "CLR-42-001"];

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts a command and kills it: at any time, or when its agent is about to begin. */
async function killed(
  temp: TempWorkspace,
  words: readonly string[],
  { id, program }: { id: string; program: readonly string[] | undefined },
): Promise<void> {
  const child = temp.spawn(words, { program });
  const run = ended(child);
  let isOver = false;
  run.finally(() => isOver = true);
  if (Math.random() < 0.3) await later(Math.random() * 1_500);
  else {
    while (!isOver && !temp.has(`.agentx/state/runs/${id}.json`)) await later(1);
    await later(Math.random() ** 2 * 400);
  }
  signal(child, "SIGKILL");
  await run;
}

/** @param program the words that start it; left out, on Deno */
async function runsOnce(rounds: number, program?: readonly string[]): Promise<void> {
  using temp = new TempWorkspace({ agents: { architect: COUNTED } });
  for (let issue = 1; issue <= rounds; issue++) {
    const id = `CLR-${issue}-001`;
    const ask = ASK.map((word) => word === "42" ? `${issue}` : word)
      .map((word) => word.includes("SQLite") ? `This is question ${issue}.` : word);
    while (!temp.has(temp.ledgerPath(issue))) await killed(temp, ask, { id, program });
    const retry = ["clarify", "retry", id];
    for (let kills = Math.floor(Math.random() * 3); kills > 0; kills--) {
      if (temp.ledger(issue).clarifications[0].status !== "pending") break;
      await killed(temp, retry, { id, program });
    }
    const { status } = temp.ledger(issue).clarifications[0];
    if (status !== "answered") await ended(temp.spawn(retry, { program }));
    const { thread } = temp.ledger(issue).clarifications[0];
    assertEquals(thread.map(({ type, body }) => [type, body]).slice(1), [["answer", "Both."]]);
    assertEquals(temp.read(`runs-question${issue}`), "run\n");
  }
  assert(!temp.has("overlaps"));
}

Deno.test(`an agent is run once for a question, whose askers are killed ${ROUNDS.Deno} times and more`, async () => {
  await runsOnce(ROUNDS.Deno);
});

Deno.test(`the same on Node, ${ROUNDS.Node} times and more`, async () => {
  using folder = new TempFolder();
  const program = await nodeProgram(folder.file("node"));
  if (program !== undefined) await runsOnce(ROUNDS.Node, program);
});

/** No room for a ledger once the agent has run. */
function fullDisk(hasRun: () => boolean): Disposable {
  return replace("writeNewFile", (real) => (path, ...more) => {
    if (/clarifications.*\.tmp$/.test(path) && hasRun()) throw fault("ENOSPC", path);
    return real(path, ...more);
  });
}

Deno.test("clarify retry uses a reply that no ledger had room for", async () => {
  using temp = new TempWorkspace({
    agents: { architect: "cat >/dev/null; echo run >>runs; echo Both." },
  });
  {
    using _ = fullDisk(() => temp.has("runs"));
    assertEquals((await temp.run(ASK)).code, 1);
    assertEquals((await temp.run(RETRY)).code, 1);
  }
  assertEquals(temp.ledger().clarifications[0].status, "pending");
  const { out } = await temp.run(["clarify"]);
  assert(out.includes(`CLR-42-001: its reply is here; take it: agentx ${RETRY.join(" ")}`), out);
  assert((await temp.run(["status"])).out.includes("for engineer, its reply is here:"));
  assertEquals((await temp.run(RETRY)).code, 0);
  const { status, thread } = temp.ledger().clarifications[0];
  assertEquals([status, thread.at(-1)?.body, temp.read("runs")], ["answered", "Both.", "run\n"]);
});

Deno.test("ClarificationRouter keeps the reply of an agent that is no program, too", async () => {
  let runs = 0;
  using hub = new Hub({ agents: { architect: () => Promise.resolve(`Answer ${++runs}`) } });
  {
    using _ = fullDisk(() => runs > 0);
    await refusal("IO_ERROR", () => hub.router.requestClarification(request()));
  }
  const { clarification } = await hub.router.autoRetry("CLR-42-001");
  assertEquals([clarification.thread.at(-1)?.body, runs], ["Answer 1", 1]);
});

Deno.test("an interrupted run is repeated once, and after that a human decides", async () => {
  using temp = new TempWorkspace({
    agents: { architect: "cat >/dev/null; echo run >>runs; sleep 20" },
  });
  for (const words of [ASK, RETRY]) {
    const before = temp.has("runs") ? temp.read("runs") : "";
    const child = temp.spawn(words);
    const run = ended(child);
    while (!temp.has("runs") || temp.read("runs") === before) await later(20);
    child.kill("SIGKILL");
    await run;
    await killAgent(temp);
  }
  await temp.run(RETRY);
  const { status, thread } = temp.ledger().clarifications[0];
  assertEquals([status, temp.read("runs")], ["escalated", "run\nrun\n"]);
  assert(thread.at(-1)?.body.includes("its run was interrupted twice"), thread.at(-1)?.body);
});

/** Files of a run in a folder that is removed at the end of the block that is `using` it. */
class Place implements Disposable {
  readonly root: string = Deno.makeTempDirSync({ prefix: "agentx-test-" });
  readonly notes: string[] = [];

  files(question = "1 now"): RunFiles {
    return new RunFiles(`${this.root}/CLR-42-001.run`, question);
  }

  async settled(question?: string): Promise<RunFiles> {
    const files = this.files(question);
    await files.settle("architect", { notify: (note) => void this.notes.push(note) });
    return files;
  }

  /** Starts a program as the asker does that is killed afterwards. */
  start(script: string, goes = true): Promise<unknown> {
    const files = this.files();
    const started = Promise.withResolvers<void>();
    const run = sys.run(files.begin(["sh", "-c", script], ""), {
      cwd: this.root,
      env: { PATH: Deno.env.get("PATH")! },
      stdin: goes ? "go\n" : "",
      timeoutMs: 20_000,
      maxOutputBytes: 1_000,
      onStart: (pid) => {
        files.noteStart(pid, { program: "sh", timeoutMs: 20_000 });
        started.resolve();
      },
    });
    return started.promise.then(() => run);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.root, { recursive: true });
  }
}

Deno.test("RunFiles.settle() takes no reply to another question", async () => {
  using place = new Place();
  place.files("1 before").keep("Old.");
  await place.start("echo old");
  const files = await place.settled("2 now");
  assertEquals([files.takeReply(), files.left, place.notes], [undefined, undefined, []]);
});

Deno.test("RunFiles.settle() ends a run that nobody needs any more", async () => {
  using place = new Place();
  const run = place.start("sleep 20");
  while (place.files().living === undefined) await later(5);
  await place.settled("2 now");
  assertEquals(place.files().living, undefined);
  await run;
});

Deno.test("RunFiles.settle() does not count a run that never began", async () => {
  using place = new Place();
  await place.start("echo never", false);
  const files = await place.settled();
  const { size } = sys.lstat(`${place.root}/CLR-42-001.run/out`)!;
  assertEquals([files.left, place.notes, size], [undefined, [], 0]);
});

Deno.test("RunFiles.settle() gives the result of what has ended, once", async () => {
  using place = new Place();
  await place.start("echo Both.; echo hm >&2; exit 3");
  const files = await place.settled();
  assertEquals(files.left, "sh");
  assertEquals(files.takeResult("codex", 1_000), undefined);
  const printed = { stdout: "Both.\n", stderr: "hm\n", unkilled: null };
  assertEquals(files.takeResult("sh", 1_000), { outcome: "exited", exitCode: 3, ...printed });
  assertEquals(files.takeResult("sh", 1_000), undefined);
});

for (const exit of ["", "0", "x\n"]) {
  Deno.test(`RunFiles.settle() takes no reply whose exit code is ${JSON.stringify(exit)}`, async () => {
    using place = new Place();
    await place.start("echo Both.");
    Deno.writeTextFileSync(`${place.root}/CLR-42-001.run/exit`, exit);
    assertEquals((await place.settled()).left, undefined);
    assertEquals(place.notes, ["the run of architect was interrupted, and is repeated once"]);
  });
}

Deno.test("RunFiles.begin() follows no link", async () => {
  using place = new Place();
  Deno.mkdirSync(`${place.root}/kept`);
  Deno.writeTextFileSync(`${place.root}/kept/file`, "mine");
  Deno.symlinkSync(`${place.root}/kept`, `${place.root}/CLR-42-001.run`);
  await place.start("echo Both.");
  assertEquals(Array.from(Deno.readDirSync(`${place.root}/kept`), ({ name }) => name), ["file"]);
  assertEquals((await place.settled()).left, "sh");
});
