import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { ClarificationRecord, ThreadEntry } from "../../../lib/clarify/schema.ts";
import type { LogLine } from "../../../lib/events/follower.ts";
import type { DatedStep, Facts } from "../../../lib/work/figures/facts.ts";
import { figuresOf, weeklyFigures } from "../../../lib/work/figures/figures.ts";
import { weekBounds } from "../../../lib/work/figures/iso_week.ts";
import { MINUTE_MS, sampleRecord, START_MS } from "../../clarify/samples.ts";

function entry(type: ThreadEntry["type"], minute: number, changes: Partial<ThreadEntry> = {}) {
  const timestamp = new Date(START_MS + minute * MINUTE_MS).toISOString();
  return { round: 1, from: "architect", type, body: "-", timestamp, ...changes };
}

/** A clarification with a thread after its question, which was asked at minute 0. */
function withThread(
  entries: ThreadEntry[],
  changes: Partial<ClarificationRecord> = {},
): ClarificationRecord {
  const record = sampleRecord(changes);
  return { ...record, thread: [...record.thread, ...entries] };
}

const NOTHING: Facts = {
  clarifications: [],
  questions: [],
  log: [],
  uses: [],
  closed: [],
  steps: [],
  changes: [],
  commits: null,
};

/** Some figures as [value, of how many], by name. */
function figures(facts: Partial<Facts>, ...names: string[]): unknown[] {
  const all = figuresOf({ ...NOTHING, ...facts }).figures;
  return names.map((name) => {
    const { value, count, of } = all.find((figure) => figure.name === name)!;
    return of === null ? value : `${count}/${of}`;
  });
}

function line(operation: string, fields: Partial<LogLine> = {}): LogLine {
  return { time: "2026-02-26T10:00:00.000Z", operation, ...fields };
}

Deno.test("figuresOf() of nothing has counts of zero, and no averages or shares", () => {
  const { figures, ...lists } = figuresOf(NOTHING);
  assertEquals(lists, { steps: [], topics: [], asking: [], asked: [] });
  for (const { name, unit, value, isMet, target } of figures) {
    assertEquals(value, unit === "count" ? 0 : null, name);
    assertEquals(isMet, value === null || target === null ? null : true, name);
  }
});

Deno.test("figuresOf() tells the ends of clarifications apart: escalated counts as escalated", () => {
  const resolution = entry("resolution", 9);
  const clarifications = [
    withThread([resolution], { status: "resolved" }),
    withThread([{ ...resolution, from: "human" }], { status: "resolved" }),
    withThread([entry("answer", 1, { from: "human" }), resolution], { status: "resolved" }),
    withThread([entry("escalation", 1), resolution], { status: "resolved" }),
    withThread([entry("escalation", 1)], { status: "escalated" }),
    withThread([], { status: "abandoned" }),
    withThread([], { status: "stale" }),
    withThread([entry("answer", 1)], { status: "answered" }),
  ];
  assertEquals(
    figures({ clarifications }, "clarifications", "resolvedWithoutHuman", "escalated", "open"),
    [8, "1/5", "2/8", 1],
  );
});

Deno.test("figuresOf() averages the rounds of what is resolved", () => {
  const resolved = [1, 2, 2].map((round) => sampleRecord({ round, status: "resolved" }));
  const clarifications = [...resolved, sampleRecord({ round: 5 })];
  assertEquals(figures({ clarifications }, "rounds"), [5 / 3]);
});

const TIMES = ["timeToAnswer", "timeToAnswerP90"];

Deno.test("figuresOf() takes the time of each round to its first answer", () => {
  const record = withThread([
    entry("answer", 10),
    entry("question", 20, { round: 2 }),
    entry("answer", 21, { round: 1 }),
    entry("answer", 40, { round: 2 }),
    entry("answer", 90, { round: 2 }),
    entry("question", 95, { round: 3 }),
  ]);
  const minutes = [15 * MINUTE_MS, 19 * MINUTE_MS];
  assertEquals(figures({ clarifications: [record] }, ...TIMES), minutes);
});

Deno.test("figuresOf() leaves out times that cannot be told", () => {
  const record = withThread([entry("answer", -5), entry("question", 1, { round: 2 })]);
  record.thread.push(entry("answer", 2, { round: 2, timestamp: "soon" }));
  assertEquals(figures({ clarifications: [record] }, ...TIMES), [null, null]);
});

Deno.test("figuresOf() finds quantiles between the shortest and the longest time", () => {
  const anyTimes = fc.array(fc.nat(10_000), { minLength: 1, maxLength: 20 });
  fc.assert(fc.property(anyTimes, (minutes) => {
    const clarifications = minutes.map((minute) => withThread([entry("answer", minute)]));
    const [median, p90] = figures({ clarifications }, ...TIMES) as number[];
    const below = minutes.filter((minute) => minute * MINUTE_MS <= median).length;
    return median <= p90 && p90 <= Math.max(...minutes) * MINUTE_MS && below >= minutes.length / 2;
  }));
});

Deno.test("figuresOf() lists the five commonest topics, equals by name", () => {
  const topics = ["f", "e", "d", "c", "b", "a", "Auth", "auth?", " AUTH"];
  const clarifications = topics.map((topic) => sampleRecord({ topic }));
  assertEquals(
    figuresOf({ ...NOTHING, clarifications }).topics.map(({ name, count }) => [name, count]),
    [["auth", 3], ["a", 1], ["b", 1], ["c", 1], ["d", 1]],
  );
});

Deno.test("figuresOf() counts the workers of a role as one", () => {
  const clarifications = ["engineer@1", "engineer", "tester"].map((from) => sampleRecord({ from }));
  const { asking, asked } = figuresOf({ ...NOTHING, clarifications });
  assertEquals(asking, [{ name: "engineer", count: 2 }, { name: "tester", count: 1 }]);
  assertEquals(asked, [{ name: "architect", count: 3 }]);
});

Deno.test("figuresOf() reads what the log says of clarifications, checks and times", () => {
  const stale = (clarificationId: string) => line("clarification-stale", { clarificationId });
  const checked = (issueNumber: number, passed: boolean) =>
    line("validation-result", { issueNumber, agent: "engineer@claude-1", passed });
  const log = [
    ...[stale("CLR-1-001"), stale("CLR-1-001"), stale("CLR-2-001")],
    line("monitor", { stuckCount: 1, deadlockedCount: 2 }),
    line("monitor", { stuckCount: 0, deadlockedCount: 1 }),
    ...[checked(1, false), checked(1, true), checked(2, true)],
    ...Array.from(
      { length: 21 },
      (_, index) => line("memory-searched", { durationMs: index * 10 }),
    ),
    line("memory-searched", { code: "IO_ERROR" }),
    line("memory-recalled", { durationMs: 30, count: 4 }),
    line("memory-compacted", { before: 10, after: 4 }),
    line("memory-captured", { code: "IO_ERROR" }),
  ];
  assertEquals(figures({ log }, "stale", "stuck", "deadlocks", "firstPass"), [2, 1, 3, "1/2"]);
  assertEquals(figures({ log }, "searchP95", "recallP95", "recalled"), [190, 30, 4]);
  assertEquals(figures({ log }, "compacted", "captureFailures"), ["6/10", 1]);
  const { isMet, target } = figuresOf({ ...NOTHING, log }).figures
    .find(({ name }) => name === "stale")!;
  assertEquals([isMet, target], [false, { max: 0 }]);
});

Deno.test("figuresOf() counts steps that were done and issues that were sent back", () => {
  const fact = (changes: Partial<DatedStep>): DatedStep => ({
    what: "done",
    step: "implement",
    by: "engineer@2",
    issueNumber: 1,
    time: "2026-02-26T10:00:00.000Z",
    tookMs: null,
    ...changes,
  });
  const steps = [
    fact({ tookMs: 2_000 }),
    fact({ tookMs: 4_000 }),
    fact({ what: "returned", step: null, by: "reviewer" }),
    fact({ step: "review", by: "reviewer" }),
    fact({ issueNumber: 2 }),
  ];
  assertEquals(figures({ steps }, "rejections", "rework", "timePerStep"), ["1/2", 0.5, 3_000]);
  const run = (taskId: string, issueNumber: number, totalTokens?: number) =>
    line("validation-result", { taskId, issueNumber, passed: true, totalTokens });
  const log = [run("implement", 1, 100), run("implement", 1, 50), run("implement", 2, 50)];
  log.push(run("review", 1, 30), run("review", 1));
  assertEquals(figuresOf({ ...NOTHING, steps, log }).steps, [
    { step: "implement", done: 3, medianMs: 3_000, medianTokens: 100 },
    { step: "review", done: 1, medianMs: null, medianTokens: 30 },
  ]);
  assertEquals(figures({ log }, "tokensPerStep", "tokensPerIssue"), [50, 115]);
});

Deno.test("weeklyFigures() has a row of figures for each week", () => {
  const { startMs, endMs } = weekBounds({ year: 2026, week: 8 });
  const clarifications = [sampleRecord(), sampleRecord()];
  const { from, to, weeks } = weeklyFigures({ ...NOTHING, clarifications }, {
    startMs,
    nowMs: endMs + 1,
  });
  assertEquals([from, to], ["2026-02-16", "2026-02-23"]);
  assertEquals(
    weeks.map(({ week, figures }) => [week, figures[0].value]),
    [["2026-W08", 0], ["2026-W09", 2]],
  );
});
