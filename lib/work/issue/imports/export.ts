// Issues as others read them, and as they are imported again: what each is now, with its comments. Their
// history stays in the files of `.agentx/issues`, which git has. Pure.

import { timesOf } from "../history.ts";
import type { Issue } from "../issue.ts";
import type { IssueView } from "../issue_files.ts";

/** An issue as `agentx issue export` prints it. */
export interface ExportedIssue extends
  Omit<
    Issue,
    "claimed" | "leaseUntil" | "linkedUids" | "reopened" | "stepClaims"
  > {
  /** ISO-8601, UTC: when it was closed; null while it is open. */
  closed: string | null;
}

/** All issues that are not deleted, by number. */
export function exportedFrom({ byUid }: IssueView): ExportedIssue[] {
  return [...byUid.values()]
    .filter(({ isDeleted }) => !isDeleted)
    .sort((a, b) => a.issue.number - b.issue.number)
    .map((known) => {
      const {
        claimed: _c,
        leaseUntil: _l,
        linkedUids: _u,
        reopened: _r,
        stepClaims: _s,
        ...issue
      } = known.issue;
      return { ...issue, closed: timesOf(known).closed };
    });
}
