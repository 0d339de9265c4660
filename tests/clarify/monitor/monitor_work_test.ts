import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  findAbandoned,
  findDeadlocks,
  findOverdueOnce,
  findOverdueTwice,
  findStuck,
} from "../../../lib/clarify/monitor/findings.ts";
import { hasMonitorWork } from "../../../lib/clarify/monitor/monitor_work.ts";
import { type ClarificationRecord, isLookedAfter } from "../../../lib/clarify/schema.ts";
import type { AgentBase } from "../../../lib/clarify/status/status_file.ts";
import { MINUTE_MS, sampleRecord, START_MS } from "../samples.ts";
import { often } from "../../often.ts";

const AGENTS = ["engineer", "engineer@2", "architect", "architect@1", "reviewer"];
const QUESTIONS = ["PostgreSQL or SQLite?", "postgresql or sqlite", "How long is it kept?"];

const agent = fc.constantFrom(...AGENTS);

/** Few names and texts, so that circles and repetitions come about. */
const record: fc.Arbitrary<ClarificationRecord> = fc.record({
  from: agent,
  to: agent,
  issue: fc.integer({ min: 42, max: 43 }),
  topic: fc.constantFrom("Database", "database?", "Retention"),
  blocking: fc.boolean(),
  status: fc.constantFrom("pending", "pending", "answered", "stale", "resolved", "escalated"),
  questions: fc.array(fc.constantFrom(...QUESTIONS), { minLength: 1, maxLength: 3 }),
}).map(({ issue, questions, ...record }) => {
  const thread = questions.map((body, index) => {
    const timestamp = new Date(START_MS + index).toISOString();
    return { round: index + 1, from: record.from, type: "question" as const, body, timestamp };
  });
  return sampleRecord({ ...record, id: `CLR-${issue}-00`, round: questions.length, thread });
});

const bases: fc.Arbitrary<Map<string, AgentBase>> = fc.array(
  fc.record({ agent, issue: fc.integer({ min: 42, max: 44 }) }),
  { maxLength: 2 },
).map((rows) =>
  new Map(rows.map(({ agent, issue }) => {
    const since = new Date(START_MS + MINUTE_MS).toISOString();
    return [agent, { status: "working", issue, since }];
  }))
);

Deno.test("hasMonitorWork() says what the findings say", () => {
  const property = fc.property(
    fc.array(record, { maxLength: 4 }),
    bases,
    fc.constantFrom(MINUTE_MS, 40 * MINUTE_MS),
    (records, bases, sinceMs) => {
      const nowMs = START_MS + sinceMs;
      const numbered = records.map((record, index) => ({
        ...record,
        id: `${record.id}${index + 1}`,
      }));
      const open = numbered.filter(isLookedAfter);
      const found = [
        findOverdueOnce(open, nowMs),
        findOverdueTwice(open, nowMs),
        findAbandoned(open, bases),
        findDeadlocks(open),
        findStuck(open),
      ];
      assertEquals(
        hasMonitorWork(numbered, () => bases, nowMs),
        found.some(({ size }) => size > 0),
      );
    },
  );
  fc.assert(property, often(500));
});
