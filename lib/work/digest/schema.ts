/**
 * What the digest of a week holds. Pure.
 *
 * @module
 */

import type { ClarificationStats } from "../../clarify/stats.ts";
import type { UseStats } from "../../memory/recall/displacement.ts";
import { formatDuration } from "../../base/time.ts";
import type { IsoWeek } from "./iso_week.ts";

/** An issue that was closed. */
export interface ClosedIssue {
  /** From 1. */
  number: number;
  /** As it was written. */
  title: string;
  /** ISO-8601, UTC. */
  closed: string;
  /** From its first start until then, in milliseconds; null if it never stood in another column. */
  cycleMs: number | null;
  /** Milliseconds in each column until then. */
  statusMs: Record<string, number>;
}

/** A decision that an agent took without asking (seed 004 `assumptions_made`). */
export interface Assumption {
  /** What was assumed. */
  decision: string;
  /** ISO-8601, UTC. */
  created: string;
  /** The agent that assumed it. */
  agent: string | null;
  /** The issue it was assumed for. */
  issue: number | null;
  /** `high`, `medium` or `low`. */
  confidence: string | null;
  /** What happens if it is wrong. */
  riskIfWrong: string | null;
  /** `open`, `confirmed`, `reverted` or `superseded`; null in files of the original AgentX. */
  status: string | null;
}

/** One week of a workspace. */
export interface Digest extends IsoWeek {
  /** Its Monday: `2026-02-23`. */
  from: string;
  /** Its Sunday: `2026-03-01`. */
  to: string;
  /** Those that were closed in the week, by number. */
  closedIssues: ClosedIssue[];
  /** Figures about the clarifications that were asked in the week. */
  clarifications: ClarificationStats;
  /** Those of the week, the oldest first. */
  assumptions: Assumption[];
  /** What recalls were worth to the sessions that were captured in the week. */
  memory: UseStats;
}

/** @returns how long closed issues took, by label; none where nothing is known */
export function timeFigures(closed: readonly ClosedIssue[]): { label: string; value: string }[] {
  const cycles = closed.flatMap(({ cycleMs }) => cycleMs ?? []).sort((a, b) => a - b);
  const totals = new Map<string, number>();
  for (const { statusMs } of closed) {
    for (const [status, ms] of Object.entries(statusMs)) {
      totals.set(status, (totals.get(status) ?? 0) + ms);
    }
  }
  return [
    ...cycles.length === 0 ? [] : [
      { label: "From start to end (median)", value: formatDuration(cycles[cycles.length >> 1]) },
    ],
    ...Array.from(totals, ([status, ms]) => {
      return { label: `${status} (mean)`, value: formatDuration(ms / closed.length) };
    }),
  ];
}
