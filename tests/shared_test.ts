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

const PRIVATE = /^\.agentx\/(state|log|memory\/(index|journal\.jsonl|manifest\.json))(\/|$)/;

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

Deno.test("AGENTX_SHARED=group opens private files to the group, under any umask", async () => {
  using temp = new TempWorkspace();
  await work(temp, 0o077, { AGENTX_SHARED: "group" });
  const modes = modesOf(temp).filter(({ isPrivate }) => isPrivate).map(({ mode }) => mode);
  assertEquals([...new Set(modes)].sort(), ["660", "d2770"]);
});

Deno.test("The user's own configuration opens private files to the group", async () => {
  using temp = new TempWorkspace();
  using folder = new TempFolder();
  Deno.mkdirSync(folder.file("agentx"));
  Deno.writeTextFileSync(folder.file("agentx/linked.json"), '{"shared":"group"}');
  Deno.symlinkSync("linked.json", folder.file("agentx/config.json"));
  await work(temp, 0o022, { XDG_CONFIG_HOME: folder.path });
  const modes = modesOf(temp).filter(({ isPrivate }) => isPrivate).map(({ mode }) => mode);
  assertEquals([...new Set(modes)].sort(), ["660", "d2770"]);
});

Deno.test("AGENTX_SHARED is group or nothing", async () => {
  using temp = new TempWorkspace();
  const { code, err } = await ended(temp.spawn(NOTE, { env: { AGENTX_SHARED: "all" } }));
  assertEquals([code, temp.has(".agentx/memory/journal.jsonl")], [2, false], err);
  assertEquals((await ended(temp.spawn(NOTE, { env: { AGENTX_SHARED: "" } }))).code, 0);
});

Deno.test("The configuration of a repository cannot open private files to a group", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/config.json", '{"shared":"group"}');
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
    import { ClarificationLedger, FileLockManager } from "${new URL("../mod.ts", import.meta.url)}";
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
    assert(text.includes("AGENTX_SHARED=group"), text);
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
    const env = { AGENTX_SHARED: "group" };
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
