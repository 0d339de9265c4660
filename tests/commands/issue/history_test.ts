/**
 * What became of an issue, taking changes back, and what merges leave, through the command line.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../../temp_workspace.ts";

const FILE = ".agentx/issues/2026-11/elsewhere.jsonl";

/** A line of another checkout, as a merge brings it. */
function line(uid: string, id: string, time: string, change: Record<string, unknown>): string {
  const head = { v: 1, id, uid, time: `2026-11-01T${time}:00.000Z`, by: "architect@codex-1" };
  return JSON.stringify({ ...head, ...change }) + "\n";
}

const CREATED = line("u1", "c1.0", "09:00", {
  op: "create",
  fields: { number: 1, title: "Crash", body: "On start", status: "Backlog" },
});

function set(field: string, value: string, id: string, time: string, after: string[] = []) {
  return line("u1", id, time, { op: "set", field, value, after });
}

/** A workspace with issue #1, of which two branches changed something. */
function merged(...lines: string[]): TempWorkspace {
  const temp = new TempWorkspace();
  temp.write(FILE, CREATED + lines.join(""));
  return temp;
}

const TITLES = [
  set("title", "Crash on Linux", "a.0", "10:00"),
  set("title", "Crash!", "b.0", "11:00"),
];
const STATUSES = [
  set("status", "Done", "a.0", "10:00"),
  set("status", "In Progress", "b.0", "11:00"),
];
const DELETED = [
  line("u1", "a.0", "10:00", { op: "delete", after: ["c1.0"] }),
  set("title", "Crash!", "b.0", "11:00"),
];

Deno.test("issue history says who changed what, when, and from what to what", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Crash", "-l", "p1"]);
  const argv = ["issue", "edit", "1", "-s", "In Progress", "-l", "p0", "--as", "engineer"];
  await temp.run(argv);
  const { kind, ref, changes, more } = await temp.json(["issue", "history", "1"]);
  assertEquals([kind, ref, more], ["issue.history", "#1", 0]);
  assertEquals(
    changes.map(({ by, isUndone }: { by: string; isUndone: boolean }) => [by, isUndone]),
    [
      ["engineer", false],
      ["human", false],
    ],
  );
  const none = { concurrentWith: [], isOverruled: false };
  assertEquals(changes[0].edits, [
    { what: "status", from: "Backlog", to: "In Progress", ...none },
    { what: "labels", from: ["p1"], to: ["p0"], ...none },
  ]);
  const { out } = await temp.run(["issue", "history", "1"]);
  assert(out.includes("    status: Backlog -> In Progress\n    labels: -p1 +p0"), out);
});

Deno.test("issue history fits into 80 columns and shows no escape sequence", async () => {
  const long = "\x1b[31m" + "A long title ".repeat(14);
  using temp = merged(
    set("title", long, "a.0", "10:00"),
    set("body", long.repeat(9), "b.0", "11:00"),
  );
  const { out } = await temp.run(["issue", "history", "1"], { terminal: true, columns: 80 });
  // deno-lint-ignore no-control-regex -- the marks are taken out again
  const shown = out.replaceAll(/\x1b\[\d+m/g, "").split("\n");
  assertEquals(shown.filter((line) => line.length > 80), []);
  assert(!out.includes("\x1b[31m"));
});

Deno.test("issue history names what was changed on both sides of a merge, and what was overruled", async () => {
  using temp = merged(...STATUSES);
  const { changes: [later, earlier] } = await temp.json(["issue", "history", "1"]);
  const { concurrentWith, isOverruled } = later.edits[0];
  assertEquals([later.change, concurrentWith, isOverruled], ["b", ["a"], true]);
  assertEquals([earlier.edits[0].concurrentWith, earlier.edits[0].isOverruled], [["b"], false]);
  const { out } = await temp.run(["issue", "history", "1"]);
  assert(out.includes("concurrent with a; overruled"), out);
});

Deno.test("issue history lists 20 changes, and more with --limit", async () => {
  const edits = Array.from(
    { length: 24 },
    (_, index) =>
      set(
        "title",
        `T${index}`,
        `e${index}.0`,
        `10:${10 + index}`,
        index ? [`e${index - 1}.0`] : [],
      ),
  );
  using temp = merged(...edits);
  const { changes, more } = await temp.json(["issue", "history", "1"]);
  assertEquals([changes.length, more, changes[0].edits[0].to], [20, 5, "T23"]);
  assertEquals((await temp.json(["issue", "history", "1", "--limit", "30"])).changes.length, 25);
});

Deno.test("issue undo takes the latest change back, then the one before, and says how to redo it", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Crash"]);
  await temp.run(["issue", "edit", "1", "-t", "Crash on start", "-l", "p1", "--as", "engineer"]);
  await temp.run(["issue", "close", "1", "-c", "Fixed"]);
  const { issue, undone, redo } = await temp.json(["issue", "undo", "1"]);
  assertEquals([issue.state, issue.comments, issue.labels], ["open", [], ["p1"]]);
  assertEquals(undone.edits.map(({ what }: { what: string }) => what), ["status", "comment"]);
  await temp.run(["issue", "undo", "1"]);
  assertEquals([temp.issue(1).title, temp.issue(1).labels], ["Crash", []]);
  await temp.run(["issue", "undo", "1", redo]);
  assertEquals([temp.issue(1).state, temp.issue(1).comments.length], ["closed", 1]);
});

Deno.test("issue undo gives no claim back that a change ended", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Crash", "-l", "type:bug"]);
  await temp.run(["ready", "--claim", "engineer"]);
  await temp.run(["issue", "edit", "1", "-s", "Backlog", "--assignee", "none"]);
  await temp.run(["issue", "undo", "1"]);
  assertEquals(temp.issue(1).status, "In Progress");
  const { issues } = await temp.json(["ready"]);
  assertEquals(issues.map(({ number }: { number: number }) => number), [1]);
  assertEquals((await temp.run(["ready", "--claim", "engineer@2"])).code, 0);
});

Deno.test("issue undo names the step of another and takes it back by its id alone", async () => {
  const returned = { op: "returned", step: "fix", because: "No test" };
  using temp = merged(line("u1", "a.0", "10:00", returned));
  const { code, err } = await temp.run(["issue", "undo", "1"]);
  assertEquals(code, 2);
  assert(err.includes("architect@codex-1") && err.includes("agentx issue undo 1 a\n"), err);
  assertEquals((await temp.run(["issue", "undo", "1", "a"])).code, 0);
});

Deno.test("issue edit and close say that they changed nothing", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Crash", "-l", "p1"]);
  await temp.run(["issue", "close", "1"]);
  const nothing =
    "note: nothing of #1 changed; agentx issue undo 1 takes back what was done before\n";
  for (const words of [["close", "1"], ["edit", "1", "-l", "p1"], ["edit", "1", "-s", "done"]]) {
    assertEquals((await temp.run(["issue", ...words])).err, nothing, words.join(" "));
  }
  assertEquals((await temp.run(["issue", "close", "1", "-c", "Really"])).err, "");
});

Deno.test("issue undo takes back a change that it is given, and keeps what came later", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Crash"]);
  await temp.run(["issue", "edit", "1", "-b", "Wrong", "-l", "p1"]);
  await temp.run(["issue", "edit", "1", "-t", "Crash on start"]);
  const { changes } = await temp.json(["issue", "history", "1"]);
  const { out } = await temp.run(["issue", "undo", "1", changes[1].change]);
  assert(/Undo that with: agentx issue undo 1 \w{12}\n/.test(out), out);
  const { title, body, labels } = temp.issue(1);
  assertEquals([title, body, labels], ["Crash on start", "", []]);
});

Deno.test("issue history says from what a field changed after a change was undone", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Crash"]);
  await temp.run(["issue", "edit", "1", "-t", "Wrong"]);
  await temp.run(["issue", "undo", "1"]);
  await temp.run(["issue", "edit", "1", "-t", "Crash on start"]);
  const { changes } = await temp.json(["issue", "history", "1"]);
  assertEquals([changes[0].edits[0].from, changes[2].edits[0].from], ["Crash", "Crash"]);
});

for (
  const [argv, exit, why] of [
    [["issue", "undo", "1"], 2, "none is left"],
    [["issue", "undo", "1", "nope"], 2, "it has no such change"],
    [["issue", "undo", "1", "c1"], 2, "agentx issue delete 1"],
    [["issue", "undo", "2"], 4, "there is no such issue"],
    [["issue", "history", "2"], 4, "there is no such issue"],
    [["issue", "history", "x"], 2, "be the number of an issue"],
    [["issue", "delete", "2"], 4, "there is no such issue"],
    [["issue", "view", "1~abcd"], 4, "there is no such issue"],
  ] as const
) {
  Deno.test(`${argv.join(" ")} is refused and writes nothing`, async () => {
    using temp = merged();
    const before = temp.snapshot();
    const { code, err } = await temp.run(argv);
    assertEquals(code, exit);
    assert(err.includes(why), err);
    assertEquals(temp.snapshot(), before);
  });
}

Deno.test("issue delete can be undone, and gives the number to nobody else", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Crash"]);
  const { out } = await temp.run(["issue", "delete", "1"]);
  assertEquals(out, "  Deleted #1: Crash\n  Bring it back with: agentx issue undo 1\n");
  const gone = await temp.run(["issue", "view", "1"]);
  assertEquals(gone.code, 4);
  assert(gone.err.includes("agentx issue undo 1"), gone.err);
  assertEquals((await temp.run(["issue", "delete", "1"])).code, 4);
  assertEquals((await temp.json(["issue", "create", "-t", "Other"])).issue.number, 2);
  assertEquals((await temp.json(["issue", "history", "1"])).isDeleted, true);
  await temp.run(["issue", "undo", "1"]);
  assertEquals(temp.issue(1).title, "Crash");
});

Deno.test("a title that two branches changed is shown, and decided in the inbox", async () => {
  using temp = merged(...TITLES);
  const { out } = await temp.run(["issue", "view", "1"]);
  assert(out.includes("agentx answer ISS-1-title a|b"), out);
  const { entries: [{ id, kind, issue, options }] } = await temp.json(["inbox"]);
  assertEquals([id, kind, issue], ["ISS-1-title", "conflict", 1]);
  assertEquals(options.map(({ text }: { text: string }) => text), [
    "keep Crash!",
    "take Crash on Linux",
  ]);
  const { decision } = await temp.json(["answer", "ISS-1-title", "b"]);
  assertEquals(decision, "take Crash on Linux");
  assertEquals((await temp.json(["inbox"])).entries, []);
  const { issue: { title }, conflicts } = await temp.json(["issue", "view", "1"]);
  assertEquals([title, conflicts], ["Crash on Linux", []]);
  assertEquals((await temp.run(["answer", "ISS-1-title", "a"])).code, 4);
});

for (const [answer, title] of [["a", "Crash!"], ["Crash everywhere", "Crash everywhere"]]) {
  Deno.test(`a title that two branches changed is settled by "${answer}"`, async () => {
    using temp = merged(...TITLES);
    await temp.run(["answer", "ISS-1-title", answer]);
    assertEquals([temp.issue(1).title, (await temp.json(["inbox"])).entries], [title, []]);
  });
}

Deno.test("a conflict of titles is left to the human, and an edit settles it as well", async () => {
  using temp = merged(...TITLES);
  const env = { CLAUDECODE: "1" };
  assertEquals((await temp.run(["answer", "ISS-1-title", "a"], { env })).code, 6);
  await temp.run(["issue", "edit", "1", "-t", "Crash at last"], { env });
  assertEquals((await temp.json(["inbox"])).entries, []);
});

Deno.test("an edit that a branch deleted is kept and asked about; either answer holds", async () => {
  for (const answer of ["a", "b"]) {
    using temp = merged(...DELETED);
    const { entries: [{ id, options }] } = await temp.json(["inbox"]);
    assertEquals([id, options.length], ["ISS-1-deletion", 2]);
    assert((await temp.run(["issue", "view", "1"])).out.includes("Deleted by architect@codex-1"));
    assertEquals((await temp.run(["answer", "ISS-1-deletion", "keep it"])).code, 2);
    await temp.run(["answer", "ISS-1-deletion", answer]);
    assertEquals((await temp.json(["inbox"])).entries, []);
    assertEquals((await temp.run(["issue", "view", "1"])).code, answer === "a" ? 0 : 4);
  }
});

Deno.test("whoever lost a status is told, and nobody is asked", async () => {
  using temp = merged(...STATUSES);
  const { out } = await temp.run(["issue", "view", "1"]);
  assert(out.includes("set the status to In Progress"), out);
  assertEquals(temp.issue(1).state, "closed");
  assertEquals((await temp.json(["inbox"])).entries, []);
});

/** Two issues that both became #2 on their branches. */
function twins(): TempWorkspace {
  const born = (uid: string, title: string, time: string) =>
    line(uid, `${uid}.0`, time, { op: "create", fields: { number: 2, title, status: "Backlog" } });
  return merged(born("aaaa1", "First", "10:00"), born("bbbb1", "Second", "11:00"));
}

Deno.test("two issues with one number are both listed, and shown by their names", async () => {
  using temp = twins();
  const { issues } = await temp.json(["issue", "list"]);
  assertEquals(
    issues.map(({ number, ref, title }: Record<string, unknown>) => [number, ref, title]),
    [[1, undefined, "Crash"], [2, undefined, "First"], [2, "#2~bbbb", "Second"]],
  );
  assert((await temp.run(["issue", "list"])).out.includes("#2~bbbb"));
  for (const words of [["issue", "list"], ["ready"]]) {
    const { err } = await temp.run(words);
    assert(/^note: #2~bbbb: .* agentx doctor --fix$/m.test(err), err);
  }
  assertEquals((await temp.json(["issue", "view", "2"])).issue.title, "First");
  const { out } = await temp.run(["issue", "view", "#2~bbbb"]);
  assert(out.startsWith("  #2~bbbb Second"), out);
  assertEquals((await temp.json(["issue", "history", "2~bbbb"])).ref, "#2~bbbb");
});

Deno.test("a change of #2 never reaches the other issue of that number", async () => {
  using temp = twins();
  await temp.run(["ready", "--claim", "engineer", "--issue", "2"]);
  await temp.run(["issue", "close", "2"]);
  const { issue: other } = await temp.json(["issue", "view", "2~bbbb"]);
  assertEquals([other.status, other.assignee], ["Backlog", null]);
  const { issues: ready } = await temp.json(["ready"]);
  assertEquals(ready.map(({ title }: { title: string }) => title), ["Crash"]);
  await temp.run(["issue", "delete", "2~bbbb"]);
  assertEquals((await temp.json(["issue", "view", "2"])).issue.title, "First");
  assertEquals((await temp.json(["issue", "list", "--all"])).issues.length, 2);
});

Deno.test("a question on an issue that lost its number is answered with that issue in view", async () => {
  using temp = new TempWorkspace({
    agents: { architect: "grep -q First && echo of First || echo of another" },
  });
  const born = (uid: string, title: string, time: string) =>
    line(uid, `${uid}.0`, time, { op: "create", fields: { number: 2, title, status: "Backlog" } });
  temp.write(FILE, born("bbbb1", "Second", "11:00"));
  const who = ["--from", "engineer", "--to", "architect"];
  const argv = ["clarify", "ask", "-i", "2", ...who, "--topic", "Title", "What is it about?"];
  assertEquals((await temp.json(argv)).answer, "of another");
  temp.write(FILE.replace("elsewhere", "merged"), born("aaaa1", "First", "10:00"));
  const again = ["clarify", "ask", "CLR-2-001", "--as", "engineer", "And what else?"];
  const answered = await temp.json(again);
  assertEquals(answered.answer, "of another", JSON.stringify(answered));
  assertEquals((await temp.run([...argv, "--again"])).code, 8);
});
