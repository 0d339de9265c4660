// Changes of an issue that GitHub does not know yet. They are not stored but derived: the fold of all lines of an issue
// is compared with the fold of the lines that came from GitHub. So a change from GitHub is never sent back, and a
// killed process loses nothing. Pure.

import { HUMAN } from "../base/agent_names.ts";
import { saidLast } from "../work/issue/imports/follow.ts";
import { DONE, isStatus } from "../work/issue/issue.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";

/** The fields to change on GitHub, with their local values. */
export interface Edit {
  title?: string;
  body?: string;
  state?: "open" | "closed";
  /** A column of the board other than the last one. */
  status?: string;
  /** Labels in their local form; types, fields and dependencies are labels, too. */
  add?: string[];
  remove?: string[];
  /** Null if a person removed the assignee. */
  assignee?: null;
  milestone?: string | null;
  /** The `uid` of the new parent issue. */
  parent?: string | null;
}

/**
 * Returns the change for GitHub; undefined if there is none. A field that both sides changed is left out until a human
 * decides.
 */
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

/**
 * Returns the labels that `others` lacks. `blocks:` labels are left out, because on GitHub the blocked issue names its
 * blocker.
 */
function labelsBeyond(labels: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others.map(plainLink));
  return labels.filter((label) => !known.has(plainLink(label)) && !/^blocks:/i.test(label));
}

/** Returns one spelling for `blocked-by:12` and `blocked_by:#12`, which mean the same link. */
function plainLink(label: string): string {
  return label.replace(/^blocked[_-]by:#?(?=\d+$)/i, "blocked_by:#");
}

/**
 * Whether a person removed the assignee. A claim of an agent, or the end of one, is no edit, because agents have no
 * account on GitHub.
 */
function isUnassigned({ issue: { assignee }, lines }: KnownIssue): boolean {
  const last = lines.findLast((line) =>
    (line.op === "add" || line.op === "remove") && line.field === "assignees"
  );
  return assignee === null && last?.by === HUMAN && last.source === undefined;
}
