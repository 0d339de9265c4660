/** `agentx issue import` and `export`: every field of each form is taken, or counted as one without a place. */

import { assert, assertEquals } from "@std/assert";
import type { Issue } from "../../../lib/work/issue/issue.ts";
import { TOKEN } from "../../secrets.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

const EXPORTS = new URL("../../work/issue/imports/", import.meta.url).pathname;

function assertHas(text: string, part: string): void {
  assert(text.includes(part), text);
}

/** What an import makes of an issue, without what is different each time. */
function told(issue: Issue): Partial<Issue> {
  const { uid: _, parent: _p, linkedUids: _l, state: _s, ...rest } = issue;
  return rest;
}

const UNCLAIMED = { claimed: null, leaseUntil: null };

Deno.test("issue import takes every field of beads that has a place, and counts the others", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "Here before"]);
  const { code, out, err } = await workspace.run([
    "issue",
    "import",
    `${EXPORTS}beads.jsonl`,
    "--json",
  ]);
  const { format, imported, skipped, unlinked, fields, problems } = JSON.parse(out);
  assertEquals([code, format, skipped], [2, "beads", { "deleted there": 1 }]);
  assertEquals(unlinked, [{ at: "beads.jsonl:2", link: "dependency shop-99" }]);
  assertHas(err, "beads.jsonl:2: its dependency shop-99 is not here");
  assertEquals(imported.map(({ number }: { number: number }) => number), [2, 3, 4]);
  assertEquals(problems.map(({ at }: { at: string }) => at), ["beads.jsonl:5", "beads.jsonl:6"]);
  assertHas(err, "beads.jsonl:5 was not imported: it is not a JSON object");
  assertEquals(fields.left, {
    dependency_count: 1,
    owner: 1,
    estimated_minutes: 1,
    "dependencies discovered-from": 1,
    "priority 4": 1,
  });
  assertEquals(fields.byRecord[1], {
    at: "beads.jsonl:2",
    left: ["owner", "estimated_minutes", "dependencies discovered-from"],
  });
  assertEquals(fields.taken, {
    id: 4,
    status: 4,
    closed_at: 1,
    close_reason: 1,
    priority: 2,
    issue_type: 3,
    title: 3,
    description: 2,
    design: 1,
    acceptance_criteria: 1,
    notes: 1,
    dependencies: 1,
    comments: 1,
    labels: 1,
    assignee: 2,
    due_at: 1,
    created_by: 2,
    created_at: 3,
    updated_at: 3,
  });
  assertEquals(workspace.issue(3).parent, workspace.issue(2).uid);
  assertEquals(told(workspace.issue(3)), {
    number: 3,
    title: "Pay by card",
    body: [
      "Cards first.\n\n## Dependencies\n- Blocked by 7\n\n## Design\n\nOne form.",
      "## Acceptance criteria\n\n- [ ] It pays\n- [x] It refunds\n- [ ] It is fast",
      "## Notes\n\nAsk the bank.",
    ].join("\n\n"),
    labels: ["type:feature", "priority:p0", "payments", "plugin-run", "a;b", "blocked_by:#4"],
    status: "In Progress",
    created: "2026-02-04T17:00:00.000Z",
    updated: "2026-02-06T09:00:00.000Z",
    comments: [{ author: "Ada", body: "Started.", created: "2026-02-05T01:32:02.000Z" }],
    assignee: "shop/crew/ada",
    ...UNCLAIMED,
    due: "2026-12-24",
    milestone: null,
    source: "beads:shop-1.1",
    author: "Mia Berg",
  });
  const { changes } = await workspace.json(["issue", "history", "4"]);
  assertEquals(changes.map(({ time, by }: Record<string, string>) => `${time} ${by}`), [
    "2026-02-03T00:00:00.000Z unknown",
    "2026-02-03T00:00:00.000Z unknown",
    "2026-02-01T00:00:00.000Z unknown",
  ]);
  assertEquals(workspace.issue(4).comments[0].body, "The bank agreed");
});

Deno.test("issue import takes every field of gh that has a place, and keeps numbers that are free", async () => {
  using workspace = new TempWorkspace();
  const { format, fields, unlinked } = await workspace.json([
    "issue",
    "import",
    `${EXPORTS}gh.json`,
  ]);
  assertEquals([format, unlinked], ["GitHub (gh)", []]);
  assertEquals(fields.left, { id: 1, "assignees beyond the first": 1 });
  assertEquals(told(workspace.issue(41)), {
    number: 41,
    title: "Search is slow",
    body: "It is slow.\n\n## Dependencies\n- Blocked by #40, 7\n",
    labels: ["type:bug", "p1"],
    status: "Done",
    created: "2026-03-01T10:00:00.000Z",
    updated: "2026-03-02T10:00:00.000Z",
    comments: [{ author: "ada", body: "Found it.", created: "2026-03-02T09:00:00.000Z" }],
    assignee: "ada",
    ...UNCLAIMED,
    due: "2026-12-24",
    milestone: "1.0",
    source: "github:shop/web#41",
    author: "mia",
  });
  assertEquals(workspace.issue(40).labels, ["blocked_by:#41"]);
});

Deno.test("issue import takes every field of a Backlog.md folder that has a place", async () => {
  using workspace = new TempWorkspace();
  const { code, out } = await workspace.run(["issue", "import", `${EXPORTS}backlog`, "--json"]);
  const { format, imported, skipped, unlinked, fields, problems } = JSON.parse(out);
  assertEquals([code, format, imported.length], [2, "Backlog.md", 4]);
  assertEquals([skipped, unlinked.length], [{ archived: 1 }, 1]);
  assertEquals(problems, [{ at: "tasks/task-8 - Notes.md", why: "it has no front matter" }]);
  assertEquals(fields.left, {
    ordinal: 1,
  });
  const [parent, task, draft, done] = [1, 2, 3, 4].map((number) => workspace.issue(number));
  assertEquals([parent.title, draft.status, done.status], [
    `Looks, and mia's "feel"`,
    "Draft",
    "Done",
  ]);
  assertEquals(task.parent, parent.uid);
  assertEquals(told(task), {
    number: 2,
    title: "Dark mode: for those who work at night",
    body: [
      "## Description\n\nDark everywhere.",
      "## Acceptance Criteria\n- [x] The board is dark\n- [ ] The page is dark",
      "## Final Summary\n\nHalf of it.",
    ].join("\n\n"),
    labels: ["type:feature", "priority:p1", "ui", "night; late", "blocked_by:#4"],
    status: "In Progress",
    created: "2026-04-01T07:26:00.000Z",
    updated: "2026-04-02T08:00:00.000Z",
    comments: [
      {
        author: "ada",
        body: "The board is done.\n\n---\n\nSo is half of the page.",
        created: "2026-04-02T07:00:00.000Z",
      },
      { author: "mia", body: "Good.", created: "2026-04-02T07:30:00.000Z" },
    ],
    assignee: "ada",
    ...UNCLAIMED,
    due: null,
    milestone: "Spring",
    source: "backlog:7",
    author: "mia",
  });
});

for (const name of ["beads.jsonl", "gh.json", "backlog"]) {
  Deno.test(`issue import of ${name} for the second time adds nothing, and names what differs`, async () => {
    using workspace = new TempWorkspace();
    const { imported } = await workspace.json(["issue", "import", EXPORTS + name]);
    const [{ number }] = imported;
    const before = workspace.snapshot();
    const again = await workspace.json(["issue", "import", EXPORTS + name]);
    assertEquals([again.imported, again.known.length], [[], imported.length]);
    assertEquals(again.known.flatMap(({ differs }: { differs: string[] }) => differs), []);
    const issues = (files: Record<string, string>) =>
      Object.entries(files).filter(([path]) => path.startsWith("/.agentx/issues"));
    assertEquals(issues(workspace.snapshot()), issues(before));
    await workspace.run(["issue", "edit", `${number}`, "-t", "Renamed here"]);
    const { out } = await workspace.run(["issue", "import", EXPORTS + name]);
    assertHas(out, `Differ: #${number} (title)`);
    assertEquals(workspace.issue(number).title, "Renamed here");
  });
}

Deno.test("issue import --dry-run writes nothing", async () => {
  using workspace = new TempWorkspace();
  const before = workspace.snapshot();
  const { out } = await workspace.run(["issue", "import", `${EXPORTS}gh.json`, "--dry-run"]);
  assertHas(out, "Would import: 2 of 2, as #40 to #41");
  assertEquals(workspace.snapshot(), before);
});

Deno.test("issue import of an export gives the same issues with their comments", async () => {
  using one = new TempWorkspace();
  for (const name of ["beads.jsonl", "gh.json", "backlog"]) {
    await one.run(["issue", "import", EXPORTS + name]);
  }
  await one.run(["issue", "comment", "1", "-c", "Mine"]);
  await one.run(["issue", "create", "-t", "Ours", "--parent", "1", "-l", "blocks:#2"]);
  await one.run(["issue", "delete", "4"]);
  const { out } = await one.run(["issue", "export"]);
  using other = new TempWorkspace();
  other.write("issues.jsonl", out);
  const { format, fields } = await other.json(["issue", "import", `${other.root}/issues.jsonl`]);
  assertEquals([format, fields.left], ["agentx", {}]);
  const plain = (text: string, uids: string[] = []) =>
    text.trim().split("\n").map((line) => {
      const { uid, source: _, parent, labels, ...rest } = JSON.parse(line);
      uids.push(uid);
      return { ...rest, labels: labels.sort(), parent: parent && uids.indexOf(parent) };
    });
  const before = plain(out).map((issue) => {
    const labels = issue.labels.filter((label: string) => label !== "blocks:#2");
    if (issue.number === 2) labels.push(`blocked_by:#${plain(out).at(-1)!.number}`);
    return { ...issue, labels: labels.sort() };
  });
  assertEquals(plain((await other.run(["issue", "export"])).out), before);
  const { known } = await one.json(["issue", "import", `${other.root}/issues.jsonl`]);
  assertEquals(known.length, before.length);
  const { issues } = await one.json(["issue", "export"]);
  assertEquals(issues.length, before.length);
});

Deno.test("issue import takes an issue of which a text is only a secret, and marks where it was", async () => {
  using temp = new TempWorkspace();
  const comment = { author: { login: "a" }, createdAt: "2026-02-01T00:00:00Z" };
  const issue = {
    number: 1,
    title: "Deploy fails",
    body: TOKEN,
    state: "OPEN",
    labels: [{ name: TOKEN }],
    createdAt: "2026-02-01T00:00:00Z",
    comments: [{ ...comment, body: TOKEN }, { ...comment, body: "It was rotated." }],
  };
  temp.write("gh.json", JSON.stringify([issue]));
  const { imported, problems } = await temp.json(["issue", "import", `${temp.root}/gh.json`]);
  assertEquals([imported.length, problems], [1, []]);
  const made = temp.issue(1);
  assertEquals(JSON.stringify(made).includes(TOKEN.slice(4)), false);
  const bodies = made.comments.map(({ body }: { body: string }) => body);
  assert(/^\[.*github-token.*\]$/i.test(bodies[0]), bodies[0]);
  assertEquals(bodies.slice(1), ["It was rotated."]);
  await temp.run(["issue", "edit", "1", "-s", "Ready"]);
  assertEquals(temp.issue(1).status, "Ready");
});

Deno.test("issue import cuts secrets, makes texts safe and lets no time be ahead", async () => {
  using workspace = new TempWorkspace();
  const secret = TOKEN;
  const issue = {
    number: 1,
    title: "\x1b[2Jred\nsecond",
    body: `token ${secret}`,
    createdAt: "9999-01-01T00:00:00Z",
    comments: [{
      author: { login: "\x1b]0;x\x07eve" },
      body: secret + " is it",
      createdAt: "9999-01-01T00:00:00Z",
    }],
    labels: [{ name: "x\ny" }, { name: "__proto__" }],
    __proto__x: 1,
    constructor: { a: 1 },
  };
  workspace.write("in.json", JSON.stringify([issue]));
  const { code, out, err } = await workspace.run(["issue", "import", `${workspace.root}/in.json`]);
  assertEquals(code, 0);
  assertHas(err, "Cut from the imported issues");
  assertHas(out, "constructor 1");
  const made = workspace.issue(1);
  assertEquals(JSON.stringify(made).includes(secret), false, JSON.stringify(made));
  assert(made.updated < "9999");
  assertEquals(made.labels, ["x y", "__proto__"]);
  const shown = await workspace.run(["issue", "view", "1"]);
  assert(!shown.out.includes("\x1b") && !out.includes("\x1b"));
});

for (
  const [what, text] of [
    ["a title that is too long", JSON.stringify([{ number: 1, title: "x".repeat(201) }])],
    [
      "a body that is too long",
      JSON.stringify([{ number: 1, title: "x", body: "y".repeat(65_537) }]),
    ],
    ["a lone surrogate", '[{"number":1,"title":"\\ud800"}]'],
    [
      "a day that is none",
      '[{"number":1,"title":"x","milestone":{"title":"m","dueOn":"2026-02-30"}}]',
    ],
  ]
) {
  Deno.test(`issue import names a record with ${what}, and takes the others`, async () => {
    using workspace = new TempWorkspace();
    const records = [...JSON.parse(text), { number: 2, title: "Good" }];
    workspace.write("in.json", JSON.stringify(records));
    const { code, out, err } = await workspace.run([
      "issue",
      "import",
      `${workspace.root}/in.json`,
    ]);
    assertEquals(code, 2);
    assertHas(err, "in.json, issue 1 was not imported: ");
    assertHas(out, "Imported: 1 of 2");
  });
}

for (const text of ["", "{}", "[]", "[1]", "null", "<html>", '{"a":1}\n{"b":2}']) {
  Deno.test(`issue import refuses ${JSON.stringify(text)}, which no known tool wrote`, async () => {
    using workspace = new TempWorkspace();
    workspace.write("in.json", text);
    const { code, err } = await workspace.run(["issue", "import", `${workspace.root}/in.json`]);
    assertEquals(code, 2);
    assertHas(err, "it is not an export of agentx, beads, Backlog.md, task-master or gh");
  });
}

Deno.test("issue import says which file or folder cannot be read", async () => {
  using workspace = new TempWorkspace();
  assertEquals((await workspace.run(["issue", "import", `${workspace.root}/none`])).code, 4);
  assertEquals((await workspace.run(["issue", "import", workspace.root])).code, 2);
});

Deno.test("issue import completes what an import that was ended has begun", async () => {
  using workspace = new TempWorkspace();
  const { imported } = await workspace.json(["issue", "import", `${EXPORTS}beads.jsonl`]);
  const files = workspace.takeIssues();
  const [[path, text]] = Object.entries(files);
  const lines = text.trimEnd().split("\n");
  const cut = lines.findIndex((line) => line.includes("-new.0") && line.includes("Pay by card"));
  workspace.bringIssues({ [path]: lines.slice(0, cut).join("\n") + "\n" });
  assertEquals((await workspace.json(["issue", "list", "--all"])).issues.length, 1);
  const again = await workspace.json(["issue", "import", `${EXPORTS}beads.jsonl`]);
  assertEquals([again.imported.length, again.known.length], [imported.length - 1, 1]);
  assertEquals(workspace.issue(2).comments.map(({ body }) => body), ["Started."]);
  const { out } = await workspace.run(["doctor"]);
  assert(!out.includes("beginning is not here"));
});

Deno.test("issue import brings no issue back that was deleted here", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "import", `${EXPORTS}gh.json`]);
  await workspace.run(["issue", "delete", "40"]);
  assertEquals((await workspace.json(["issue", "import", `${EXPORTS}gh.json`])).imported, []);
});

Deno.test("issue import takes 100 labels of an issue, and counts the others", async () => {
  using workspace = new TempWorkspace();
  const names = Array.from({ length: 13_000 }, (_, at) => `${at} ${"x".repeat(80)}`);
  const labels = names.map((name) => ({ name }));
  workspace.write("gh.json", JSON.stringify([{ number: 1, title: "Many", labels }]));
  const { fields } = await workspace.json(["issue", "import", `${workspace.root}/gh.json`]);
  assertEquals(fields.left, { "some labels": 12_900 });
  assertEquals(workspace.issue(1).labels, names.slice(0, 100));
});

Deno.test("issue import names a task of Backlog.md that is not YAML, and reads plain names", async () => {
  using workspace = new TempWorkspace();
  const many = (name: string, of: string) => `${name}: &${name} [${`*${of}, `.repeat(20)}]\n`;
  const tasks = {
    "1": "id: task-1\ntitle: Good\nassignee: @ada\n",
    "2": "id: task-2\n title: b\n",
    "3": `id: task-3\na: &a [x]\n${many("b", "a")}${many("c", "b")}${many("d", "c")}`,
    "4": "- task-4\n",
  };
  for (const [name, head] of Object.entries(tasks)) {
    workspace.write(`backlog/tasks/${name}.md`, `---\n${head}---\n\n## Description\n\nText\n`);
  }
  const { imported, problems } = await workspace.json(["issue", "import", workspace.root]);
  assertEquals(imported.length, 1);
  assertEquals(problems.map(({ at }: { at: string }) => at), [2, 3, 4].map((n) => `tasks/${n}.md`));
  assertEquals(workspace.issue(1).assignee, "ada");
});

/** Imports a file with these records, one a line. */
async function importLines(workspace: TempWorkspace, records: unknown[], ...words: string[]) {
  workspace.write("in.jsonl", records.map((record) => JSON.stringify(record)).join("\n"));
  const { code, out, err } = await workspace.run([
    "issue",
    "import",
    `${workspace.root}/in.jsonl`,
    "--json",
    ...words,
  ]);
  return { code, err, ...out === "" ? undefined : JSON.parse(out) };
}

const bead = (id: string, more: Record<string, unknown> = {}) => {
  const time = "2026-06-01T10:00:00Z";
  const base = { title: id, status: "open", issue_type: "task", created_at: time };
  return { id, ...base, updated_at: time, ...more };
};

Deno.test("issue import takes the newer of two lines of one id, in either order", async () => {
  for (const order of [1, -1]) {
    using workspace = new TempWorkspace();
    const lines = [
      bead("web-7"),
      bead("web-7", { title: "Done", status: "closed", updated_at: "2026-06-03T10:00:00Z" }),
    ];
    const { imported, twice } = await importLines(workspace, order > 0 ? lines : lines.reverse());
    assertEquals(imported.length, 1);
    const [at, place] = order > 0 ? [1, 2] : [2, 1];
    const why = `web-7 is also in in.jsonl:${place}, which was taken`;
    assertEquals(twice, [{ at: `in.jsonl:${at}`, why }]);
    assertEquals([workspace.issue(1).title, workspace.issue(1).status], ["Done", "Done"]);
  }
});

Deno.test("issue import makes two issues of one id with two titles, also the second time", async () => {
  using workspace = new TempWorkspace();
  const lines = [bead("web-7", { title: "One" }), bead("web-7", { title: "Other" }), bead("web-7")];
  const { imported, twice, err } = await importLines(workspace, lines.slice(0, 2));
  assertEquals([imported.length, twice.length], [2, 1]);
  assertHas(err, "web-7 is also in in.jsonl:1 with another title: both were taken");
  const again = await importLines(workspace, lines.slice(0, 2));
  assertEquals([again.imported, again.known.length], [[], 2]);
});

Deno.test("issue import links what an earlier import brought, once, and brings back no link that was removed", async () => {
  using workspace = new TempWorkspace();
  const waits = bead("a", {
    dependencies: [
      { depends_on_id: "b", type: "waits-for" },
      { depends_on_id: "c", type: "conditional-blocks" },
      { depends_on_id: "e", type: "parent-child" },
    ],
  });
  const first = await importLines(workspace, [waits]);
  assertEquals([first.code, first.unlinked.length], [2, 3]);
  await importLines(workspace, [bead("b"), bead("c"), bead("e")]);
  const { code, linked } = await importLines(workspace, [waits]);
  assertEquals([code, linked], [0, ["#1 waits for #2", "#1 waits for #3", "#1 is part of #4"]]);
  assertEquals(workspace.issue(1).parent, workspace.issue(4).uid);
  await workspace.run(["issue", "edit", "1", "--remove-label", "blocked_by:#2"]);
  assertEquals((await importLines(workspace, [waits])).linked, []);
  assertEquals(workspace.issue(1).labels.includes("blocked_by:#2"), false);
  const late = bead("f", { dependencies: [{ depends_on_id: "a", type: "blocks" }] });
  assertEquals((await importLines(workspace, [late])).unlinked, []);
  assertEquals(workspace.issue(5).labels, ["task", "blocked_by:#1"]);
});

Deno.test("issue import offers nothing that was put off, and closes what was given up", async () => {
  using workspace = new TempWorkspace();
  const future = "2999-05-01T00:00:00Z";
  await importLines(workspace, [
    bead("a", { status: "deferred" }),
    bead("b", { status: "deferred", defer_until: future }),
    bead("c", { defer_until: future }),
    bead("d", { status: "blocked" }),
    bead("e", { pinned: true }),
    bead("f", { status: "Won't fix" }),
    bead("g"),
    bead("h", { status: "Needs design" }),
  ]);
  const { issues } = await workspace.json(["ready"]);
  assertEquals(issues.map(({ title }: Issue) => title), ["g"]);
  assertEquals([1, 2, 5, 6, 8].map((number) => workspace.issue(number).status), [
    "Deferred",
    "Backlog",
    "Pinned",
    "Done",
    "Needs design",
  ]);
});

Deno.test("issue import writes nothing where most statuses are unknown, and takes --status", async () => {
  using workspace = new TempWorkspace();
  const lines = [bead("a", { status: "Triaged" }), bead("b", { status: "QA" }), bead("c")];
  const refused = await importLines(workspace, lines);
  assertEquals(refused.code, 2);
  assertHas(refused.err, "Triaged=ready");
  assertEquals((await workspace.json(["issue", "list"])).issues, []);
  const { code, statuses } = await importLines(workspace, lines, "--status", "triaged=ready");
  assertEquals(code, 0);
  assertEquals(statuses.map(({ column, isKnown }: Record<string, unknown>) => [column, isKnown]), [
    ["Ready", true],
    ["QA", false],
    ["Backlog", true],
  ]);
});

Deno.test("issue import keeps people as text, also of closed issues, and takes them for no lease", async () => {
  using workspace = new TempWorkspace();
  const assignee = "J\u00fcrgen M\u00fcller";
  await importLines(workspace, [
    bead("a", { assignee }),
    bead("b", { assignee, status: "closed" }),
  ]);
  assertHas((await workspace.run(["issue", "view", "1"])).out, assignee);
  assertHas((await workspace.run(["issue", "list", "--all"])).out, "J\u00fcrgen");
  const listed = await workspace.json(["issue", "list", "--all", "--assignee", assignee]);
  assertEquals(listed.issues.length, 2);
  assertEquals((await workspace.json(["ready"])).issues.length, 1);
});

Deno.test("issue import reads tags and subtasks of task-master", async () => {
  using workspace = new TempWorkspace();
  const task = (id: unknown, more = {}) => ({
    id,
    title: `Task ${id}`,
    status: "pending",
    ...more,
  });
  const parts = [task(1), task("2", { dependencies: [1], parentId: 2, status: "deferred" })];
  workspace.write(
    "tasks.json",
    JSON.stringify({
      master: { tasks: [task(1), task("2", { dependencies: ["1"], subtasks: parts })] },
      web: { tasks: [task(1, { priority: "high", details: "Small", testStrategy: "By hand" })] },
    }),
  );
  const { format, imported, unlinked } = await workspace.json([
    "issue",
    "import",
    `${workspace.root}/tasks.json`,
  ]);
  assertEquals([format, imported.length, unlinked], ["task-master", 5, []]);
  assertEquals(workspace.issue(2).labels, ["blocked_by:#1"]);
  assertEquals(workspace.issue(3).parent, workspace.issue(2).uid);
  assertEquals([workspace.issue(4).labels, workspace.issue(4).status], [
    ["blocked_by:#3"],
    "Deferred",
  ]);
  assertEquals(workspace.issue(5).labels, ["priority:p1", "web"]);
  assertEquals(workspace.issue(5).body, "## Details\n\nSmall\n\n## Test strategy\n\nBy hand");
});

Deno.test("issue import reads pages of gh api, and leaves pull requests out", async () => {
  using workspace = new TempWorkspace();
  const issue = (number: number, more = {}) => ({
    number,
    title: `Issue ${number}`,
    state: "open",
    user: { login: "mia" },
    created_at: "2026-03-01T10:00:00Z",
    html_url: `https://github.example/shop/web/issues/${number}`,
    ...more,
  });
  const pages = [
    [issue(1, { labels: [{ name: "type: documentation" }, { name: "Priority: High" }] })],
    [
      issue(2, { pull_request: { url: "x" } }),
      issue(3, {
        state: "closed",
        state_reason: "not_planned",
        closed_at: "2026-03-02T10:00:00Z",
        type: { name: "Bug" },
        parent: { number: 1 },
        blockedBy: { nodes: [{ number: 1 }, { number: 9, url: "https://x.example/a/b/issues/9" }] },
      }),
    ],
  ];
  for (const space of [undefined, 2]) {
    workspace.write("in.json", pages.map((page) => JSON.stringify(page, null, space)).join(""));
    const { skipped } = await workspace.json(["issue", "import", `${workspace.root}/in.json`]);
    assertEquals(skipped, { "pull requests": 1 });
  }
  const [first, last] = [1, 3].map((number) => workspace.issue(number));
  assertEquals([first.labels, first.author], [["documentation", "priority:p1"], "mia"]);
  assertEquals(last.labels, ["type:bug", "blocked_by:a/b#9", "blocked_by:#1"]);
  assertEquals([last.status, last.comments[0].body], ["Done", "Closed as not planned"]);
  assertEquals(last.parent, first.uid);
});

Deno.test("issue import gives memory the notes of beads, once, as nobody's decision", async () => {
  using workspace = new TempWorkspace();
  const lines = [
    bead("a"),
    { _type: "memory", key: "cert-path", value: "Certificates live in /etc/acme." },
    { _type: "memory", key: "odd" },
  ];
  const { code, remembered, problems } = await importLines(workspace, lines);
  assertEquals([code, remembered.length], [2, 1]);
  assertEquals(problems, [{ at: "in.jsonl:3", why: "it has no key and value to remember" }]);
  await importLines(workspace, lines);
  const { observations } = await workspace.json(["memory", "search", "certificates"]);
  assertEquals(observations.length, 1);
  const [{ agent, category, content }] = (await workspace.json(["memory", "export"])).observations;
  assertEquals([agent, category], ["import", "key-fact"]);
  assertEquals(content, "cert-path: Certificates live in /etc/acme. (imported from in.jsonl)");
});

Deno.test("issue import reads folders below tasks, ids of any width and comments without an author", async () => {
  using workspace = new TempWorkspace();
  const task = (id: string, more = "", body = "") =>
    `---\nid: ${id}\ntitle: Task ${id}\nstatus: To Do\n${more}---\n${body}`;
  const comments = "<!-- COMMENTS:BEGIN -->\ncreated: 2026-04-02 07:00\n---\nSeen.\n---\n" +
    "author: ada\ncreated: 2026-04-02 08:00\n---\nMended.\n---\n<!-- COMMENTS:END -->\n";
  workspace.write("backlog/tasks/a.md", task("task-007", "", comments));
  workspace.write("backlog/tasks/epics/perf/b.md", task("task-8", "dependencies: [task-7]\n"));
  const { unlinked } = await workspace.json(["issue", "import", workspace.root]);
  assertEquals(unlinked, []);
  assertEquals(workspace.issue(2).labels, ["blocked_by:#1"]);
  assertEquals(workspace.issue(1).comments.map(({ author, body }) => [author, body]), [
    ["unknown", "Seen."],
    ["ada", "Mended."],
  ]);
});

Deno.test("issue import keeps items that are begun or given up as criteria that are open", async () => {
  using workspace = new TempWorkspace();
  const description = "## Acceptance criteria\n\n- [x] One\n- [~] Two\n- [-] Three\n- [ ] Four";
  await importLines(workspace, [bead("a", { description })]);
  assertHas((await workspace.run(["issue", "view", "1"])).out, "1/4 done");
});

Deno.test("issue import reads front matter that people wrote without quotation marks", async () => {
  using workspace = new TempWorkspace();
  const titles = ["Console: skip a child", "'Drafts the user's next reply'", "It''s: 'so'"];
  for (const [at, title] of titles.entries()) {
    const head = `id: task-${
      at + 1
    }\ntitle: ${title}\nstatus: To Do\nlabels: [a, b]\nassignee:\n  - ada\n`;
    workspace.write(`backlog/tasks/${at}.md`, `---\n${head}---\n\n## Description\n\nText\n`);
  }
  const { problems } = await workspace.json(["issue", "import", workspace.root]);
  assertEquals(problems, []);
  assertEquals([1, 2, 3].map((number) => workspace.issue(number).title), [
    "Console: skip a child",
    "Drafts the user's next reply",
    "It''s: 'so'",
  ]);
  assertEquals(workspace.issue(2).labels, ["a", "b"]);
  assertEquals(workspace.issue(2).assignee, "ada");
});

Deno.test("issue import loses no list of task-master, and takes null for no dependency", async () => {
  using workspace = new TempWorkspace();
  const task = (id: number, title: string, more = {}) => ({
    id,
    title,
    status: "pending",
    ...more,
  });
  const file = {
    tasks: [task(1, "One"), task(2, "Two", { dependencies: [1, null], subtasks: null })],
    master: { tasks: [task(1, "One"), task(3, "Three", { dependencies: [null] })] },
    beta: { tasks: [task(1, "Other")], metadata: null },
  };
  workspace.write("tasks.json", JSON.stringify(file));
  const { unlinked } = await workspace.json(["issue", "import", `${workspace.root}/tasks.json`]);
  assertEquals(unlinked, []);
  assertEquals([1, 2, 3, 4].map((number) => workspace.issue(number).title), [
    "One",
    "Two",
    "Three",
    "Other",
  ]);
  assertEquals(workspace.issue(2).labels, ["blocked_by:#1"]);
});

Deno.test("issue import names parents beyond the first, and comments that are only counted", async () => {
  using workspace = new TempWorkspace();
  const isPartOf = (id: string) => ({ depends_on_id: id, type: "parent-child" });
  const { fields } = await importLines(workspace, [
    bead("a-1"),
    bead("a-2"),
    bead("a-3", { dependencies: [isPartOf("a-1"), isPartOf("a-2")] }),
  ]);
  assertEquals(fields.left, { "parents beyond the first": 1 });
  assertEquals(workspace.issue(3).parent, workspace.issue(1).uid);
  const issue = { number: 7, title: "From a ghost", state: "open", user: null, body: null };
  workspace.write("api.json", JSON.stringify([{ ...issue, assignees: null, comments: 2 }]));
  const printed = await workspace.json(["issue", "import", `${workspace.root}/api.json`]);
  assertEquals(printed.fields.left, { comments: 1 });
});
