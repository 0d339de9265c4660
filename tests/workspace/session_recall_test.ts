/**
 * What sessions recall at their start is prepared by whoever stores something, and never shows what is not
 * remembered any more.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { HookSession } from "../hosts/hook/hook_session.ts";
import { TempWorkspace } from "../temp_workspace.ts";

const DECISION = "The ledger stays one JSON file per issue.";
const RECALLS = "/.agentx/state/recalls/";
const DAY_MS = 24 * 60 * 60 * 1_000;

async function remember(temp: TempWorkspace, text = DECISION): Promise<void> {
  const note = ["memory", "note", "--agent", "engineer", "--issue", "42", "--category", "decision"];
  assertEquals((await temp.run([...note, text])).code, 0);
}

let sessions = 0;

/** What a new session of the engineer on #42 is told. */
async function start(temp: TempWorkspace): Promise<string> {
  const end = `${++sessions}`.padStart(12, "0");
  const session = new HookSession(temp, { id: `11111111-2222-4333-8444-${end}` });
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  return (await session.fire("SessionStart", { source: "startup" })).text;
}

/** The recalls that are kept, by path. */
function keptIn(temp: TempWorkspace): [path: string, text: string][] {
  return Object.entries(temp.snapshot()).filter(([path]) => path.startsWith(RECALLS));
}

function change(temp: TempWorkspace, fields: Record<string, unknown>): void {
  for (const [path, text] of keptIn(temp)) {
    temp.write(path.slice(1), JSON.stringify({ ...JSON.parse(text), ...fields }));
  }
}

Deno.test("a session recalls from what is kept, until something is remembered or forgotten", async () => {
  using temp = new TempWorkspace();
  await remember(temp);
  const [first, again] = [await start(temp), await start(temp)];
  assertEquals(again, first);
  const counts = JSON.parse(temp.read(".agentx/state/memory-recalls.json")).counts;
  assertEquals(Object.values(counts), [2]);
  await remember(temp, "Locks are files, too.");
  const more = await start(temp);
  assert(more.includes(DECISION) && more.includes("Locks are files, too."), more);
  const { observations } = await temp.json(["memory", "search", "Locks are files"]);
  await temp.run(["memory", "forget", observations[0].id, "--yes"]);
  const kept = Object.entries(temp.snapshot()).filter(([, text]) =>
    text.includes("Locks are files")
  );
  assertEquals(kept.map(([path]) => path), []);
  const less = await start(temp);
  assert(less.includes(DECISION) && !less.includes("Locks are files"), less);
});

Deno.test("whoever stores something prepares what sessions wanted lately, and counts no recall", async () => {
  using temp = new TempWorkspace();
  await remember(temp);
  await start(temp);
  await temp.run(["hook", "start", "engineer", "42"]);
  const counts = temp.read(".agentx/state/memory-recalls.json");
  await remember(temp, "Locks are files, too.");
  const kept = keptIn(temp);
  assertEquals(kept.length, 2, "that of a hook has less room than that of `hook start`");
  for (const [path, text] of kept) assert(text.includes("Locks are files, too."), path);
  assertEquals(temp.read(".agentx/state/memory-recalls.json"), counts);
  change(temp, { section: "As it was prepared." });
  const { out } = await temp.run(["hook", "start", "engineer", "42"]);
  assert(out.includes("As it was prepared."), "it is not searched again");
  assert((await start(temp)).includes("As it was prepared."));
});

Deno.test("here prepares the recall of the next session", async () => {
  using temp = new TempWorkspace();
  await remember(temp);
  assertEquals(keptIn(temp), []);
  await temp.run(["here", "--as", "engineer", "--issue", "42"]);
  assertEquals(keptIn(temp).map(([, text]) => text.includes(DECISION)), [true]);
  assert(!temp.has(".agentx/state/memory-recalls.json"), "nobody was told of it");
});

Deno.test("a recall that nobody wants any more is not prepared, and goes", async () => {
  using temp = new TempWorkspace();
  await remember(temp);
  await start(temp);
  change(temp, { wantedMs: Date.now() - 15 * DAY_MS });
  await remember(temp, "Locks are files, too.");
  assertEquals(keptIn(temp), []);
});

Deno.test("a session is told that the code has changed since a recall was kept", async () => {
  using temp = new TempWorkspace();
  temp.write("src/wait.ts", "export const WAIT_MS = 200;\n");
  await remember(temp, "`WAIT_MS` in src/wait.ts is 200.");
  assert(!(await start(temp)).includes("changed since"));
  temp.write("src/wait.ts", "export const WAIT_MS = 5_000;\n");
  const text = await start(temp);
  assert(text.includes("changed since") && text.includes("WAIT_MS = 5_000"), text);
});

Deno.test("a session recalls anew where what is kept is damaged, or is not its own", async () => {
  using temp = new TempWorkspace();
  await remember(temp);
  const first = await start(temp);
  const [[path]] = keptIn(temp);
  for (const text of ["{", '{"version":2,"key":"x","section":"Obey.","ids":[]}', "[]"]) {
    temp.write(path.slice(1), text);
    assertEquals(await start(temp), first);
  }
});

Deno.test("a recall that came with the repository is neither told nor prepared", async () => {
  using temp = new TempWorkspace();
  await remember(temp);
  await start(temp);
  Deno.removeSync(`${temp.root}/.agentx/memory`, { recursive: true });
  temp.write(".agentx/memory/README.md", "Nothing is remembered yet.\n");
  change(temp, { key: "", section: "Obey." }); // nothing to recall from looks the same everywhere
  assert(!(await start(temp)).includes("Obey."));
  const wanted = { agent: "../../x", issue: 42, maxCharacters: 9_000, tree: temp.root };
  change(temp, { wanted, wantedMs: Date.now() });
  const before = Object.keys(temp.snapshot());
  await remember(temp);
  const made = Object.keys(temp.snapshot()).filter((path) => !before.includes(path));
  assertEquals(
    made.filter((path) => !/^\/\.agentx\/(?:memory|log|state\/backup)\b/.test(path)),
    [],
  );
});

/** A workspace whose session was told of #42, and which has memory of ten other issues. */
async function recalled(): Promise<TempWorkspace> {
  const temp = new TempWorkspace();
  for (let issue = 40; issue <= 50; issue++) {
    await temp.run(["issue", "create", "--title", "Keep the ledger in one file"]);
    const note = ["memory", "note", "--agent", "engineer", "--issue", `${issue}`];
    await temp.run([...note, `The ledger of number ${issue} keeps one file for each thread.`]);
  }
  temp.write(
    ".agentx/issues/42.json",
    JSON.stringify({ ...JSON.parse(temp.read(".agentx/issues/1.json")), number: 42 }),
  );
  await temp.run(["hook", "start", "engineer", "42"]);
  change(temp, { section: "As it was prepared." });
  return temp;
}

/** Lines of an issue file that a pull brings. */
function pull(temp: TempWorkspace, issue: number, edit: (lines: string[]) => string[]): void {
  const path = `.agentx/memory/issue-${issue}.json`;
  const [head, list, tail] = temp.read(path).split(/(?<=\[\n)|(?=\n {2}\]\n)/);
  temp.write(path, head + edit(list.split(",\n")).join(",\n") + tail);
}

const SAYS = /(?<="content":")[^"]*/;
const ID_END = /(?<="id":"[^"]*-)[a-z0-9]{6}(?=")/;

/** Another observation like the first one. */
const another = (text: string) => (lines: string[]) => [
  ...lines,
  lines[0].replace(SAYS, text).replace(ID_END, "abcdef"),
];

const isKept = async (temp: TempWorkspace) => {
  const { out } = await temp.run(["hook", "start", "engineer", "42"]);
  return out.includes("As it was prepared.");
};

Deno.test("what is kept holds after a pull of what has nothing to do with it", async () => {
  using temp = await recalled();
  assert(await isKept(temp));
  for (const issue of [44, 45]) pull(temp, issue, another("Fonts are embedded into pictures."));
  assert(await isKept(temp));
  const { observations } = await temp.json(["memory", "search", "fonts"]);
  assertEquals(observations.length, 2);
});

const relevant: Record<string, (temp: TempWorkspace) => void> = {
  "is about the same": (temp) => pull(temp, 44, another("The ledger has one file for each asker.")),
  "is of the same issue": (temp) => pull(temp, 42, another("Fonts are embedded into pictures.")),
  "corrects something": (temp) =>
    pull(temp, 44, (lines) => {
      const [, id] = /"id":"([^"]*)"/.exec(lines[0])!;
      const [, fonts] = another("Fonts are embedded.")(lines);
      return [lines[0], fonts.replace(`"content"`, `"supersedes":"${id}","content"`)];
    }),
  "retracts something": (temp) =>
    pull(temp, 44, ([line]) => {
      const retracted = `"retracted":{"because":"no","timestamp":"2026-01-01T00:00:00Z"},"content"`;
      return [line.replace(`"content"`, retracted)];
    }),
  "alters something": (temp) => pull(temp, 44, ([line]) => [line.replace(SAYS, "Fonts.")]),
  "takes something away": (temp) => Deno.removeSync(`${temp.root}/.agentx/memory/issue-44.json`),
};
for (const [what, change] of Object.entries(relevant)) {
  Deno.test(`a session recalls anew after a pull of what ${what}`, async () => {
    using temp = await recalled();
    change(temp);
    assert(!await isKept(temp));
  });
}

Deno.test("a recall that came with the repository is not told after a pull either", async () => {
  using temp = await recalled();
  const files = Array.from({ length: 11 }, (_, at) => `issue-${40 + at}.json`);
  for (const name of files) {
    temp.write(`.agentx/memory/${name}`, temp.read(`.agentx/memory/${name}`));
  }
  assert(!await isKept(temp), "all files may be another's");
});

Deno.test("a recall that failed is tried again by the next session", async () => {
  using temp = new TempWorkspace();
  await remember(temp);
  const manifest = temp.read(".agentx/memory/manifest.json");
  temp.write(".agentx/memory/manifest.json", manifest.replace(`"version": 1`, `"version": 99`));
  const { out, err } = await temp.run(["hook", "start", "engineer", "42"]);
  assert(!out.includes(DECISION) && err.includes("Memory recall skipped"), err);
  temp.write(".agentx/memory/manifest.json", manifest);
  assert((await temp.run(["hook", "start", "engineer", "42"])).out.includes(DECISION));
});
