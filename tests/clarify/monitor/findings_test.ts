/**
 * What the monitor's look at all clarifications costs: its steps are counted, one for each question
 * that is put to a map or a set.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { findDeadlocks, findStuck } from "../../../lib/clarify/monitor/findings.ts";
import type { ClarificationRecord } from "../../../lib/clarify/schema.ts";
import { MINUTE_MS, sampleRecord, START_MS } from "../samples.ts";

/** Runs something and counts how often it asks a map or a set. */
function stepsOf<T>(run: () => T): { steps: number; result: T } {
  const { get } = Map.prototype;
  const { has } = Set.prototype;
  let steps = 0;
  Map.prototype.get = function (key) {
    steps++;
    return get.call(this, key);
  };
  Set.prototype.has = function (value) {
    steps++;
    return has.call(this, value);
  };
  try {
    const result = run();
    return { steps, result };
  } finally {
    Map.prototype.get = get;
    Set.prototype.has = has;
  }
}

/** The n-th question of issue 42, asked n minutes after ten. */
function question(
  n: number,
  from: string,
  to: string,
  topic = "Database layer",
): ClarificationRecord {
  const id = `CLR-42-${String(n + 1).padStart(3, "0")}`;
  const created = new Date(START_MS + n * MINUTE_MS).toISOString();
  return sampleRecord({ id, from, to, topic, created });
}

/** Two agents that ask each other in turn, each time about something else. */
function crossfire(count: number): ClarificationRecord[] {
  return Array.from({ length: count }, (_, n) => {
    const [from, to] = n % 2 === 0 ? ["engineer", "architect"] : ["architect", "engineer"];
    return question(n, from, to, `Topic ${n} of the plan`);
  });
}

/** Agents each of which asks all others. */
function everybodyAsks(count: number): ClarificationRecord[] {
  const agents = Array.from({ length: count }, (_, n) => `agent${n}`);
  return agents.flatMap((from) => agents.filter((to) => to !== from).map((to) => ({ from, to })))
    .map(({ from, to }, n) => question(n, from, to));
}

Deno.test("findStuck() takes twice the steps for twice the questions", () => {
  const [half, whole] = [1_500, 3_000].map((count) =>
    stepsOf(() => findStuck(crossfire(count))).steps
  );
  assert(whole <= 2.2 * half, `${half} steps, then ${whole}`);
});

Deno.test("findStuck() finds a question that is asked back among 3,000", () => {
  const open = [
    ...crossfire(2_998),
    question(2_998, "engineer", "architect", "Retention of audit entries"),
    question(2_999, "architect", "engineer", "retention of audit entries?"),
  ];
  assertEquals([...findStuck(open).keys()], ["CLR-42-3000"]);
});

Deno.test("findStuck() finds what a session asks back that another one has asked of its role", () => {
  const open = [
    question(0, "engineer@2", "architect"),
    question(1, "architect@claude-1", "engineer"),
  ];
  assertEquals([...findStuck(open).keys()], ["CLR-42-002"]);
});

Deno.test("findStuck() goes by the ids where two were asked at the same moment", () => {
  const [first, second] = crossfire(2);
  const back = { ...second, topic: first.topic, created: first.created };
  const ids = ["CLR-42-999", "CLR-42-1000"];
  const pair = [{ ...first, id: ids[0] }, { ...back, id: ids[1] }];
  for (const open of [pair, pair.toReversed()]) {
    assertEquals([...findStuck(open).keys()], ["CLR-42-1000"]);
  }
});

Deno.test("findDeadlocks() is through with 70 agents that all ask each other", () => {
  const open = everybodyAsks(70);
  const { steps, result } = stepsOf(() => findDeadlocks(open));
  assert(steps <= 10 * open.length * Math.log2(open.length), `${steps} steps`);
  // Of the two that any two agents ask each other, one has to go.
  assertEquals(result.size, open.length / 2);
  const left = open.filter(({ id }) => !result.has(id));
  assertEquals(findDeadlocks(left).size, 0);
});

Deno.test("findDeadlocks() describes a large deadlock in a short line", () => {
  const [{ reason }] = findDeadlocks(everybodyAsks(70)).values();
  assert(reason.startsWith("deadlock: agent0 waits for agent1 (CLR-42-001), "), reason);
  assert(reason.includes(" and 4822 more; ") && reason.length < 500, reason);
  assert(reason.endsWith(" and 2412 more continue"), reason);
});
