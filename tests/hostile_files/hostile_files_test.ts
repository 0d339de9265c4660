/**
 * Links that lead out of a workspace, pipes, devices and folders in the place of each file, through
 * the command line and through the library: nothing is read from outside, nothing is written there,
 * nothing hangs. As root and as somebody else, on Deno and on Node.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { walkSync } from "@std/fs/walk";
import { TempFolder } from "../lock/temp_folder.ts";
import { sample } from "../memory/temp_store.ts";
import { ASK, snapshotOf, TempWorkspace } from "../temp_workspace.ts";
import type { Case, Outcome } from "./program.ts";
import { bundleProgram, isInstalled, NOBODY, run, runCases } from "./run_cases.ts";

const NOTE = ["memory", "note", "--agent", "engineer", "--issue", "43", "We cache reads"];
const SEARCH = ["memory", "search", "MARKER-MEMORY MARKER-OLD"];
const RECALL = ["memory", "recall", "--agent", "engineer", "--issue", "43"];
const DOCTOR = [["doctor", "--json"], ["doctor", "--fix", "--json"]];
const CLARIFY = [["clarify"], ["clarify", "--issue", "42"], [...ASK]];
const STATE = [["state"], ["state", "engineer", "--set", "working"]];
const ISSUES = [
  ["issue", "list", "--all"],
  ["issue", "get", "1"],
  ["issue", "comment", "1", "--comment", "x"],
  ["issue", "create", "--title", "x"],
  ["ready"],
  ["route", "1"],
];
const MEMORY = [
  SEARCH,
  RECALL,
  NOTE,
  ["memory", "stats"],
  ["memory", "export"],
  ["memory", "compact"],
  ["memory", "rebuild"],
  ["hook", "start", "engineer", "43"],
];
const LOOP = [["loop", "status"], ["loop", "iterate", "1"]];
const LINES = ".agentx/issues/2026-01/lines.jsonl";
const NOTES = ".agentx/memory/2026-01/notes.jsonl";
const DAY = new Date().toISOString().slice(0, 10);

/** What uses each file; the text that must not get out of one that lies outside. */
const FILES: Record<string, [commands: string[][], marker?: string]> = {
  ".agentx/state/clarifications/issue-42.json": [
    [...CLARIFY, ...STATE, ["digest"]],
    "MARKER-LEDGER",
  ],
  ".agentx/state/agent-status.json": [[...STATE, ...CLARIFY, ["hook", "start", "engineer", "42"]]],
  ".agentx/state/loop-state.json": [LOOP],
  ".agentx/state/assumptions.json": [[["digest"]], "MARKER-ASSUMPTION"],
  ".agentx/state/memory-recalls.json": [[RECALL, ["memory", "stats"]]],
  [LINES]: [ISSUES, "MARKER-ISSUE"],
  ".agentx/issues/2.json": [ISSUES, "MARKER-OLDER"],
  [NOTES]: [MEMORY, "MARKER-MEMORY"],
  ".agentx/memory/issue-45.json": [MEMORY, "MARKER-OLD"],
  [`.agentx/log/${DAY}.jsonl`]: [[...CLARIFY, NOTE]],
  ".agentx/config.json": [
    [["config", "show"], ["config", "set", "mode", "local"], ["clarify"]],
    "777",
  ],
  ".agentx/workflows/feature.toml": [[["workflow", "feature"], [...ASK], ["init"]], "MARKER-FLOW"],
  ".gitignore": [[["init"]]],
  ".gitattributes": [[["init"]]],
};

/** The same of folders. */
const FOLDERS: Record<string, [commands: string[][], marker?: string]> = {
  ".agentx/state": [[...CLARIFY, ...STATE, ...LOOP, RECALL], "MARKER-LEDGER"],
  ".agentx/state/clarifications": [[...CLARIFY, ...STATE], "MARKER-LEDGER"],
  ".agentx/issues": [ISSUES, "MARKER-ISSUE"],
  ".agentx/issues/2026-01": [ISSUES, "MARKER-ISSUE"],
  ".agentx/memory": [MEMORY, "MARKER-MEMORY"],
  ".agentx/memory/2026-01": [MEMORY, "MARKER-MEMORY"],
  ".agentx/memory/archive": [MEMORY],
  ".agentx/log": [[...CLARIFY, NOTE]],
  ".agentx/digests": [[["digest"]]],
  ".agentx/workflows": [[["workflow", "feature"], [...ASK], ["init"]], "MARKER-FLOW"],
  ".agentx": [[...CLARIFY, ...MEMORY, ...ISSUES, ["init"]], "MARKER"],
};

/** What is put in the place of a file, which was moved outside. */
const PLANTS: Record<string, (path: string, outside: string) => void> = {
  "a link": (path, outside) => Deno.symlinkSync(outside, path),
  "a link to a device": (path) => Deno.symlinkSync("/dev/zero", path),
  "a named pipe": (path) => run("mkfifo", path),
  "a folder": (path) => Deno.mkdirSync(path),
};

/** A workspace in which each of the files has something to say. */
async function makeTemplate(): Promise<TempWorkspace> {
  const temp = new TempWorkspace({ config: { clarify: { retryDelaySeconds: 777 } } });
  const { root } = temp;
  run("git", "init", "-q", root);
  const flow = temp.read(".agentx/workflows/feature.toml");
  temp.write(".agentx/workflows/feature.toml", flow.replace('name = "', 'name = "MARKER-FLOW '));
  const note = ["memory", "note", "--agent", "engineer", "--issue", "43", "We keep MARKER-MEMORY"];
  const commands = [
    ["init"],
    ["issue", "create", "--title", "MARKER-ISSUE"],
    ["clarify", "ask", "--issue", "42", "--from", "engineer", "--to", "architect"]
      .concat("--topic", "MARKER-LEDGER", "MARKER-LEDGER?"),
    note,
    RECALL,
    ["loop", "start", "1"],
    ["digest"],
  ];
  for (const argv of commands) {
    const { code, err } = await temp.run(argv);
    assert(code === 0 || code === 7, err);
  }
  // The copy of what was written here lies in the state; this is the file that everybody has.
  for (const [kind, path] of [["issues", LINES], ["memory", NOTES]]) {
    const folder = `${root}/.agentx/${kind}`;
    const { name: month } = Array.from(Deno.readDirSync(folder)).find((each) => each.isDirectory)!;
    const [{ name }] = Deno.readDirSync(`${folder}/${month}`);
    Deno.renameSync(`${folder}/${month}/${name}`, `${folder}/lines`);
    Deno.removeSync(`${folder}/${month}`);
    Deno.mkdirSync(`${folder}/2026-01`);
    Deno.renameSync(`${folder}/lines`, `${root}/${path}`);
  }
  Deno.removeSync(`${root}/.agentx/state/lines`, { recursive: true });
  temp.write(".agentx/issues/2.json", '{ "title": "MARKER-OLDER" }');
  const old = sample("We keep MARKER-OLD in the vault", { issueNumber: 45 });
  const file = { version: 1, issueNumber: 45, updatedAt: "", observations: [old] };
  temp.write(".agentx/memory/issue-45.json", JSON.stringify(file));
  const created = new Date().toISOString();
  temp.write(
    ".agentx/state/assumptions.json",
    JSON.stringify([{ decision: "MARKER-ASSUMPTION", created }]),
  );
  Deno.mkdirSync(`${root}/.agentx/memory/archive`);
  return temp;
}

/** A case, the files that lie outside, and what must not be printed. */
interface Attack extends Case {
  outside: string;
  marker: string | undefined;
  path: string;
}

/** Every attack on a workspace of its own. */
function plantAll(template: string, folder: TempFolder): Attack[] {
  const attacks: Attack[] = [];
  const plant = (
    what: string,
    path: string,
    [commands, marker]: [string[][], string?],
    put: (path: string, outside: string) => void,
  ) => {
    const place = folder.file(`case-${attacks.length}`);
    const root = `${place}/project`;
    Deno.mkdirSync(place);
    run("cp", "-a", template, root);
    Deno.mkdirSync(`${place}/outside`);
    // A lock of another project, small and abandoned.
    Deno.writeTextFileSync(`${place}/outside/other.lock`, "4242\n");
    const old = new Date(Date.now() - 60_000);
    Deno.utimeSync(`${place}/outside/other.lock`, old, old);
    const outside = `${place}/outside/moved`;
    Deno.renameSync(`${root}/${path}`, outside);
    put(`${root}/${path}`, outside);
    const name = `${what} for ${path}`;
    attacks.push({
      name,
      root,
      path,
      outside: `${place}/outside`,
      marker,
      commands: [...commands, ...DOCTOR],
    });
  };
  for (const [path, use] of Object.entries(FILES)) {
    for (const [what, put] of Object.entries(PLANTS)) plant(what, path, use, put);
  }
  for (const [path, use] of Object.entries(FOLDERS)) {
    plant("a link", path, use, PLANTS["a link"]);
    plant("a file", path, use, (path) => Deno.writeTextFileSync(path, "x"));
  }
  return attacks;
}

/** The same against the library, which is handed folders outside of any workspace. */
function plantLibrary(template: string, folder: TempFolder): Attack[] {
  const files: Record<string, string> = {
    "clarifications/issue-42.json": "MARKER-LEDGER",
    "memory/2026-01/notes.jsonl": "MARKER-MEMORY",
    [`log/${DAY}.jsonl`]: "",
  };
  const attacks: Attack[] = [];
  const plant = (path: string, what: string, marker: string) => {
    const place = folder.file(`library-${attacks.length}`);
    Deno.mkdirSync(`${place}/outside`, { recursive: true });
    const root = `${place}/parts`;
    run("cp", "-a", `${template}/.agentx`, root);
    run("cp", "-a", `${template}/.agentx/state/clarifications`, root);
    const outside = `${place}/outside/moved`;
    Deno.renameSync(`${root}/${path}`, outside);
    PLANTS[what](`${root}/${path}`, outside);
    const name = `the library, ${what} for ${path}`;
    attacks.push({
      name,
      root,
      path,
      outside: `${place}/outside`,
      marker: marker || undefined,
      commands: [],
    });
  };
  for (const [path, marker] of Object.entries(files)) {
    for (const what of Object.keys(PLANTS)) plant(path, what, marker);
  }
  for (const path of ["memory/2026-01", "memory/archive"]) plant(path, "a link", "");
  return attacks;
}

/** Modes and contents of all that lies outside. */
function stateOf(outside: string): unknown {
  const modes = Array.from(walkSync(outside), ({ path }) => [path, Deno.lstatSync(path).mode]);
  return [modes.sort(), snapshotOf(outside)];
}

/** What went wrong in one case. */
function judge({ name, path, marker }: Attack, outcomes: Outcome[]): string[] {
  const texts = outcomes.map(({ text }) => text);
  const all = texts.join("\n");
  return [
    ...outcomes.filter(({ code }) => code === 70).map(({ command, text }) => `${command}: ${text}`),
    ...marker !== undefined && all.includes(marker)
      ? [`${outcomes.find(({ text }) => text.includes(marker))?.command} printed ${marker}`]
      : [],
    ...all.replaceAll("\\", "").includes(`${path}": it is a`) || all.includes("(ENOTDIR)")
      ? []
      : ["nothing was said of it"],
  ].map((problem) => `${name}: ${problem}`);
}

const RUNTIMES: Record<string, string[]> = {
  Deno: [Deno.execPath(), "run", "-A", "--quiet"],
  Node: ["node"],
};

for (const [runtime, command] of Object.entries(RUNTIMES)) {
  for (const user of ["the owner", "an unprivileged user"]) {
    const isNobody = user !== "the owner";
    const needed = [command[0], "git", ...isNobody ? ["setpriv"] : []];
    const ignore = !needed.every(isInstalled) || isNobody && Deno.uid() !== 0;
    Deno.test({
      name: `Hostile files lead ${user} nowhere, on ${runtime}`,
      ignore,
      async fn() {
        using folder = new TempFolder();
        bundleProgram(folder);
        using template = await makeTemplate();
        const attacks = [
          ...plantAll(template.root, folder),
          ...plantLibrary(template.root, folder),
        ];
        if (isNobody) run("chown", "-hR", `${NOBODY}:${NOBODY}`, folder.path);
        const before = attacks.map(({ outside }) => stateOf(outside));
        const outcomes = await runCases(command, attacks, folder, { asNobody: isNobody });
        assertEquals(
          attacks.flatMap((attack) => judge(attack, outcomes.get(attack.name) ?? [])),
          [],
        );
        assertEquals(attacks.map(({ outside }) => stateOf(outside)), before);
      },
    });
  }
}
