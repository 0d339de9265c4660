import { assert, assertEquals } from "@std/assert";
import type { ClarificationRecord, ClarificationStatus } from "../../../lib/clarify/schema.ts";
import { newRecord } from "../../../lib/clarify/rules/transitions.ts";
import { type Issue, newIssue } from "../../../lib/work/issue/issue.ts";
import type { AgentStatuses } from "../../../lib/work/queue/lease.ts";
import { selectReady } from "../../../lib/work/queue/selection.ts";

const T0 = Date.parse("2026-03-01T10:00:00.000Z");
const MINUTE = 60_000;
const time = (minutes: number) => new Date(T0 + minutes * MINUTE).toISOString();

function issue(number: number, part: Partial<Issue> = {}): Issue {
  return newIssue({
    number,
    uid: `u${number}`,
    title: `Issue ${number}`,
    created: time(0),
    ...part,
  });
}

interface QuestionOptions {
  status?: ClarificationStatus;
  blocking?: boolean;
  to?: string;
}

function question(
  id: string,
  { status = "pending", blocking = true, to = "architect" }: QuestionOptions = {},
): ClarificationRecord {
  const asking = { from: "engineer", to, maxRounds: 5, slaMinutes: 30, nowMs: T0 };
  return { id, ...newRecord({ topic: "t", question: "q", blocking }, asking), status };
}

function select(
  issues: Issue[],
  clarifications: ClarificationRecord[] = [],
  statuses: AgentStatuses = new Map(),
) {
  return selectReady({
    issues,
    clarifications,
    isOver: () => false,
    isBegun: () => false,
    nextSteps: () => undefined,
    stoppedSteps: () => [],
    isClosedElsewhere: () => false,
    statuses,
    nowMs: T0 + 10 * MINUTE,
  });
}

const ready = (...input: Parameters<typeof select>) =>
  select(...input).ready.map(({ number }) => number);

const reasons = (...input: Parameters<typeof select>) =>
  select(...input).waiting.map(({ number, reasons }) => [number, ...reasons.map((r) => r.text)]);

Deno.test("selectReady() orders by priority, then age, then number", () => {
  const issues = [
    issue(1),
    issue(2, { labels: ["p3"] }),
    issue(3, { labels: ["priority:p1"], created: time(2) }),
    issue(4, { labels: ["p1"], created: time(1) }),
    issue(5, { labels: ["p1"], created: time(1) }),
    issue(6, { labels: ["p0"], created: time(9) }),
  ];
  assertEquals(ready(issues), [6, 4, 5, 3, 2, 1]);
});

Deno.test("selectReady() compares ages across time zones", () => {
  const issues = [
    issue(1, { created: time(5) }),
    issue(2, { created: "2026-03-01T09:00:00-05:00" }),
  ];
  assertEquals(ready([...issues, issue(3, { created: "2026-03-01T09:00:00+02:00" })]), [3, 1, 2]);
});

Deno.test("selectReady() leaves out what is closed", () => {
  assertEquals(select([issue(1, { state: "closed" }), issue(2, { status: "Done" })]), {
    ready: [],
    waiting: [],
  });
});

Deno.test("selectReady() says which blocking question an issue waits for", () => {
  assertEquals(reasons([issue(42)], [question("CLR-42-001")]), [
    [42, "BLOCKED: Clarification CLR-42-001 pending from architect"],
  ]);
});

Deno.test("selectReady() names a human where the question was escalated", () => {
  const records = [question("CLR-42-001", { status: "escalated" })];
  assertEquals(reasons([issue(42)], records), [
    [42, "BLOCKED: Clarification CLR-42-001 pending from human"],
  ]);
});

Deno.test("selectReady() lets nothing wait for a question that does not block", () => {
  assertEquals(ready([issue(42)], [question("CLR-42-001", { blocking: false })]), [42]);
});

for (const status of ["answered", "resolved", "abandoned"] as const) {
  Deno.test(`selectReady() lets nothing wait for a question that is ${status}`, () => {
    assertEquals(ready([issue(42)], [question("CLR-42-001", { status })]), [42]);
  });
}

Deno.test("selectReady() names an issue that waits and is not kept here", () => {
  const { waiting } = select([], [question("CLR-42-001", { status: "stale" })]);
  assertEquals(waiting.map(({ number, issue }) => [number, issue]), [[42, null]]);
});

Deno.test("selectReady() leaves an issue that is not kept here to the inbox once a human is asked", () => {
  assertEquals(select([], [question("CLR-42-001", { status: "escalated" })]).waiting, []);
});

Deno.test("selectReady() leaves out a closed issue whose question is open", () => {
  assertEquals(select([issue(42, { state: "closed" })], [question("CLR-42-001")]).waiting, []);
});

Deno.test("selectReady() names the open issues that an issue waits for", () => {
  const issues = [
    issue(1),
    issue(2, { state: "closed" }),
    issue(3, { labels: ["blocked_by:#1", "blocked_by:#2"] }),
  ];
  assertEquals(ready(issues), [1]);
  assertEquals(reasons(issues), [[3, "BLOCKED: Waits for #1"]]);
});

Deno.test("selectReady() keeps an issue that waits for one that does not exist, and says so", () => {
  const issues = [issue(3, { labels: ["blocked_by:#99"] })];
  assertEquals(reasons(issues), [[3, "BLOCKED: Waits for #99 (missing or unreadable)"]]);
});

Deno.test("selectReady() names the circle in which issues wait for each other", () => {
  const issues = [issue(1, { labels: ["blocked_by:#2"] }), issue(2, { labels: ["blocked_by:#1"] })];
  assertEquals(reasons(issues), [
    [1, "BLOCKED: Waits for #2, in a cycle: #1 -> #2 -> #1"],
    [2, "BLOCKED: Waits for #1, in a cycle: #1 -> #2 -> #1"],
  ]);
});

Deno.test("selectReady() names the beginning of a long circle", () => {
  const ring = Array.from(
    { length: 300 },
    (_, index) => issue(index + 1, { labels: [`blocked_by:#${index || 300}`] }),
  );
  const texts = select(ring).waiting.flatMap(({ reasons }) => reasons.map(({ text }) => text));
  assertEquals(texts.length, 300);
  assert(texts[0].endsWith("-> ... (280 more) -> #1"), texts[0]);
  assert(texts.every((text) => text.length < 300));
});

Deno.test("selectReady() takes a circle with a closed issue for none", () => {
  const issues = [
    issue(1, { labels: ["blocked_by:#2"] }),
    issue(2, { labels: ["blocked_by:#1"], state: "closed" }),
  ];
  assertEquals(ready(issues), [1]);
});

const leased = (part: Partial<Issue> = {}) =>
  issue(7, { assignee: "engineer", claimed: time(1), leaseUntil: time(31), ...part });

const said = (status: "idle" | "done" | "working", issue: number | null, minutes: number) =>
  new Map([
    ["engineer", { base: { status, issue, since: time(minutes) }, lastActivity: time(minutes) }],
  ]);

Deno.test("selectReady() says who has an issue, and until when", () => {
  assertEquals(reasons([leased()]), [[7, "claimed by engineer until 2026-03-01 10:31 UTC"]]);
});

Deno.test("selectReady() has an issue again whose lease is over", () => {
  assertEquals(ready([leased({ leaseUntil: time(10) })]), [7]);
  assertEquals(ready([leased({ leaseUntil: time(10.01) })]), []);
});

Deno.test("selectReady() has an issue again whose holder says that it is done with it", () => {
  assertEquals(ready([leased()], [], said("done", 7, 5)), [7]);
  assertEquals(ready([leased()], [], said("idle", 7, 5)), [7]);
});

Deno.test("selectReady() leaves an issue with a holder that has said nothing of it since", () => {
  for (const statuses of [said("done", 7, 1), said("done", 8, 5), said("done", null, 5)]) {
    assertEquals(ready([leased()], [], statuses), []);
  }
  assertEquals(ready([leased()], [], said("working", 7, 5)), []);
});

Deno.test("selectReady() takes no assignee for a lease, and leaves work in progress elsewhere alone", () => {
  const assigned = issue(7, { assignee: "engineer", status: "In Progress" });
  assertEquals(reasons([assigned]), [[7, "In Progress"]]);
  assertEquals(ready([{ ...assigned, status: "Backlog" }]), [7]);
});

Deno.test("selectReady() offers nothing in a column that no queue has", () => {
  for (const status of ["Deferred", "Blocked", "Needs design"]) {
    assertEquals(reasons([issue(7, { status })]), [[7, `Its status ${status} is not offered`]]);
  }
});

Deno.test("selectReady() holds an issue back until the day of its label", () => {
  const at = (day: string) => issue(7, { labels: [`not-before:${day}`] });
  assertEquals(reasons([at("2999-01-01")]), [
    [7, "Held back until 2999-01-01 by its label not-before"],
  ]);
  assertEquals(ready([at("2020-01-01")]), [7]);
});

Deno.test("selectReady() gives every reason, what is waited for first", () => {
  const [[, ...texts]] = reasons(
    [leased({ labels: ["blocked_by:#9"] })],
    [question("CLR-7-002"), question("CLR-7-003", { to: "product-manager" })],
  );
  assertEquals(texts.length, 4);
  assert(`${texts[0]}`.includes("CLR-7-002") && `${texts[3]}`.startsWith("claimed"));
});
