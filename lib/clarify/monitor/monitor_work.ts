// Tells whether clarifications need a monitor at all. Pure.

import { findDeadlocks, findStuck, hasMovedOn } from "./findings.ts";
import { askerOf, type ClarificationRecord, isLookedAfter, isOverdue } from "../schema.ts";
import type { AgentBase } from "../status/status_file.ts";

/**
 * Whether a monitor would find something to do; `readBases` returns the work of each agent apart from clarifications.
 */
export function hasMonitorWork(
  records: readonly ClarificationRecord[],
  readBases: () => ReadonlyMap<string, AgentBase>,
  nowMs: number,
): boolean {
  const open = records.filter(isLookedAfter);
  if (open.length === 0) return false;
  const bases = readBases();
  const needsIt = (record: ClarificationRecord) =>
    isOverdue(record, nowMs) || hasMovedOn(record, bases.get(askerOf(record)));
  return open.some(needsIt) || findDeadlocks(open).size > 0 || findStuck(open).size > 0;
}
