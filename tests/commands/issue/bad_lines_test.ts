/**
 * Files of changes that are not as agentx writes them: what is wrong is named with file and line,
 * everything else works, and nothing is overwritten.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../../temp_workspace.ts";

const PATH = ".agentx/issues/2026-11/elsewhere.jsonl";
const HEAD = { v: 1, uid: "u1", by: "architect", time: "2026-11-01T10:00:00.000Z" };
const FIELDS = { number: 1, title: "Crash", body: "", status: "Backlog", labels: [] };
const CREATED = JSON.stringify({ ...HEAD, id: "c.0", op: "create", fields: FIELDS });

function set(field: string, value: string, more: object = {}): string {
  return JSON.stringify({ ...HEAD, id: "s.0", op: "set", field, value, after: [], ...more });
}

const LATER = set("status", "In Review", { id: "z.0", time: "2026-11-02T10:00:00.000Z" });

/** Whether it is named, and what the title is then. */
const LINES: Record<string, [line: string, isNamed: boolean, title: string]> = {
  "that is cut": [set("title", "Other").slice(0, -9), true, "Crash"],
  "that is doubled": [`${set("title", "Other")}\n${set("title", "Other")}`, false, "Other"],
  "of a newer version": [set("title", "Other", { v: 2 }), true, "Crash"],
  "of the year 9999": [
    set("title", "Other", { time: "9999-12-31T23:59:59.999Z" }),
    false,
    "Other",
  ],
  "that names what nobody knows": [set("title", "Other", { after: ["gone.0"] }), false, "Other"],
  "that is a conflict marker": ["<<<<<<< HEAD", true, "Crash"],
  "of an unknown kind": [set("title", "Other", { op: "frobnicate" }), true, "Crash"],
  "that ends in CR": [`${set("title", "Other")}\r`, false, "Other"],
  "that is blank": ["", false, "Crash"],
};

for (const [name, [line, isNamed, title]] of Object.entries(LINES)) {
  Deno.test(`a line ${name} ${isNamed ? "is named" : "is read"}, and the others count`, async () => {
    using temp = new TempWorkspace();
    const text = `${CREATED}\n${line}\n${LATER}`; // without a final newline
    temp.write(PATH, text);
    const { code, err } = await temp.run(["issue", "list"]);
    assertEquals(code, isNamed ? 8 : 0, err);
    if (isNamed) {
      assert(/elsewhere\.jsonl" in line 2|elsewhere\.jsonl": in the line s\.0/.test(err), err);
    }
    const { issue } = await temp.json(["issue", "view", "1"]);
    assertEquals([issue.title, issue.status], [title, "In Review"]);
    assertEquals((await temp.run(["issue", "edit", "1", "-t", "Crash at last"])).code, 0);
    assertEquals((await temp.run(["issue", "history", "1"])).code, 0);
    assertEquals(temp.issue(1).title, "Crash at last");
    assertEquals(temp.read(PATH), text);
  });
}

Deno.test("doctor --fix sets a cut line of issues or memory aside, and nothing else", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Own"]);
  await temp.run(["memory", "note", "--agent", "engineer", "--issue", "1", "Tests need TZ=UTC."]);
  const cut = set("title", "Other").slice(0, -9);
  const conflict = "<<<<<<< HEAD";
  temp.write(PATH, `${CREATED}\n${conflict}\n${LATER}\n${cut}`);
  const own = Object.keys(temp.snapshot()).filter((path) => /\d{4}-\d\d\/\w+\.jsonl$/.test(path));
  for (const path of own.filter((path) => !path.endsWith(PATH))) {
    temp.write(path.slice(1), temp.read(path.slice(1)) + cut);
  }
  assertEquals(own.length, 3);
  const before = await temp.run(["issue", "list"]);
  assertEquals([before.code, before.err.includes("agentx doctor --fix")], [8, true], before.err);
  const { out } = await temp.run(["doctor", "--fix"]);
  assert(out.includes("issues.damaged now: 2") && out.includes("memory.damaged now: 1"), out);
  assertEquals(temp.read(".agentx/state/lines/issues.damaged"), `${cut}\n${cut}\n`);
  assertEquals(temp.read(".agentx/state/lines/memory.damaged"), `${cut}\n`);
  assertEquals(temp.read(PATH), `${CREATED}\n${conflict}\n${LATER}`);
  temp.write(PATH, `${CREATED}\n${LATER}\n`);
  const after = await temp.run(["issue", "list"]);
  assertEquals([after.code, after.err], [0, ""]);
  await temp.run(["issue", "edit", "1", "-s", "Ready"]);
  assertEquals((await temp.run(["issue", "list"])).code, 0);
  assertEquals((await temp.json(["memory", "search", "UTC"])).observations.length, 1);
  assert(!(await temp.run(["doctor", "--fix"])).out.includes("damaged"));
});

Deno.test("an issue of 70,000 changes is deleted by lines that can be read, and comes back", async () => {
  using temp = new TempWorkspace();
  const lines = Array.from({ length: 69_999 }, (_, index) => {
    const id = `${String(index).padStart(12, "0")}.0`;
    return JSON.stringify({ ...HEAD, id, op: "comment", body: "Hm" });
  });
  temp.write(PATH, [CREATED, ...lines].join("\n"));
  assertEquals((await temp.run(["issue", "delete", "1"])).code, 0);
  const files = Object.values(temp.snapshot()).flatMap((text) => text.split("\n"));
  assert(files.every((line) => line.length < 65_536), "a line is too long");
  assertEquals((await temp.json(["issue", "list", "--all"])).issues, []);
  await temp.run(["issue", "undo", "1"]);
  assertEquals(temp.issue(1).comments.length, 69_999);
});

Deno.test("an issue of 50,000 changes can be listed, shown, changed, undone and deleted", async () => {
  using temp = new TempWorkspace();
  const lines = Array.from({ length: 49_999 }, (_, index) => {
    const time = new Date(Date.parse(HEAD.time) + index).toISOString();
    const after = index === 0 ? [] : [`e${index - 1}.0`];
    return index % 2 === 0
      ? set("title", `T${index}`, { id: `e${index}.0`, time, after: after.map(earlier) })
      : JSON.stringify({ ...HEAD, id: `e${index}.0`, time, op: "comment", body: "Hm" });
  });
  temp.write(PATH, [CREATED, ...lines].join("\n"));
  assertEquals((await temp.json(["issue", "view", "1"])).issue.title, "T49998");
  const { changes, more } = await temp.json(["issue", "history", "1"]);
  assertEquals([changes.length, more, changes[0].edits[0].concurrentWith], [20, 49_980, []]);
  await temp.run(["issue", "edit", "1", "-t", "Crash at last"]);
  await temp.run(["issue", "undo", "1"]);
  assertEquals(temp.issue(1).title, "T49998");
  await temp.run(["issue", "delete", "1"]);
  const { issues } = await temp.json(["issue", "list"]);
  assertEquals(issues, []);
  await temp.run(["issue", "undo", "1"]);
  assertEquals(temp.issue(1).comments.length, 24_999);
});

/** The title before, as the comments stand between. */
function earlier(id: string): string {
  return `e${Number(id.slice(1, -2)) - 1}.0`;
}
