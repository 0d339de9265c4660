/**
 * Whether clarifications need a monitor at all: mostly there is nothing to do, and this is quick to load
 * and to say so. Pure.
 *
 * @module
 */

import { roleOf } from "../agent_names.ts";
import {
  askerOf,
  type ClarificationRecord,
  isLookedAfter,
  isUnanswered,
  parseClarificationId,
  type ThreadEntry,
} from "./schema.ts";
import type { AgentBase } from "./status_file.ts";

/**
 * @param records all clarifications
 * @param bases what each agent does
 * @param nowMs milliseconds since the epoch
 * @returns whether a monitor would find something to do
 */
export async function needsCare(
  records: readonly ClarificationRecord[],
  bases: ReadonlyMap<string, AgentBase>,
  nowMs: number,
): Promise<boolean> {
  const open = records.filter(isLookedAfter);
  const isDue = (record: ClarificationRecord) =>
    isOverdue(record, nowMs) || hasMovedOn(record, bases.get(askerOf(record)));
  if (open.some(isDue)) return true;
  if (!mayGoInCircles(open)) return false;
  const { findDeadlocks, findStuck, SAME_FROM } = await import("./findings.ts");
  return findDeadlocks(open).size > 0 || findStuck(open, SAME_FROM).size > 0;
}

/** A circle takes somebody who asks and is asked; who repeats a question has asked twice. */
function mayGoInCircles(open: readonly ClarificationRecord[]): boolean {
  const asked = new Set(open.map(({ to }) => roleOf(to)));
  return open.some((record) => asked.has(roleOf(record.from)) || questionsOf(record).length > 1);
}

/** @returns whether its question has waited longer than it may */
export function isOverdue(record: ClarificationRecord, nowMs: number): boolean {
  return isUnanswered(record) && nowMs > Date.parse(record.staleAfter);
}

/**
 * @param record an open clarification
 * @param base what its asker does
 * @returns whether the asker took up another issue after it had asked
 */
export function hasMovedOn(record: ClarificationRecord, base: AgentBase | undefined): boolean {
  if (base === undefined || base.issue === null || base.since === null) return false;
  const { id, formerIds = [] } = record;
  const asked = questionsOf(record).at(-1)?.timestamp ?? record.created;
  const issues = [id, ...formerIds].map((id) => parseClarificationId(id).issueNumber);
  return base.status === "working" && base.since > asked && !issues.includes(base.issue);
}

/** @returns the questions of its thread, in the order of asking */
export function questionsOf({ thread }: ClarificationRecord): ThreadEntry[] {
  return thread.filter(({ type }) => type === "question");
}
