// The effect of a change on an issue, for event listeners: ids and columns, but no text. Pure.

import type { Line } from "../../lines/line.ts";
import { foldIssues } from "./fold.ts";
import type { IssueView } from "./issue_files.ts";

/** A change of an issue that was written to disk. */
export interface IssueChanged {
  /** Number of the issue. */
  issueNumber: number;
  /** The author of the change. */
  agent: string;
  /** The kind of change: its fields, such as `status,labels`, or `create`, `comment`, `delete`, `undo`. */
  kind: string;
  /** Column before the change, or `deleted`; undefined for a new issue. */
  oldState: string | undefined;
  /** Column after the change, or `deleted`. */
  newState: string;
}

/** Returns one change for each issue that the added lines are about. */
export function issueChanges(
  lines: readonly Line[],
  { byUid }: IssueView,
  agent: string,
): IssueChanged[] {
  return Array.from(new Set(lines.map(({ uid }) => uid)), (uid): IssueChanged => {
    const own = lines.filter((line) => line.uid === uid);
    const known = byUid.get(uid);
    const now = foldIssues([...known?.lines ?? [], ...own]).issues.get(uid)!;
    return {
      issueNumber: now.issue.number,
      agent,
      kind: [...new Set(own.map(({ op, field }) => String(field ?? op)))].join(","),
      oldState: known === undefined ? undefined : columnOf(known),
      newState: columnOf(now),
    };
  });
}

function columnOf({ isDeleted, issue }: { isDeleted: boolean; issue: { status: string } }): string {
  return isDeleted ? "deleted" : issue.status;
}
