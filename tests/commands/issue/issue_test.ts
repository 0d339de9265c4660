import { assert, assertEquals } from "@std/assert";
import { ASK, ended, TempWorkspace } from "../../temp_workspace.ts";
import { IS_FULL } from "../../often.ts";

const PROCESSES = IS_FULL ? 30 : 8;

async function withIssues(titles: readonly string[]): Promise<TempWorkspace> {
  const workspace = new TempWorkspace();
  for (const title of titles) await workspace.run(["issue", "create", "-t", title]);
  return workspace;
}

Deno.test("issue create prints the number that it took, its way, and what that costs", async () => {
  using workspace = new TempWorkspace();
  const { code, out, err } = await workspace.run(["issue", "create", "Crash on start"]);
  assertEquals([code, out], [0, "  Created #1 (Backlog): Crash on start\n"]);
  assertEquals(
    err,
    "note: #1 takes the workflow bug: fix, review: 2 runs, about 40k tokens; " +
      "to change that: agentx issue edit 1 -l type:feature\n",
  );
  const feature = await workspace.run(["issue", "create", "Pay by card", "-l", "type:feature"]);
  assertEquals(
    feature.err,
    "note: #2 takes the workflow feature: prd, architecture, implement, review; where it is needed, " +
      "ux, devops: 4 runs, about 80k tokens\n",
  );
});

Deno.test("issue view shows the steps of an issue and its open questions, each on a line", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "Pay by card", "-l", "type:bug"]);
  await workspace.run(["issue", "create", "Anything"]);
  await workspace.run(["ready", "--claim", "engineer", "--issue", "1"]);
  const asked = ["ask", "architect", "--issue", "1", "--from", "engineer", "--non-blocking"];
  for (const topic of ["Which database?", "Which port?"]) await workspace.run([...asked, topic]);
  await workspace.run(["clarify", "resolve", "CLR-1-001", "PostgreSQL"]);
  const { out } = await workspace.run(["issue", "view", "1"]);
  const rows = out.split("\n").map((line) => line.trim().split(/ {2,}/).join("|"));
  for (
    const row of [
      "fix|running|engineer",
      "review|waiting|reviewer",
      "More: agentx workflow 1",
      "CLR-1-002|pending|engineer -> architect|Which port?",
      "More: agentx clarify 1",
    ]
  ) assert(rows.includes(row), `${row}: ${out}`);
  assert(!out.includes("CLR-1-001"), out);
  const { steps, threads } = await workspace.json(["issue", "view", "1"]);
  const review = { step: "review", state: "waiting", agent: "reviewer", by: null, stopped: null };
  assertEquals(steps[1], review);
  assertEquals(threads.map(({ id, status }: Record<string, string>) => [id, status]), [
    ["CLR-1-002", "pending"],
  ]);
  const untyped = await workspace.json(["issue", "view", "2"]);
  assertEquals([untyped.steps, untyped.threads], [[], []]);
});

Deno.test("issue view shows an issue with unreadable questions and an unreadable workflow", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "Pay by card", "-l", "type:bug"]);
  workspace.write(workspace.ledgerPath(1), "{");
  workspace.write(".agentx/workflows/bug.toml", "[");
  const { code, out, err } = await workspace.run(["issue", "view", "1"]);
  assertEquals([code, out.includes("#1 Pay by card")], [0, true], err);
  assert(err.includes("issue-1.json"), err);
});

Deno.test("issue create takes labels with commas, and the flag again", async () => {
  using workspace = new TempWorkspace();
  const argv = ["issue", "create", "-t", "x", "-l", "type:bug, p1", "--label", "ui", "-l=db"];
  const { issue } = await workspace.json(argv);
  assertEquals(issue.labels, ["type:bug", "p1", "ui", "db"]);
});

Deno.test("issue create reads the body from standard input", async () => {
  using workspace = new TempWorkspace();
  const argv = ["issue", "create", "--title", "x", "--body", "-", "--status", "in-progress"];
  const { kind, issue } = await workspace.json(argv, { stdin: "A\n\nB\n" });
  assertEquals([kind, issue.body, issue.status], ["issue", "A\n\nB", "In Progress"]);
});

Deno.test("issue create refuses a type that no workflow is for", async () => {
  using workspace = new TempWorkspace();
  const { code, err } = await workspace.run(["issue", "create", "-t", "x", "-l", "type:bgu"]);
  assertEquals(code, 2);
  assert(err.includes("there is no workflow for type:bgu") && err.includes("bug, devops"));
});

Deno.test("issue create takes the type of a workflow of one's own", async () => {
  using workspace = new TempWorkspace();
  workspace.write(".agentx/workflows/chore.toml", '[[steps]]\nid = "do"\nagent = "engineer"\n');
  const { code } = await workspace.run(["issue", "create", "-t", "x", "-l", "type:chore"]);
  assertEquals(code, 0);
});

for (
  const argv of [
    ["issue", "create"],
    ["issue", "create", "-t", " "],
    ["issue", "create", "-t", "x", "-s", "Doing"],
    ["issue", "create", "-t", "x", "-l", "p1,p2"],
    ["issue", "create", "-t", "x", "-l", ","],
    ["issue", "get"],
    ["issue", "get", "0"],
    ["issue", "get", "1", "-i", "1"],
    ["issue", "update", "1"],
    ["issue", "comment", "1"],
    ["issue", "comment", "1", "-c", "x", "--as", "Engineer"],
  ]
) {
  Deno.test(`agentx ${argv.join(" ")} is misuse and changes nothing`, async () => {
    using workspace = await withIssues(["x"]);
    const before = workspace.snapshot();
    const { code, out } = await workspace.run(argv);
    assertEquals([code, out], [2, ""]);
    assertEquals(workspace.snapshot(), before);
  });
}

Deno.test("issue create says at once that a dependency does not exist", async () => {
  using workspace = new TempWorkspace();
  const { code, err } = await workspace.run(["issue", "create", "-t", "x", "-l", "blocked_by:#9"]);
  assertEquals(code, 0);
  assert(err.includes("#1 names #9, and there is no such issue here"));
});

Deno.test("issue update says at once that issues wait for each other", async () => {
  using workspace = await withIssues(["a", "b"]);
  await workspace.run(["issue", "update", "1", "-l", "blocked_by:#2"]);
  const { code, err } = await workspace.run([
    "issue",
    "update",
    "2",
    "-b",
    "## Dependencies\nBlocked by #1",
  ]);
  assertEquals(code, 0);
  assert(err.includes("these wait for each other: #1 -> #2 -> #1"));
});

Deno.test("issue list and ready give 20 rows, say how many more, and give more by --limit", async () => {
  using workspace = new TempWorkspace();
  for (let number = 1; number <= 23; number++) {
    await workspace.run(["issue", "create", "-t", `Issue ${number}`]);
  }
  for (const words of [["issue", "list"], ["ready"]]) {
    const { issues, more } = await workspace.json(words);
    assertEquals([issues.length, more], [20, 3]);
    const all = await workspace.json([...words, "--limit", "23"]);
    assertEquals([all.issues.length, all.more], [23, 0]);
    assert((await workspace.run(words)).out.includes("\n  3 more: list them with --limit N\n"));
  }
});

Deno.test("issue list prints an empty list as a list", async () => {
  using workspace = new TempWorkspace();
  assertEquals(await workspace.json(["issue", "list"]), {
    schemaVersion: 1,
    kind: "issue.list",
    issues: [],
    more: 0,
  });
});

Deno.test("issue list shows the open issues, and with --all the closed ones too", async () => {
  using workspace = await withIssues(["a", "b"]);
  await workspace.run(["issue", "close", "1"]);
  const numbers = async (...argv: string[]) =>
    (await workspace.json(["issue", "list", ...argv])).issues.map((row: { number: number }) =>
      row.number
    );
  assertEquals(await numbers(), [2]);
  assertEquals(await numbers("--all"), [1, 2]);
  assertEquals(await numbers("-s", "done"), [1]);
  await workspace.run(["issue", "close", "2"]);
  const { err } = await workspace.run(["issue", "list"]);
  assertEquals(err, "note: closed issues that match: 2; show them with --all\n");
  assertEquals((await workspace.run(["issue", "list", "-l", "ui"])).err, "");
});

Deno.test("issue list narrows down by all labels that are given", async () => {
  using workspace = new TempWorkspace();
  for (const labels of ["p1,ui", "p1", "ui"]) {
    await workspace.run(["issue", "create", "-t", labels, "-l", labels]);
  }
  const { issues } = await workspace.json(["issue", "list", "-l", "p1", "-l", "ui"]);
  assertEquals(issues.map(({ title }: { title: string }) => title), ["p1,ui"]);
});

Deno.test("issue list leaves out what can be long", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "x", "-b", "long"]);
  const { issues } = await workspace.json(["issue", "list"]);
  assertEquals(["body" in issues[0], "comments" in issues[0]], [false, false]);
});

Deno.test("issue list names a corrupt file, lists the rest and exits 8", async () => {
  using workspace = await withIssues(["a", "b"]);
  workspace.write(".agentx/issues/7.json", '{ "title": "ha');
  const { code, out, err } = await workspace.run(["issue", "list"]);
  assertEquals(code, 8);
  assert(out.includes("#2") && !out.includes("#7"));
  assert(err.includes("issues/7.json"));
});

Deno.test("issue list fits into the terminal, whatever the titles hold", async () => {
  using workspace = await withIssues(["x".repeat(200), "\u4f60".repeat(90), "\x1b[2J\x9bboo"]);
  const atTerminal = { terminal: true, columns: 80, env: { NO_COLOR: "1" } };
  const { out } = await workspace.run(["issue", "list"], atTerminal);
  // deno-lint-ignore no-control-regex -- that is what must not be there
  assert(!/[\x00-\x09\x0b-\x1f\x7f-\x9f]/.test(out));
  assertEquals(out.split("\n").filter((line) => line.length > 80), []);
});

Deno.test("issue list cuts no title in a pipe", async () => {
  const title = "x".repeat(200);
  using workspace = await withIssues(["a", title]);
  const { out } = await workspace.run(["issue", "list"]);
  assert(out.endsWith(`  ${title}\n`), out);
});

Deno.test("issue get shows body and comments indented, without their escapes", async () => {
  using workspace = new TempWorkspace();
  await workspace.run([
    "issue",
    "create",
    "-t",
    "Crash",
    "-l",
    "type:bug",
    "-b",
    "one\n\x1b[2Jtwo",
  ]);
  await workspace.run(["issue", "comment", "-i", "1", "--as", "engineer", "-c", "three\nfour"]);
  const { code, out } = await workspace.run(["issue", "get", "1"]);
  assertEquals(code, 0);
  assert(out.includes("\n    one\n    \\u{1b}[2Jtwo\n"));
  assert(out.includes("  engineer  (") && out.includes("\n    three\n    four\n"));
});

Deno.test("issue get of an unknown issue is not found", async () => {
  using workspace = new TempWorkspace();
  const { code, out, err } = await workspace.run(["issue", "get", "7", "--json"]);
  assertEquals([code, out, JSON.parse(err).error.details], [4, "", { kind: "issue", id: "7" }]);
});

for (
  const action of [["update", "7", "-s", "Ready"], ["close", "7"], ["comment", "7", "-c", "x"]]
) {
  Deno.test(`issue ${action[0]} of an unknown issue is not found and makes nothing`, async () => {
    using workspace = new TempWorkspace();
    const before = workspace.snapshot();
    assertEquals((await workspace.run(["issue", ...action])).code, 4);
    assertEquals(workspace.snapshot(), before);
  });
}

Deno.test("issue update replaces the priority and takes labels away", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "x", "-l", "p2,ui,needs:changes"]);
  const argv = [
    "issue",
    "update",
    "-i",
    "1",
    "-l",
    "priority:p0",
    "--remove-label",
    "needs:changes",
  ];
  assertEquals((await workspace.json(argv)).issue.labels, ["ui", "priority:p0"]);
});

Deno.test("issue close takes a last comment in the same write", async () => {
  using workspace = await withIssues(["x"]);
  const { issue } = await workspace.json(["issue", "close", "1", "-c", "Fixed"], {
    env: { AGENTX_AGENT: "engineer" },
  });
  assertEquals([issue.state, issue.status, issue.comments[0].author], [
    "closed",
    "Done",
    "engineer",
  ]);
});

Deno.test("issue create and edit understand a type alone, with a note, unless an issue has that label", async () => {
  using workspace = await withIssues([]);
  const create = async (...labels: string[]) => {
    const flags = labels.flatMap((label) => ["-l", label]);
    const { err } = await workspace.run(["issue", "create", "-t", "x", ...flags]);
    return { err: err.replace(/^note: #\d+ takes .*\n/m, "") };
  };
  const { err } = await create("bug,p1");
  assertEquals([err, workspace.issue(1).labels], [
    "note: bug is understood as type:bug\n",
    ["type:bug", "p1"],
  ]);
  await workspace.run(["issue", "edit", "1", "-l", "story"]);
  assertEquals(workspace.issue(1).labels, ["p1", "type:story"]);
  workspace.write(
    ".agentx/issues/9.json",
    JSON.stringify({ number: 9, title: "Old", labels: ["bug"], comments: [] }),
  );
  assertEquals((await create("bug")).err, "");
  assertEquals(workspace.issue(10).labels, ["bug"]);
});

Deno.test("issue create --blocked-by, edit --blocked-by and deps --on and --off say what waits", async () => {
  using workspace = await withIssues(["One", "Two"]);
  await workspace.run(["issue", "create", "-t", "Three", "--blocked-by", "1,#2"]);
  assertEquals(workspace.issue(3).labels, ["blocked_by:#1", "blocked_by:#2"]);
  await workspace.run(["issue", "edit", "2", "--blocked-by", "1"]);
  assertEquals(workspace.issue(2).labels, ["blocked_by:#1"]);
  const { out } = await workspace.run(["issue", "deps", "3", "--off", "1"]);
  assert(out.includes("#2 Two"), out);
  assertEquals(workspace.issue(3).labels, ["blocked_by:#2"]);
  assertEquals((await workspace.run(["issue", "deps", "3", "--off", "1"])).code, 4);
  const circle = await workspace.run(["issue", "deps", "2", "--on", "3"]);
  assert(circle.err.includes("these wait for each other"), circle.err);
  assertEquals((await workspace.run(["issue", "create", "-t", "x", "--blocked-by", "x"])).code, 2);
});

Deno.test("issue list --closed lists closed issues alone, and so does list", async () => {
  using workspace = await withIssues(["One", "Two"]);
  await workspace.run(["issue", "close", "2"]);
  for (const words of [["issue", "list"], ["list"]]) {
    const { issues } = await workspace.json([...words, "--closed"]);
    assertEquals(issues.map(({ number }: { number: number }) => number), [2]);
  }
  assertEquals((await workspace.run(["issue", "list", "--closed", "--all"])).code, 2);
});

Deno.test("issue create takes the lowest number above all issues that nobody asked about", async () => {
  using workspace = await withIssues(["One"]);
  const ask = (number: string, question: string) =>
    workspace.run(ASK.with(3, number).with(-1, question));
  const first = await ask("90001", "Which?");
  assert(first.err.includes("there is no issue #90001 here"), first.err);
  assert(!(await ask("90001", "And then?")).err.includes("no issue"), "it is said once a session");
  await ask("2", "Where?");
  const numbers = async (...words: string[]) => {
    await workspace.run(["issue", ...words], { stdin: "Five\nSix\n" });
    return (await workspace.json(["issue", "list"])).issues
      .map(({ number }: { number: number }) => number).sort();
  };
  assertEquals(await numbers("create", "-t", "Two"), [1, 3]);
  await ask("5", "How?");
  assertEquals(await numbers("split", "3"), [1, 3, 4, 6]);
  const { clarifications } = await workspace.json(["clarify", "--issue", "2"]);
  assertEquals(clarifications.length, 1);
});

Deno.test("issue create by many processes at once gives each a number of its own", async () => {
  using workspace = new TempWorkspace();
  const titles = Array.from({ length: PROCESSES }, (_, index) => `title ${index}`);
  const runs = await Promise.all(
    titles.map((title) => ended(workspace.spawn(["issue", "create", "-t", title, "--json"]))),
  );
  assertEquals(runs.map(({ code, err }) => [code, err]), runs.map(() => [0, ""]));
  const printed = runs.map(({ out }) => JSON.parse(out).issue.number as number);
  assertEquals(printed.sort((a, b) => a - b), titles.map((_, index) => index + 1));
  const { issues } = await workspace.json(["issue", "list"]);
  assertEquals(issues.map(({ title }: { title: string }) => title).sort(), titles.sort());
});
