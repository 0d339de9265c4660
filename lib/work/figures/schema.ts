// What the digest of a week holds. Pure.

import type { Assumption } from "../../gate/assumption.ts";
import { formatDuration } from "../../base/time.ts";
import type { ClosedIssue } from "./facts.ts";
import type { Figures } from "./figures.ts";
import type { IsoWeek } from "./iso_week.ts";

/** One week of a workspace. */
export interface Digest extends IsoWeek, Figures {
  /** Its Monday: `2026-02-23`. */
  from: string;
  /** Its Sunday: `2026-03-01`. */
  to: string;
  /** Those that were closed in the week, by number. */
  closedIssues: ClosedIssue[];
  /** Those of the week, the oldest first. */
  assumptions: Assumption[];
}

/** How long closed issues stood in each column on average, by label. */
export function columnTimes(closed: readonly ClosedIssue[]): { label: string; value: string }[] {
  const totals = new Map<string, number>();
  for (const { statusMs } of closed) {
    for (const [status, ms] of Object.entries(statusMs)) {
      totals.set(status, (totals.get(status) ?? 0) + ms);
    }
  }
  return Array.from(totals, ([status, ms]) => {
    return { label: `${status} (mean)`, value: formatDuration(ms / closed.length) };
  });
}
