// Changes of an issue that GitHub does not know yet. They are derived: the fold of all lines of an issue against the
// fold of the lines that came from GitHub. So nothing from GitHub is sent back, and a kill loses nothing. Pure.

import { HUMAN } from "../base/agent_names.ts";
import { saidLast } from "../work/issue/imports/follow.ts";
import { DONE, isStatus } from "../work/issue/issue.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";

/** The fields to change there, as they are here. */
export interface Edit {
  title?: string;
  body?: string;
  state?: "open" | "closed";
  /** A column of the board that is not the last. */
  status?: string;
  /** Labels as they are here: also types, fields and dependencies. */
  add?: string[];
  remove?: string[];
  /** A person took the assignee away. */
  assignee?: null;
  milestone?: string | null;
  /** The `uid` of the issue that it becomes a part of. */
  parent?: string | null;
}

/** The change for GitHub; undefined for none. A field that both sides changed waits for a human. */
export function editOf(known: KnownIssue): Edit | undefined {
  const { issue, contests } = known;
  const was = saidLast(known).issue;
  const edit: Edit = {};
  for (const field of ["title", "body"] as const) {
    const isContested = contests.some((contest) => contest.field === field);
    if (issue[field] !== was[field] && !isContested) edit[field] = issue[field];
  }
  const isClosed = issue.status === DONE;
  if (isClosed !== (was.status === DONE)) edit.state = isClosed ? "closed" : "open";
  if (issue.status !== was.status && !isClosed && isStatus(issue.status)) {
    edit.status = issue.status;
  }
  const add = labelsBeyond(issue.labels, was.labels);
  const remove = labelsBeyond(was.labels, issue.labels);
  if (add.length > 0) edit.add = add;
  if (remove.length > 0) edit.remove = remove;
  if (!isClosed && was.assignee !== null && isUnassigned(known)) edit.assignee = null;
  if (issue.milestone !== was.milestone) edit.milestone = issue.milestone;
  if (issue.parent !== was.parent) edit.parent = issue.parent;
  return Object.keys(edit).length === 0 ? undefined : edit;
}

/** On GitHub, the blocked issue names its blocker, so `blocks:` labels are left out. */
function labelsBeyond(labels: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others.map(plainLink));
  return labels.filter((label) => !known.has(plainLink(label)) && !/^blocks:/i.test(label));
}

/** `blocked-by:12` and `blocked_by:#12` are one link. */
function plainLink(label: string): string {
  return label.replace(/^blocked[_-]by:#?(?=\d+$)/i, "blocked_by:#");
}

/** Agents have no account there, so their claims, and the ends of those, are no edits. */
function isUnassigned({ issue: { assignee }, lines }: KnownIssue): boolean {
  const last = lines.findLast((line) =>
    (line.op === "add" || line.op === "remove") && line.field === "assignees"
  );
  return assignee === null && last?.by === HUMAN && last.source === undefined;
}
