/**
 * Whether clarifications need a monitor at all: mostly there is nothing to do, and this is quick to load
 * and to say so. Pure.
 *
 * @module
 */

import { roleOf } from "../base/agent_names.ts";
import { hasMovedOn, isOverdue, questionsOf } from "./overdue.ts";
import { askerOf, type ClarificationRecord, isLookedAfter } from "./schema.ts";
import type { AgentBase } from "./status_file.ts";

/**
 * @param records all clarifications
 * @param readBases gives what each agent does
 * @param nowMs milliseconds since the epoch
 * @returns whether a monitor would find something to do
 */
export async function hasMonitorWork(
  records: readonly ClarificationRecord[],
  readBases: () => Promise<ReadonlyMap<string, AgentBase>>,
  nowMs: number,
): Promise<boolean> {
  const open = records.filter(isLookedAfter);
  if (open.length === 0) return false;
  const bases = await readBases();
  const isDue = (record: ClarificationRecord) =>
    isOverdue(record, nowMs) || hasMovedOn(record, bases.get(askerOf(record)));
  if (open.some(isDue)) return true;
  if (!mayGoInCircles(open)) return false;
  const { findDeadlocks, findStuck } = await import("./findings.ts");
  return findDeadlocks(open).size > 0 || findStuck(open).size > 0;
}

/** A circle needs an agent that asks and is asked; a repeated question was asked twice. */
function mayGoInCircles(open: readonly ClarificationRecord[]): boolean {
  const asked = new Set(open.map(({ to }) => roleOf(to)));
  return open.some((record) => asked.has(roleOf(record.from)) || questionsOf(record).length > 1);
}
