// The row of an issue in lists. Pure.

import { agentLabel } from "../../text/agent_label.ts";
import { minuteOf } from "../../base/time.ts";
import type { Issue } from "./issue.ts";

/** An issue in a list: everything but body and comments. */
export interface IssueRow extends Omit<Issue, "body" | "comments"> {
  /** The name of an issue that shares its number with another one, such as `#12~b3f1`. */
  ref?: string;
}

/** Returns the issue without body and comments. */
export function issueRow({ body: _body, comments: _comments, ...row }: Issue): IssueRow {
  return row;
}

/** Describes who holds an issue: the claimant and the end of the claim, or the assignee if there is no lease. */
export function heldBy({ assignee, leaseUntil }: Pick<Issue, "assignee" | "leaseUntil">): string {
  const name = agentLabel(assignee ?? "nobody");
  if (leaseUntil === null) return `assigned to ${name}`;
  return `claimed by ${name} until ${minuteOf(leaseUntil)} UTC`;
}
