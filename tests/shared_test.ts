/**
 * Who may read and write what: private files, files for git, and a workspace that two users share
 * because they chose to.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { walkSync } from "@std/fs/walk";
import { sampleRecord } from "./clarify/samples.ts";
import type { Outcome } from "./hostile_files/program.ts";
import { bundleProgram, isInstalled, NOBODY, run, runCases } from "./hostile_files/run_cases.ts";
import { type Contender, Crew, hold, PROGRAM, startProcess } from "./lock/contenders.ts";
import { TempFolder } from "./lock/temp_folder.ts";
import { ASK, ended, TempWorkspace } from "./temp_workspace.ts";

const NOTE = ["memory", "note", "--agent", "engineer", "--issue", "43", "We cache reads"];

/** Between them they write every kind of file. */
const COMMANDS = [
  ["init"],
  ["issue", "create", "--title", "x"],
  [...ASK],
  NOTE,
  ["memory", "recall", "--agent", "engineer", "--issue", "43"],
  ["loop", "start", "1"],
  ["digest"],
];

const PRIVATE = /^\.agentx\/(state|log)(\/|$)/;

/** The modes of all that the commands made, apart from the template; and which are private. */
function modesOf(temp: TempWorkspace): { path: string; mode: string; isPrivate: boolean }[] {
  return Array.from(walkSync(`${temp.root}/.agentx`), ({ path, isDirectory }) => {
    const mode = (Deno.lstatSync(path).mode! & 0o7777).toString(8);
    const name = path.slice(temp.root.length + 1);
    return { path: name, mode: isDirectory ? `d${mode}` : mode, isPrivate: PRIVATE.test(name) };
  }).filter(({ path }) => !/^\.agentx(\/workflows.*|\/config\.json)?$/.test(path));
}

/** Runs the commands as processes, under a umask. */
async function work(temp: TempWorkspace, umask: number, env: Record<string, string> = {}) {
  const before = Deno.umask(umask);
  try {
    for (const argv of COMMANDS) {
      const { code, err } = await ended(temp.spawn(argv, { env }));
      assert(code === 0 || code === 7, err);
    }
  } finally {
    Deno.umask(before);
  }
}

for (const umask of [0o000, 0o022, 0o077]) {
  Deno.test(`Private files are the user's alone under umask ${umask.toString(8)}`, async () => {
    using temp = new TempWorkspace();
    await work(temp, umask);
    const [file, folder] = [0o666 & ~umask, 0o775 & ~umask].map((mode) => mode.toString(8));
    const expected = modesOf(temp).map(({ path, mode, isPrivate }) => ({
      path,
      mode: mode.startsWith("d") ? `d${isPrivate ? "700" : folder}` : isPrivate ? "600" : file,
      isPrivate,
    }));
    assertEquals(modesOf(temp), expected);
    const kinds = expected.filter(({ isPrivate }) => isPrivate).map(({ path }) => path);
    assert(kinds.length >= 10 && kinds.length < expected.length, kinds.join("\n"));
  });
}

for (const umask of [0o022, 0o077]) {
  Deno.test(`The user's own configuration opens private files to the group under umask ${umask.toString(8)}`, async () => {
    using temp = new TempWorkspace();
    using user = sharingUser();
    Deno.removeSync(`${temp.root}/.agentx/state`, { recursive: true }); // who shares makes it
    await work(temp, umask, user.env);
    const modes = modesOf(temp).filter(({ isPrivate }) => isPrivate).map(({ mode }) => mode);
    assertEquals([...new Set(modes)].sort(), ["660", "d2770"]);
  });
}

/** A user who shares; the file that says so may be a link. */
function sharingUser(): Disposable & { env: Record<string, string> } {
  const folder = new TempFolder();
  Deno.chmodSync(folder.path, 0o755);
  Deno.mkdirSync(folder.file("agentx"));
  Deno.writeTextFileSync(folder.file("agentx/linked.json"), '{"shared":true}');
  Deno.symlinkSync("linked.json", folder.file("agentx/config.json"));
  return {
    env: { XDG_CONFIG_HOME: folder.path },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

Deno.test("agentx doctor --fix lets those who share a workspace write where lines for git go", async () => {
  using temp = new TempWorkspace();
  using user = sharingUser();
  await work(temp, 0o022);
  const issues = `${temp.root}/.agentx/issues`;
  const [month] = Array.from(Deno.readDirSync(issues), ({ name }) => `${issues}/${name}`);
  const modes = () => [issues, month].map((path) => Deno.statSync(path).mode! & 0o7777);
  assertEquals(modes(), [0o755, 0o755]);
  const { code, out } = await ended(temp.spawn(["doctor", "--fix"], { env: user.env }));
  assertEquals([code, modes()], [0, [0o2775, 0o2775]], out);
});

Deno.test("The configuration of a repository cannot open private files to a group", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/config.json", '{"shared":true}');
  await temp.run(NOTE);
  const modes = modesOf(temp).filter(({ isPrivate }) => isPrivate).map(({ mode }) => mode);
  assertEquals([...new Set(modes)].sort(), ["600", "d700"]);
});

const CONFIG = new URL("../deno.json", import.meta.url).pathname;

const DENO = [Deno.execPath(), "run", "-A", "--quiet"];

const ignore = Deno.uid() !== 0 || !isInstalled("setpriv");

/** What the library gets as another user, on a ledger of this one in `.agentx/state`. */
async function asSecondUser(folder: TempFolder, env: Record<string, string>): Promise<Outcome[]> {
  const root = folder.file(".agentx/state");
  const outcomes = await runCases(DENO, [{ name: "second", root, commands: [] }], folder, {
    asNobody: true,
    env,
  });
  return outcomes.get("second") ?? [];
}

/** A ledger, written by this user. */
async function asOwner(folder: TempFolder, env: Record<string, string>): Promise<void> {
  const { id: _, ...record } = sampleRecord({ thread: [] });
  const script = `
    import { ClarificationLedger, FileLockManager } from "${new URL(
    "../lib/compat/mod.ts",
    import.meta.url,
  )}";
    const folder = "${folder.file(".agentx/state/clarifications")}";
    await new ClarificationLedger(folder, new FileLockManager()).add(42, ${
    JSON.stringify(record)
  });`;
  Deno.writeTextFileSync(folder.file("owner.ts"), script);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", `--config=${CONFIG}`, folder.file("owner.ts")],
    env,
  }).output();
  assert(success, new TextDecoder().decode(stderr));
}

Deno.test({
  name: "A second user is told at once whose the state is, and how to share it",
  ignore,
  async fn() {
    using folder = new TempFolder();
    bundleProgram(folder);
    Deno.mkdirSync(folder.file(".agentx"));
    await asOwner(folder, {});
    const [{ command, code, text }] = await asSecondUser(folder, {});
    assertEquals([command, code], ["ledger.scan", "IO_ERROR"]);
    assert(text.includes(`"${folder.file(".agentx/state")}" belongs to user 0`), text);
    assert(text.includes('"shared": true'), text);
  },
});

Deno.test({
  name: "Two users of one group work in one workspace that they share",
  ignore,
  async fn() {
    using folder = new TempFolder();
    bundleProgram(folder);
    Deno.mkdirSync(folder.file(".agentx"));
    run("chgrp", String(NOBODY), folder.file(".agentx"));
    Deno.chmodSync(folder.file(".agentx"), 0o2775);
    using user = sharingUser();
    const { env } = user;
    await asOwner(folder, env);
    for (let turn = 0; turn < 2; turn++) {
      const outcomes = await asSecondUser(folder, env);
      const found = outcomes.find(({ command }) => command === "ledger.change");
      assertEquals(found?.code, 0, found?.text);
      await asOwner(folder, env);
    }
    const path = folder.file(".agentx/state/clarifications/issue-42.json");
    const { mode, gid } = Deno.statSync(path);
    assertEquals([mode! & 0o777, gid], [0o660, NOBODY]);
    assertEquals(JSON.parse(Deno.readTextFileSync(path)).clarifications.length, 3);
  },
});

/** A folder that users of one group share, with a program that contends for locks in it. */
function sharedFolder(): TempFolder {
  const folder = new TempFolder();
  run("chgrp", String(NOBODY), folder.path);
  Deno.chmodSync(folder.path, 0o2775);
  Deno.copyFileSync(PROGRAM, folder.file("contender.mjs"));
  return folder;
}

/** A contender of this user, or of another one. */
function contender(
  folder: TempFolder,
  env: Record<string, string>,
  command: readonly string[],
  uid?: number,
): Contender {
  const as = uid === undefined
    ? []
    : ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups"];
  const variables = { ...env, HOME: folder.path, DENO_DIR: folder.file("deno") };
  const assigned = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  // What the group gets of a lock file, it gets a moment after it was created.
  const strictly = ["sh", "-c", 'umask 077; exec "$@"', "sh"];
  // `setpriv` last: it alone starts a program that lies where that user may not look.
  return startProcess([
    "env",
    ...assigned,
    ...strictly,
    ...as,
    ...command,
    folder.file("contender.mjs"),
  ]);
}

const PLAIN_DENO = [Deno.execPath(), "run", "-A", "--quiet", "--no-config"];

const RUNTIMES = [PLAIN_DENO, ...isInstalled("node") ? [["node"]] : []];

Deno.test({
  name: "Two users who share wait for each other's locks: no update is lost or refused",
  ignore,
  async fn() {
    using folder = sharedFolder();
    using user = sharingUser();
    const members = RUNTIMES.flatMap((command) =>
      [undefined, NOBODY].map((uid) => contender(folder, user.env, command, uid))
    );
    await using crew = new Crew(...members);
    const path = folder.file("count.json");
    const options = { maxWaitMs: 20_000 };
    Deno.writeTextFileSync(path, '{"count":0}');
    Deno.chmodSync(path, 0o664);
    const report = await crew.run({ kind: "count", path, times: 60, options });
    assertEquals(report.kind, "done", JSON.stringify(report));
    assertEquals(JSON.parse(Deno.readTextFileSync(path)).count, 60 * members.length);
    assertEquals(folder.names().filter((name) => name.endsWith(".lock")), []);
  },
});

for (const [index, command] of RUNTIMES.entries()) {
  Deno.test({
    name: `A lock of another user who shares is freed by ${
      index === 0 ? "Deno" : "Node"
    } when that user's process dies`,
    ignore,
    async fn() {
      using folder = sharedFolder();
      using user = sharingUser();
      const path = folder.file("count.json");
      await using owner = contender(folder, user.env, command);
      await hold(owner, { kind: "keep", path, keepMs: 60_000 });
      await using next = contender(folder, user.env, command, NOBODY);
      const waiting = next.run({ kind: "enter", path, times: 1, holdMs: 0 });
      await owner.kill();
      const report = await waiting;
      assertEquals(report.kind, "done", JSON.stringify(report));
    },
  });
}

Deno.test({
  name: "A user who does not share is refused another user's lock at once, and told how to share",
  ignore,
  async fn() {
    using folder = sharedFolder();
    const path = folder.file("count.json");
    await using owner = contender(folder, {}, PLAIN_DENO);
    await hold(owner, { kind: "keep", path, keepMs: 60_000 });
    await using next = contender(folder, {}, PLAIN_DENO, NOBODY);
    const report = await next.run({ kind: "enter", path, times: 1, holdMs: 0 });
    assertEquals(report.kind === "failed" && report.code, "IO_ERROR");
    const message = report.kind === "failed" ? report.message : "";
    assert(message.includes("user 0") && message.includes('"shared": true'), message);
  },
});
