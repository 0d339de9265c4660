import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { ClarificationRecord, ThreadEntry } from "../../lib/clarify/schema.ts";
import { clarificationStats, normalizeTopic } from "../../lib/clarify/stats.ts";
import { MINUTE_MS, sampleRecord, START_MS } from "./samples.ts";

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

Deno.test("clarificationStats() of nothing has no averages", () => {
  assertEquals(clarificationStats([]), {
    total: 0,
    resolvedWithoutHuman: 0,
    resolvedWithHuman: 0,
    open: 0,
    abandoned: 0,
    escalated: 0,
    averageRounds: null,
    timeToAnswerMs: null,
    topics: [],
    asking: [],
    asked: [],
  });
});

Deno.test("clarificationStats() tells the ends of clarifications apart", () => {
  const resolution = entry("resolution", 9);
  const stats = clarificationStats([
    withThread([resolution], { status: "resolved" }),
    withThread([{ ...resolution, from: "human" }], { status: "resolved" }),
    withThread([entry("answer", 1, { from: "human" }), resolution], { status: "resolved" }),
    withThread([entry("escalation", 1), resolution], { status: "resolved" }),
    withThread([entry("escalation", 1)], { status: "escalated" }),
    withThread([], { status: "abandoned" }),
    withThread([], { status: "stale" }),
  ]);
  const { total, resolvedWithoutHuman, resolvedWithHuman, open, abandoned, escalated } = stats;
  const ends = { total, resolvedWithoutHuman, resolvedWithHuman, open, abandoned, escalated };
  assertEquals(ends, {
    total: 7,
    resolvedWithoutHuman: 1,
    resolvedWithHuman: 3,
    open: 2,
    abandoned: 1,
    escalated: 2,
  });
});

Deno.test("clarificationStats() averages the rounds", () => {
  const records = [1, 2, 2].map((round) => sampleRecord({ round }));
  assertEquals(clarificationStats(records).averageRounds, 5 / 3);
});

Deno.test("clarificationStats() takes the time of each round to its first answer", () => {
  const record = withThread([
    entry("answer", 10),
    entry("question", 20, { round: 2 }),
    entry("answer", 21, { round: 1 }),
    entry("answer", 40, { round: 2 }),
    entry("answer", 90, { round: 2 }),
    entry("question", 95, { round: 3 }),
  ]);
  const times = clarificationStats([record]).timeToAnswerMs;
  assertEquals(times, { median: 15 * MINUTE_MS, p90: 19 * MINUTE_MS });
});

Deno.test("clarificationStats() leaves out times that cannot be told", () => {
  const record = withThread([entry("answer", -5), entry("question", 1, { round: 2 })]);
  record.thread.push(entry("answer", 2, { round: 2, timestamp: "soon" }));
  assertEquals(clarificationStats([record]).timeToAnswerMs, null);
});

Deno.test("clarificationStats() finds quantiles between the shortest and the longest time", () => {
  const anyTimes = fc.array(fc.nat(10_000), { minLength: 1, maxLength: 20 });
  fc.assert(fc.property(anyTimes, (minutes) => {
    const records = minutes.map((minute) => withThread([entry("answer", minute)]));
    const { median, p90 } = clarificationStats(records).timeToAnswerMs!;
    const below = minutes.filter((minute) => minute * MINUTE_MS <= median).length;
    return median <= p90 && p90 <= Math.max(...minutes) * MINUTE_MS && below >= minutes.length / 2;
  }));
});

Deno.test("clarificationStats() lists the five commonest topics, equals by name", () => {
  const topics = ["f", "e", "d", "c", "b", "a", "Auth", "auth?", " AUTH"];
  const records = topics.map((topic) => sampleRecord({ topic }));
  assertEquals(
    clarificationStats(records).topics.map(({ name, count }) => [name, count]),
    [["auth", 3], ["a", 1], ["b", 1], ["c", 1], ["d", 1]],
  );
});

Deno.test("clarificationStats() counts the workers of a role as one", () => {
  const records = ["engineer@1", "engineer", "tester"].map((from) => sampleRecord({ from }));
  const { asking, asked } = clarificationStats(records);
  assertEquals(asking, [{ name: "engineer", count: 2 }, { name: "tester", count: 1 }]);
  assertEquals(asked, [{ name: "architect", count: 3 }]);
});

Deno.test("normalizeTopic() joins what differs only in writing", () => {
  const written = ["Database layer", " database  LAYER?", "\u201cDatabase\tlayer\u201d..."];
  assertEquals(written.map(normalizeTopic), written.map(() => "database layer"));
});

Deno.test("normalizeTopic() keeps a topic of nothing but punctuation", () => {
  assertEquals(normalizeTopic(" ??? "), "???");
});
