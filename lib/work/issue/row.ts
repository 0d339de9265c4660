// What lists show of an issue. Pure.

import { agentLabel } from "../../text/agent_label.ts";
import { minuteOf } from "../../base/time.ts";
import type { Issue } from "./issue.ts";

/** What a list shows of an issue: everything but body and comments. */
export interface IssueRow extends Omit<Issue, "body" | "comments"> {
  /** Its name where another issue has its number, such as `#12~b3f1`. */
  ref?: string;
}

/** The issue without body and comments. */
export function issueRow({ body: _body, comments: _comments, ...row }: Issue): IssueRow {
  return row;
}

/** Names who has claimed an issue and until when, or the assignee, who has no lease. */
export function heldBy({ assignee, leaseUntil }: Pick<Issue, "assignee" | "leaseUntil">): string {
  const name = agentLabel(assignee ?? "nobody");
  if (leaseUntil === null) return `assigned to ${name}`;
  return `claimed by ${name} until ${minuteOf(leaseUntil)} UTC`;
}
