/**
 * `agentx issue commit`, and what the doctor says of changes that a merge or git left.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { main } from "../../../cli.ts";
import { FakeIo } from "../../cli/fake_io.ts";
import { TempUser } from "../../temp_user.ts";
import { type Ran, TempWorkspace } from "../../temp_workspace.ts";
import { TempRepository, testWithGit } from "../../workspace/temp_repository.ts";

/** A repository with a workspace in it, of a user who has a name for git. */
class Checkout implements Disposable {
  readonly user = new TempUser();
  readonly repository = new TempRepository();
  readonly root = this.repository.root;

  async begin(): Promise<this> {
    this.repository.git("config", "user.name", "t");
    this.repository.git("config", "user.email", "t@example.org");
    this.repository.git("branch", "--quiet", "--move", "main");
    await this.run("init");
    this.repository.git("add", "--all");
    this.repository.git("commit", "--quiet", "--message", "begin");
    await this.run("issue", "create", "-t", "Crash");
    return this;
  }

  async run(...argv: string[]): Promise<Ran> {
    const io = new FakeIo({});
    const code = await main(["--root", this.root, ...argv], io);
    await new Promise((resolve) => setTimeout(resolve)); // only then Deno lets go of signals
    return { code, out: io.out, err: io.err };
  }

  // deno-lint-ignore no-explicit-any -- a test looks into it
  async json(...argv: string[]): Promise<any> {
    const { out, err } = await this.run(...argv, "--json");
    return JSON.parse(out || err);
  }

  /** What git prints. */
  git(...args: string[]): string {
    const { stdout } = new Deno.Command("git", { args: ["-C", this.root, ...args] }).outputSync();
    return new TextDecoder().decode(stdout);
  }

  async findings(): Promise<string[]> {
    const { findings } = await this.json("doctor");
    return findings.filter(({ check, level }: Record<string, string>) =>
      check === "issues" && level === "warn"
    ).map(({ message }: Record<string, string>) => message);
  }

  [Symbol.dispose](): void {
    this.user[Symbol.dispose]();
    this.repository[Symbol.dispose]();
  }
}

testWithGit("issue commit commits issues and nothing else, and says on which branch", async () => {
  using checkout = await new Checkout().begin();
  Deno.writeTextFileSync(`${checkout.root}/staged.txt`, "staged\n");
  Deno.writeTextFileSync(`${checkout.root}/other.txt`, "other\n");
  checkout.repository.git("add", "staged.txt");
  const { files, branch, commit } = await checkout.json("issue", "commit");
  assertEquals([files.length, branch], [1, "main"]);
  assertEquals(checkout.git("rev-parse", "HEAD").trim(), commit);
  assertEquals(checkout.git("show", "--name-only", "--format=").trim(), files[0]);
  assertEquals(checkout.git("status", "--porcelain"), "A  staged.txt\n?? other.txt\n");
  const { code, out } = await checkout.run("issue", "commit");
  assertEquals([code, out.startsWith("  Nothing to commit on branch main")], [0, true]);
});

testWithGit("issue commit keeps a file in git that is gone here", async () => {
  using checkout = await new Checkout().begin();
  const { files: [path] } = await checkout.json("issue", "commit");
  Deno.removeSync(`${checkout.root}/${path}`);
  await checkout.run("issue", "create", "-t", "Other");
  assertEquals((await checkout.json("issue", "commit")).files.length, 1);
  assertEquals(checkout.git("ls-tree", "-r", "--name-only", "HEAD", path).trim(), path);
});

testWithGit("issue commit leaves all as it was where a hook refuses, and says why", async () => {
  using checkout = await new Checkout().begin();
  const hook = `${checkout.root}/.git/hooks/pre-commit`;
  Deno.writeTextFileSync(hook, "#!/bin/sh\necho 'error: no tests' >&2\nexit 1\n", { mode: 0o755 });
  const before = checkout.git("status", "--porcelain");
  const { code, err } = await checkout.run("issue", "commit");
  assertEquals([code, checkout.git("status", "--porcelain")], [1, before]);
  assert(err.includes("error: no tests"), err);
});

testWithGit("issue commit on no branch says so", async () => {
  using checkout = await new Checkout().begin();
  checkout.repository.git("switch", "--quiet", "--detach");
  const { code, err } = await checkout.run("issue", "commit");
  assertEquals([code, err.includes("no branch is checked out")], [0, true]);
});

testWithGit("issue commit in a worktree commits in the main checkout", async () => {
  using checkout = await new Checkout().begin();
  const tree = checkout.repository.worktree();
  const io = new FakeIo({});
  await main(["--root", tree, "issue", "commit", "--json"], io);
  assertEquals(JSON.parse(io.out).branch, "main");
});

Deno.test("issue commit outside of git says why it cannot", async () => {
  using temp = new TempWorkspace();
  const { code, err } = await temp.run(["issue", "commit"]);
  assertEquals(code, 1);
  assert(err.includes("it is in no git repository"), err);
});

testWithGit(
  "doctor names own changes that no file here has, and --fix writes them again",
  async () => {
    using checkout = await new Checkout().begin();
    checkout.repository.git("switch", "--quiet", "--create", "two");
    await checkout.run("issue", "edit", "1", "-l", "p1");
    await checkout.run("issue", "commit");
    checkout.repository.git("switch", "--quiet", "main");
    checkout.repository.git("branch", "--quiet", "-D", "two");
    const [message, ...others] = await checkout.findings();
    assertEquals(others, []);
    assert(message.includes("no file here has") && message.includes("#1"), message);
    await checkout.run("doctor", "--fix");
    assertEquals(await checkout.findings(), []);
    Deno.removeSync(`${checkout.root}/.agentx/state/lines`, { recursive: true });
    const { issue } = await checkout.json("issue", "view", "1");
    assertEquals(issue.labels, ["p1"]);
  },
);

testWithGit("doctor says that a sparse checkout leaves issues out", async () => {
  using checkout = await new Checkout().begin();
  await checkout.run("issue", "commit");
  checkout.repository.git("sparse-checkout", "set", "--no-cone", "/*", "!/.agentx/issues/");
  const messages = await checkout.findings();
  assert(messages.some((message) => message.includes("sparse checkout leaves out")), `${messages}`);
  await checkout.run("issue", "edit", "1", "-t", "Crash on start");
  const { files } = await checkout.json("issue", "commit");
  assertEquals(files?.length, 1);
});

Deno.test("doctor names changes dated far ahead, and issues without a beginning", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Crash"]);
  const { uid } = temp.issue(1);
  const set = { v: 1, by: "x", op: "set", field: "title", value: "Late" };
  const lines = [
    { ...set, id: "late.0", uid, time: "9999-01-01T00:00:00.000Z" },
    { ...set, id: "lost.0", uid: "elsewhere", time: "2026-01-01T00:00:00.000Z" },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  temp.write(".agentx/issues/2026-01/a.jsonl", text);
  const { findings } = await temp.json(["doctor"]);
  const warnings = findings.filter(({ check, level }: Record<string, string>) =>
    check === "issues" && level === "warn"
  ).map(({ message }: Record<string, string>) => message);
  assertEquals(warnings, [
    "Issues whose beginning is not here: elsewhere",
    "Changes dated more than a day ahead: late of #1 (9999-01-01)",
  ]);
});

Deno.test("each change of an issue is an event in the log, without any text", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Crash"]);
  await temp.run(["issue", "close", "1", "-c", "Fixed it", "--as", "engineer"]);
  await temp.run(["issue", "undo", "1"]);
  await temp.run(["issue", "delete", "1"]);
  const log = Object.entries(temp.snapshot()).filter(([path]) => path.includes("/log/"))
    .map(([, text]) => text).join("");
  const events = log.trim().split("\n").map((line) => JSON.parse(line))
    .filter(({ operation }) => operation === "state-change");
  assertEquals(
    events.map((
      { source, agent, kind, oldState, newState },
    ) => [source, agent, kind, oldState ?? null, newState]),
    [
      ["issue/1", "human", "create", null, "Backlog"],
      ["issue/1", "engineer", "status,comment", "Backlog", "Done"],
      ["issue/1", "human", "undo", "Done", "Backlog"],
      ["issue/1", "human", "delete", "Backlog", "deleted"],
    ],
  );
  assert(!log.includes("Crash") && !log.includes("Fixed it"));
});
