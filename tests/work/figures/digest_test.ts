import { assert, assertEquals } from "@std/assert";
import type { ClarificationRecord } from "../../../lib/clarify/schema.ts";
import { sampleRecord } from "../../clarify/samples.ts";
import { sampleAssumption } from "../../gate/samples.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

/** The week of the samples' 26 February 2026. */
const WEEK = ["digest", "--week", "2026-W09"];

const FILE = ".agentx/digests/DIGEST-2026-W09.md";

function writeLedger(
  workspace: TempWorkspace,
  ...records: Partial<ClarificationRecord>[]
): void {
  const clarifications = records.map((changes, index) =>
    sampleRecord({ id: `CLR-42-00${index + 1}`, ...changes })
  );
  workspace.write(workspace.ledgerPath(42), JSON.stringify({ issueNumber: 42, clarifications }));
}

function writeIssue(workspace: TempWorkspace, number: number, changes: object): void {
  const issue = { number, title: `Issue ${number}`, state: "closed", labels: [], ...changes };
  workspace.write(`.agentx/issues/${number}.json`, JSON.stringify(issue));
}

function writeAssumption(workspace: TempWorkspace, changes: object): void {
  const file = { version: 1, assumptions_made: [{ ...sampleAssumption(), ...changes }] };
  workspace.write(".agentx/state/assumptions.json", JSON.stringify(file));
}

/** A workspace with something of everything in the week. */
function fullWorkspace(): TempWorkspace {
  const workspace = new TempWorkspace();
  const [question] = sampleRecord().thread;
  const answer = { ...question, type: "answer" as const, timestamp: "2026-02-26T10:05:00.000Z" };
  writeLedger(
    workspace,
    { status: "resolved", round: 2, thread: [question, answer] },
    { status: "escalated" },
    { created: "2026-03-02T00:00:00.000Z" },
  );
  writeIssue(workspace, 7, { title: "Health endpoint", updated: "2026-02-24T09:00:00.000Z" });
  writeAssumption(workspace, { risk_if_wrong: "medium - the login changes" });
  return workspace;
}

Deno.test("digest writes the week as markdown", async () => {
  using workspace = fullWorkspace();
  assertEquals((await workspace.run(WEEK)).code, 0);
  assertEquals(
    workspace.read(FILE),
    `# Digest 2026-W09

2026-02-23 to 2026-03-01 (UTC)

## Figures

| | | Target |
|---|---|---|
| Clarifications | 2 |  |
| Resolved without a human | 50% (1 of 2) | over 80% |
| Escalated | 50% (1 of 2) | under 20% |
| Waiting for an agent | 0 |  |
| Rounds | 2 | 2 to 3 |
| Time to answer, median | 5m |  |
| Time to answer, 90% within | 5m | under 15s |
| Stale | 0 | 0 |
| Stuck | 0 |  |
| Deadlocks | 0 | 0 |
| Tasks that asked a human | 0% (0 of 1) | under 5% |
| Rework cycles | 0 | under 1.5 |
| Issues closed | 1 |  |
| Observations stored | 0 |  |
| Failed captures | 0 | 0 |
| Observations recalled | 0 |  |
| Lock timeouts | 0 | 0 |

\`\`\`mermaid
pie showData
  "Resolved without a human" : 1
  "Escalated" : 1
\`\`\`

### Most common topics

- 2: \` database layer \`

### Ask most

- 2: \` engineer \`

### Most asked

- 2: \` architect \`

## Closed issues: 1

- 7: \` Health endpoint \`

## Assumptions taken: 1

- \` JWT for authentication \`, open, by \` engineer \`, issue 42, confidence \` high \`, ` +
      "risk if wrong: ` medium - the login changes `\n",
  );
});

Deno.test("digest prints the same as a table", async () => {
  using workspace = fullWorkspace();
  const { out } = await workspace.run(WEEK);
  assert(out.startsWith("  Digest 2026-W09, 2026-02-23 to 2026-03-01 (UTC)\n\n  FIGURE "));
  assert(/\n {2}Clarifications +2\n/.test(out), out);
  assert(
    out.includes(
      "\n  ISSUE  CLOSED      TOOK  TITLE\n  #7     2026-02-24  -     Health endpoint\n",
    ),
    out,
  );
  assert(out.includes("\n  engineer  #42    high        open    JWT for authentication\n"), out);
  assert(out.endsWith(`\n  Written to ${workspace.root}/${FILE}\n`), out);
});

Deno.test("digest --json has the data and the path", async () => {
  using workspace = fullWorkspace();
  const { kind, digest, path } = await workspace.json(WEEK);
  assertEquals([kind, path], ["digest", `${workspace.root}/${FILE}`]);
  assertEquals([digest.year, digest.week, digest.figures[0].value], [2026, 9, 2]);
  assertEquals(digest.closedIssues[0].number, 7);
  assertEquals(digest.assumptions[0].risk_if_wrong, "medium - the login changes");
});

Deno.test("digest is of the current week where none is named", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["clarify", "ask", "-i", "1", "--from", "engineer", "--to", "architect"]
    .concat("--topic", "DB", "Which?"));
  const { digest } = await workspace.json(["digest"]);
  assertEquals(digest.figures[0].value, 1);
});

Deno.test("digest of a week without anything says so", async () => {
  using workspace = new TempWorkspace();
  const { code, out } = await workspace.run(WEEK);
  assertEquals(code, 0);
  assert(out.includes("No issues were closed.") && out.includes("No assumptions were made."));
  assert(!workspace.read(FILE).includes("mermaid"));
});

Deno.test("digest takes only issues that were closed in the week", async () => {
  using workspace = new TempWorkspace();
  writeIssue(workspace, 1, { updated: "2026-02-22T23:59:59.999Z" });
  writeIssue(workspace, 2, { updated: "2026-02-23T00:00:00.000Z" });
  writeIssue(workspace, 3, { updated: "2026-03-01T23:59:59.999Z" });
  writeIssue(workspace, 4, { updated: "2026-03-02T00:00:00.000Z" });
  writeIssue(workspace, 5, { updated: "2026-02-25T00:00:00.000Z", state: "open" });
  writeIssue(workspace, 6, {});
  const { digest } = await workspace.json(WEEK);
  const numbers = digest.closedIssues.map(({ number }: { number: number }) => number);
  assertEquals(numbers, [2, 3]);
});

Deno.test("digest names what it cannot read, and does the rest", async () => {
  using workspace = fullWorkspace();
  for (const path of [workspace.ledgerPath(43), ".agentx/issues/8.json"]) {
    workspace.write(path, "{ broken");
  }
  workspace.write(".agentx/state/assumptions.json", "{ broken");
  const { code, out, err } = await workspace.run(WEEK);
  assertEquals(code, 8);
  for (const name of ["issue-43.json", "issues/8.json", "assumptions.json"]) {
    assert(err.includes(name), err);
  }
  assert(out.includes("#7 ") && workspace.read(FILE).includes("Health endpoint"));
});

Deno.test("digest takes the place of an earlier one of the same week", async () => {
  using workspace = fullWorkspace();
  workspace.write(FILE, "an earlier one");
  await workspace.run(WEEK);
  assert(workspace.read(FILE).startsWith("# Digest 2026-W09\n"));
  const names = Array.from(
    Deno.readDirSync(`${workspace.root}/.agentx/digests`),
    ({ name }) => name,
  );
  assertEquals(names.sort(), [".gitignore", FILE.split("/").at(-1)]);
});

Deno.test("digest lets nothing that agents wrote have an effect in markdown", async () => {
  using workspace = new TempWorkspace();
  const text = "`x` | # <img src=x> @all fixes #1\n## Fake\n```\n\x1b[2J";
  writeLedger(workspace, { topic: text, from: text, to: text });
  writeIssue(workspace, 7, { title: text, updated: "2026-02-24T09:00:00.000Z" });
  writeAssumption(workspace, {
    decision: text,
    agent: text,
    confidence: text,
    risk_if_wrong: text,
  });
  const { out } = await workspace.run(WEEK);
  const markdown = workspace.read(FILE);
  assert(!(out + markdown).includes("\x1b") && !/^## Fake/m.test(out + markdown));
  const outside = markdown.replace(/(?<!`)(`+) .*? \1(?!`)/g, "");
  assert(!/[<@]|fixes/.test(outside), outside);
});

Deno.test("digest refuses a week that there is not", async () => {
  using workspace = new TempWorkspace();
  const { code, err } = await workspace.run(["digest", "--week", "2025-W53"]);
  assertEquals(code, 2);
  assert(err.includes('--week must be a week such as 2026-W09, not "2025-W53"'), err);
});

Deno.test("digest leaves nothing in sight of git, unless somebody wants it there", async () => {
  using workspace = new TempWorkspace();
  const git = async (...args: string[]) => {
    const options = { args, cwd: workspace.root };
    return new TextDecoder().decode((await new Deno.Command("git", options).output()).stdout);
  };
  await git("init", "-q");
  await workspace.run(["digest", "--week", "2026-W09"]);
  assertEquals(await git("status", "--porcelain", "-uall", ".agentx/digests"), "");
  workspace.write(".agentx/digests/.gitignore", "");
  await workspace.run(["digest", "--week", "2026-W09"]);
  assertEquals(workspace.read(".agentx/digests/.gitignore"), "");
});

Deno.test("digest says how long closed issues took, and in which column", async () => {
  using workspace = new TempWorkspace();
  const head = { v: 1, uid: "u1", by: "engineer" };
  const fields = { number: 1, title: "Crash", body: "", status: "Backlog" };
  const set = (value: string, id: string, time: string, after: string[]) => ({
    ...head,
    id,
    time,
    op: "set",
    field: "status",
    value,
    after,
  });
  const lines = [
    { ...head, id: "a.0", time: "2026-02-20T10:00:00.000Z", op: "create", fields },
    set("In Progress", "b.0", "2026-02-24T10:00:00.000Z", []),
    set("In Review", "c.0", "2026-02-24T12:00:00.000Z", ["b.0"]),
    set("Done", "d.0", "2026-02-25T11:00:00.000Z", ["c.0", "b.0"]),
    { ...head, id: "e.0", time: "2026-03-20T10:00:00.000Z", op: "comment", body: "Thanks" },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  workspace.write(".agentx/issues/2026-02/a.jsonl", text);
  const { digest: { closedIssues } } = await workspace.json(WEEK);
  const HOUR = 3_600_000;
  assertEquals(closedIssues, [{
    number: 1,
    title: "Crash",
    closed: "2026-02-25T11:00:00.000Z",
    cycleMs: 25 * HOUR,
    statusMs: { "Backlog": 96 * HOUR, "In Progress": 2 * HOUR, "In Review": 23 * HOUR },
  }]);
  const { out } = await workspace.run(WEEK);
  assert(out.includes("#1     2026-02-25  1d    Crash\n"), out);
  assert(
    /Time per issue, median +1d\n/.test(out) && /In Review \(mean\) +23h/.test(out),
    out,
  );
  assert(workspace.read(FILE).includes("In Progress (mean)"), workspace.read(FILE));
});
