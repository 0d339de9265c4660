import { assert, assertEquals, assertThrows } from "@std/assert";
import { AgentxError } from "../../../lib/base/errors.ts";
import { FileLockManager } from "../../../lib/lock/mod.ts";
import { isOpen, type NewIssue } from "../../../lib/work/issue/issue.ts";
import { IssueStore } from "../../../lib/work/issue/issue_store.ts";
import { replace } from "../../lock/faults.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

const T0 = Date.parse("2026-03-01T10:00:00.000Z");

let nowMs = T0;
replace("now", () => () => nowMs);

/** A store in a workspace, at a time. */
function storeIn(workspace: TempWorkspace, at = { nowMs: T0 }): IssueStore {
  ({ nowMs } = at);
  return new IssueStore(workspace.root, new FileLockManager());
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(() => "no failure", (error) => error);
  return error instanceof AgentxError ? error.code : String(error);
}

/** The files of lines. */
function lineFiles(workspace: TempWorkspace): string[] {
  return Object.keys(workspace.snapshot())
    .filter((path) => path.startsWith("/.agentx/issues/") && path.endsWith(".jsonl"))
    .map((path) => path.slice(1))
    .sort();
}

Deno.test("IssueStore.create() writes a line with every key, which it reads", async () => {
  using workspace = new TempWorkspace();
  await storeIn(workspace).create({ title: "Crash", labels: ["type:bug", "p1"], body: "On start" });
  const [path, ...others] = lineFiles(workspace);
  assertEquals(others, []);
  const { id, uid, ...line } = JSON.parse(workspace.read(path));
  assert(/^[0-9a-v]{12}\.0$/.test(id) && /^[0-9a-v]{12}$/.test(uid), `${id} ${uid}`);
  assertEquals(line, {
    v: 1,
    time: "2026-03-01T10:00:00.000Z",
    by: "human",
    op: "create",
    fields: {
      number: 1,
      title: "Crash",
      body: "On start",
      status: "Backlog",
      labels: ["type:bug", "p1"],
    },
  });
  assertEquals(storeIn(workspace).get(1), {
    number: 1,
    uid,
    title: "Crash",
    body: "On start",
    labels: ["type:bug", "p1"],
    status: "Backlog",
    state: "open",
    author: "human",
    created: "2026-03-01T10:00:00.000Z",
    updated: "2026-03-01T10:00:00.000Z",
    comments: [],
    assignee: null,
    claimed: null,
    leaseUntil: null,
    parent: null,
    due: null,
    milestone: null,
  });
});

Deno.test("IssueStore.create() goes on from the highest number", async () => {
  using workspace = new TempWorkspace();
  workspace.write(".agentx/issues/9.json", '{ "title": "Old" }');
  workspace.write(".agentx/issues/10.json", "not even JSON");
  workspace.write(".agentx/issues/99.json.bak", "{}");
  const { number } = await storeIn(workspace).create({ title: "New" });
  assertEquals(number, 11);
});

const WRONG: NewIssue[] = [
  { title: "" },
  { title: " " },
  { title: "two\nlines" },
  { title: "x".repeat(201) },
  { title: "\ud800" },
  { title: "x", body: "x".repeat(65_537) },
  { title: "x", status: "a\nb" },
  { title: "x", labels: ["a,b"] },
];
for (const issue of WRONG) {
  const given = JSON.stringify(issue).slice(0, 50);
  Deno.test(`IssueStore.create() refuses ${given} and writes nothing`, async () => {
    using workspace = new TempWorkspace();
    const before = workspace.snapshot();
    assertEquals(await codeOf(storeIn(workspace).create(issue)), "INVALID_INPUT");
    assertEquals(workspace.snapshot(), before);
  });
}

Deno.test("IssueStore.create() gives many at once numbers of their own, in one process", async () => {
  using workspace = new TempWorkspace();
  const stores = [storeIn(workspace), storeIn(workspace)];
  const made = await Promise.all(
    Array.from({ length: 40 }, (_, index) => stores[index % 2].create({ title: `T${index}` })),
  );
  const numbers = made.map(({ number }) => number).sort((a, b) => a - b);
  assertEquals(numbers, Array.from({ length: 40 }, (_, index) => index + 1));
});

Deno.test("IssueStore.get() reads a file of the original AgentX and completes it", () => {
  using workspace = new TempWorkspace();
  const old = { number: 7, title: "Old", state: "closed", comments: [{ body: "Hm" }], extra: 1 };
  workspace.write(".agentx/issues/7.json", JSON.stringify(old));
  const issue = storeIn(workspace).get(7);
  assertEquals([issue.status, issue.assignee, issue.labels], ["Done", null, []]);
  assertEquals(issue.comments[0].author, "unknown");
});

Deno.test("IssueStore.get() says that there is no such issue", () => {
  using workspace = new TempWorkspace();
  const error = assertThrows(() => storeIn(workspace).get(7), AgentxError);
  assertEquals([error.code, error.details], ["NOT_FOUND", { kind: "issue", id: "7" }]);
});

for (const number of [0, -1, 1.5, NaN, 1e9, "../../x" as unknown as number]) {
  Deno.test(`IssueStore.get() refuses ${number} as a number`, () => {
    using workspace = new TempWorkspace();
    const error = assertThrows(() => storeIn(workspace).get(number), AgentxError);
    assertEquals(error.code, "INVALID_INPUT");
  });
}

const CORRUPT = [
  "",
  '{ "title": "half',
  "[]",
  "null",
  "{}",
  '{ "title": 1 }',
  '{ "title": "x", "number": 4 }',
  '{ "title": "x", "number": null }',
  '{ "title": "x", "labels": "bug" }',
  '{ "title": "x", "labels": [1] }',
  '{ "title": "x", "state": "merged" }',
  '{ "title": "x", "status": null }',
  '{ "title": "x", "created": "yesterday" }',
  '{ "title": "x", "assignee": {} }',
  '{ "title": "x", "comments": [{}] }',
  '{ "title": "x", "comments": {} }',
];
for (const text of CORRUPT) {
  Deno.test(`IssueStore refuses ${JSON.stringify(text.slice(0, 60))} in a file and leaves it`, async () => {
    using workspace = new TempWorkspace();
    workspace.write(".agentx/issues/3.json", text);
    const store = storeIn(workspace);
    const error = assertThrows(() => store.get(3), AgentxError);
    assertEquals(error.code, "CORRUPT_STATE");
    assertEquals(await codeOf(store.update(3, { status: "Done" })), "CORRUPT_STATE");
    assertEquals(workspace.read(".agentx/issues/3.json"), text);
  });
}

Deno.test("IssueStore.scan() names what it leaves out, and gives the rest by number", () => {
  using workspace = new TempWorkspace();
  for (const number of [10, 9, 2]) {
    workspace.write(`.agentx/issues/${number}.json`, '{"title":"x"}');
  }
  workspace.write(".agentx/issues/3.json", "{");
  workspace.write(".agentx/issues/03.json", "{");
  workspace.write(".agentx/issues/README.md", "hello");
  const { issues, problems } = storeIn(workspace).scan();
  assertEquals(issues.map(({ number }) => number), [2, 9, 10]);
  assertEquals(problems.map(({ code }) => code), ["CORRUPT_STATE"]);
  assert(problems[0].message.includes("issues/3.json"));
});

Deno.test("IssueStore.scan() is empty where there is no folder", () => {
  using workspace = new TempWorkspace();
  assertEquals(storeIn(workspace).scan(), { issues: [], unnumbered: [], problems: [] });
});

Deno.test("IssueStore.findReadable() takes a corrupt file for none", () => {
  using workspace = new TempWorkspace();
  workspace.write(".agentx/issues/3.json", "{");
  assertEquals(storeIn(workspace).findReadable(3), undefined);
});

Deno.test("IssueStore.update() changes all that is given in one write", async () => {
  using workspace = new TempWorkspace();
  const { number } = await storeIn(workspace).create({ title: "Old", labels: ["p1", "ui"] });
  await storeIn(workspace, { nowMs: T0 + 60_000 }).update(number, {
    title: "New",
    body: "Body",
    addLabels: ["p0"],
    removeLabels: ["ui"],
    status: "in-review",
    comment: "Because",
  }, "engineer");
  const issue = storeIn(workspace).get(number);
  const { title, body, labels, status, updated, comments } = issue;
  assertEquals([title, body, labels, status], ["New", "Body", ["p0"], "In Review"]);
  assertEquals(updated, "2026-03-01T10:01:00.000Z");
  assertEquals(comments, [{ author: "engineer", body: "Because", created: updated }]);
});

Deno.test("IssueStore.update() of another user goes to a file of their own", async () => {
  using workspace = new TempWorkspace();
  const store = storeIn(workspace);
  await store.create({ title: "Crash" });
  using _ = replace("uid", (real) => () => real()! + 1);
  await store.update(1, { status: "Ready" });
  assertEquals(lineFiles(workspace).length, 2);
});

Deno.test("IssueStore.update() of an issue in an older file leaves that file as it is", async () => {
  using workspace = new TempWorkspace();
  const text = JSON.stringify({ title: "x", milestone: { id: 5 }, comments: [{ body: "b" }] });
  workspace.write(".agentx/issues/3.json", text);
  await storeIn(workspace).update(3, { status: "Ready", comment: "c" });
  assertEquals(workspace.read(".agentx/issues/3.json"), text);
  const { status, comments } = storeIn(workspace).get(3);
  assertEquals([status, comments.map(({ body }) => body)], ["Ready", ["b", "c"]]);
});

Deno.test("IssueStore.update() closes with the last column, and opens again out of it", async () => {
  using workspace = new TempWorkspace();
  const store = storeIn(workspace);
  const { number } = await store.create({ title: "x" });
  assertEquals((await store.update(number, { status: "done" })).state, "closed");
  const { state, status } = await store.update(number, { status: "Backlog" });
  assertEquals([state, status], ["open", "Backlog"]);
});

Deno.test("IssueStore.update() frees an issue that it closes", async () => {
  using workspace = new TempWorkspace();
  const store = storeIn(workspace);
  const { number } = await store.create({ title: "x" });
  await store.change(number, "engineer", (issue) => {
    issue.assignee = "engineer";
    issue.claimed = issue.leaseUntil = issue.created;
  });
  const { assignee, leaseUntil } = await store.update(number, { status: "Done" });
  assertEquals([assignee, leaseUntil], [null, null]);
});

Deno.test("IssueStore.update() writes nothing where nothing changes", async () => {
  using workspace = new TempWorkspace();
  const { number } = await storeIn(workspace).create({ title: "x" });
  const before = workspace.snapshot();
  const later = storeIn(workspace, { nowMs: T0 + 60_000 });
  await later.update(number, { title: "x", status: "Backlog" });
  assertEquals(workspace.snapshot(), before);
});

Deno.test("IssueStore.update() of an unknown issue makes nothing", async () => {
  using workspace = new TempWorkspace();
  const before = workspace.snapshot();
  assertEquals(await codeOf(storeIn(workspace).update(7, { status: "Done" })), "NOT_FOUND");
  assertEquals(workspace.snapshot(), before);
});

Deno.test("IssueStore.update() loses no comment of many at once", async () => {
  using workspace = new TempWorkspace();
  const stores = [storeIn(workspace), storeIn(workspace)];
  const { number } = await stores[0].create({ title: "x" });
  const bodies = Array.from({ length: 40 }, (_, index) => `comment ${index}`);
  await Promise.all(bodies.map((comment, index) => stores[index % 2].update(number, { comment })));
  const kept = stores[0].get(number).comments.map(({ body }) => body);
  assertEquals(kept.sort(), bodies.sort());
});

Deno.test("isOpen() takes an issue for closed that another program moved to the last column", () => {
  using workspace = new TempWorkspace();
  workspace.write(".agentx/issues/3.json", '{ "title": "x", "state": "open", "status": "Done" }');
  assertEquals(isOpen(storeIn(workspace).get(3)), false);
});

Deno.test("IssueStore.create() and update() do once what one call of a tool wants, however often it is made", async () => {
  using workspace = new TempWorkspace();
  const issues = storeIn(workspace);
  const create = (callId: string) => issues.create({ title: "Pools", callId }, "engineer@2");
  const [first, again, other] = [await create("s.1"), await create("s.1"), await create("s.2")];
  assertEquals([first.number, again.number, other.number], [1, 1, 2]);
  const comment = (callId: string) => issues.update(1, { comment: callId, callId }, "engineer@2");
  for (const callId of ["s.9", "s.9", "t.1", "s.10", "s.9"]) await comment(callId);
  assertEquals(issues.get(1).comments.map(({ body }) => body), ["s.9", "t.1", "s.10"]);
});

Deno.test("IssueStore keeps a claim on this machine, and who is assigned in the lines", async () => {
  using workspace = new TempWorkspace();
  const store = storeIn(workspace);
  await store.create({ title: "x" });
  const lease = {
    assignee: "engineer",
    claimed: store.get(1).created,
    leaseUntil: store.get(1).created,
  };
  await store.change(1, "engineer", (issue) => void Object.assign(issue, lease));
  const { assignee, leaseUntil } = storeIn(workspace).get(1);
  assertEquals([assignee, leaseUntil], ["engineer", lease.leaseUntil]);
  assert(!workspace.read(lineFiles(workspace)[0]).includes("leaseUntil"));
});

const BAD_LINES: Record<string, [bad: string, why: string]> = {
  "that is cut off": ['{"v":1,"id":"x"', "not JSON"],
  "of a newer version": [line({ v: 2 }), "newer agentx"],
  "of a conflict": ["<<<<<<< ours", "conflict marker"],
  "without an id": [line({ id: undefined }), "id"],
  "with no time": [line({ time: "yesterday" }), "time"],
  "of an unknown kind": [line({ op: "explode" }), "explode"],
  "that sets a list to a number": [
    line({ op: "add", field: "labels", values: 7 }),
    "change of a list",
  ],
};

function line(more: Record<string, unknown>): string {
  const known = { v: 1, id: "bad.0", uid: "u", time: "2026-03-01T10:00:00.000Z", by: "x" };
  return JSON.stringify({ ...known, op: "comment", body: "b", ...more });
}

for (const [name, [bad, why]] of Object.entries(BAD_LINES)) {
  Deno.test(`IssueStore names a line ${name}, and reads the rest`, async () => {
    using workspace = new TempWorkspace();
    await storeIn(workspace).create({ title: "Kept" });
    const [path] = lineFiles(workspace);
    const good = workspace.read(path);
    workspace.write(path, `${bad}\r\n${good.trimEnd()}`);
    const { issues, problems } = storeIn(workspace).scan();
    assertEquals(issues.map(({ title }) => title), ["Kept"]);
    assertEquals(problems.length, 1);
    assert(problems[0].message.includes(why), problems[0].message);
    await storeIn(workspace).update(1, { comment: "more" });
    assert(workspace.read(path).startsWith(`${bad}\r\n${good.trimEnd()}\n{`), workspace.read(path));
    assertEquals(storeIn(workspace).get(1).comments.length, 1);
  });
}

Deno.test("IssueStore writes nothing of a change that is too long to be read again", async () => {
  using workspace = new TempWorkspace();
  const store = storeIn(workspace);
  await store.create({ title: "Crash" });
  const files = lineFiles(workspace).map((path) => workspace.read(path));
  const labels = Array.from({ length: 13_000 }, (_, at) => `${at} ${"x".repeat(80)}`);
  const change = store.change(1, "human", (issue) => void issue.labels.push(...labels));
  assertEquals(await codeOf(change), "INVALID_INPUT");
  assertEquals(lineFiles(workspace).map((path) => workspace.read(path)), files);
  assertEquals(storeIn(workspace).get(1).labels, []);
});
