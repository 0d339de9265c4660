/**
 * What is wrong with clarifications that nobody moves. Pure: what to do about it is the monitor's.
 *
 * @module
 */

import {
  type ClarificationRecord,
  isLookedAfter,
  isUnanswered,
  parseClarificationId,
} from "./schema.ts";
import { similarity } from "./similarity.ts";
import type { AgentBase } from "./status.ts";
import { chooseEscalation, waitGraph } from "./wait_graph.ts";

/** Reasons to escalate, by the id of the clarification. */
export type Reasons = Map<string, string>;

/** From this likeness on, 0 to 1, two texts count as the same. */
export const SAME_FROM = 0.9;

/**
 * @param records all clarifications
 * @param bases what each agent does
 * @param nowMs milliseconds since the epoch
 * @returns whether a monitor would find something to do
 */
export function needsCare(
  records: readonly ClarificationRecord[],
  bases: ReadonlyMap<string, AgentBase>,
  nowMs: number,
): boolean {
  const open = records.filter(isLookedAfter);
  return open.some((record) =>
    isOverdue(record, nowMs) || hasMovedOn(record, bases.get(record.from))
  ) ||
    findDeadlocks(open).size > 0 || findStuck(open, SAME_FROM).size > 0;
}

/** @returns whether its question has waited longer than it may */
export function isOverdue(record: ClarificationRecord, nowMs: number): boolean {
  return isUnanswered(record) && nowMs > Date.parse(record.staleAfter);
}

/** @returns the stale clarifications whose second time is over, too */
export function findOverdueTwice(open: readonly ClarificationRecord[], nowMs: number): Reasons {
  const overdue = open.filter((record) => record.status === "stale" && isOverdue(record, nowMs));
  return new Map(overdue.map(({ id, to }) => [id, `${to} has not answered in time, twice`]));
}

/**
 * @param open clarifications that agents are at
 * @returns one per deadlock: without it, no agents wait for each other any more
 */
export function findDeadlocks(open: readonly ClarificationRecord[]): Reasons {
  const found: Reasons = new Map();
  for (let records = [...open];;) {
    const { cycles } = waitGraph(records);
    if (cycles.length === 0) return found;
    for (const cycle of cycles) {
      const { escalate } = chooseEscalation(cycle);
      found.set(escalate.id, describeCycle(cycle));
      records = records.filter(({ id }) => id !== escalate.id);
    }
  }
}

/** @returns who waits for whom in a cycle, in one line */
export function describeCycle(cycle: readonly ClarificationRecord[]): string {
  return `deadlock: ${
    cycle.map(({ id, from, to }) => `${from} waits for ${to} (${id})`).join(", ")
  }`;
}

/**
 * @param open clarifications that agents are at
 * @param sameFrom the likeness, 0 to 1, from which two texts count as the same
 * @returns those whose last two rounds were the same, and those that ask a question back
 */
export function findStuck(open: readonly ClarificationRecord[], sameFrom: number): Reasons {
  const stuck: Reasons = new Map();
  const asked = new Map<string, ClarificationRecord[]>();
  for (const record of open) {
    const key = `${placeOf(record)} ${record.from} ${record.to}`;
    const same = asked.get(key);
    if (same === undefined) asked.set(key, [record]);
    else same.push(record);
  }
  for (const record of open) {
    if (repeatsItself(record, sameFrom)) {
      stuck.set(record.id, "the last two rounds were nearly the same");
    }
    const other = asked.get(`${placeOf(record)} ${record.to} ${record.from}`)
      ?.find(({ created, topic }) =>
        record.created > created && similarity(record.topic, topic) >= sameFrom
      );
    if (other !== undefined) stuck.set(record.id, `${other.id} asks the same the other way round`);
  }
  return stuck;
}

/**
 * @param record an open clarification
 * @param base what its requester does
 * @returns whether the requester took up another issue after it had asked
 */
export function hasMovedOn(record: ClarificationRecord, base: AgentBase | undefined): boolean {
  if (base === undefined || base.issue === null || base.since === null) return false;
  return base.status === "working" && base.since > record.created && base.issue !== issueOf(record);
}

function repeatsItself({ thread, status }: ClarificationRecord, sameFrom: number): boolean {
  if (status !== "answered") return false;
  return ["question", "answer"].every((type) => {
    const [before, last] = thread.filter((entry) => entry.type === type).slice(-2);
    return last !== undefined && similarity(before.body, last.body) >= sameFrom;
  });
}

/** The part of the id that tells the issue, such as `CLR-42`. */
function placeOf({ id }: ClarificationRecord): string {
  return id.slice(0, id.lastIndexOf("-"));
}

function issueOf({ id }: ClarificationRecord): number {
  return parseClarificationId(id).issueNumber;
}
