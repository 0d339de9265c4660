// Computes the lines that change an issue from one state to another. Pure.

import { type Line, LINE_VERSION } from "../../lines/line.ts";
import {
  type InitialFields,
  type IssueChange,
  type IssueLine,
  SET_FIELDS,
  type SetField,
  SINGLE_FIELDS,
} from "./change.ts";
import { additionsOf, editsOf, type FoldedIssue } from "./fold.ts";
import type { Issue } from "./issue.ts";

/** The author, time and issue of a change. */
export interface ChangeHead {
  /** The prefix of the line ids. */
  changeId: string;
  /** The `uid` of the issue. */
  uid: string;
  /** ISO-8601, UTC. */
  time: string;
  /** An agent, or `human`. */
  by: string;
  /** Id of the tool call that makes the change. */
  call?: string;
  /** The workflow step that a claim is for. */
  step?: string;
}

/** Maximum number of earlier edits that an edit names. Those edits name the ones before them. */
const MAX_AFTER = 64;

/** Maximum number of lines that a line of a deletion names: an id takes 17 bytes, and a line may have 64 KB. */
const MAX_DELETED = 3_000;

/** Returns one line for each change, in order. */
export function linesFor(changes: readonly IssueChange[], head: ChangeHead): Line[] {
  const { changeId, uid, time, by, call, step } = head;
  return changes.map((change, index) => ({
    v: LINE_VERSION,
    id: `${changeId}.${index}`,
    uid,
    time,
    by,
    ...change,
    ...call === undefined ? {} : { call },
    ...step !== undefined && change.op === "add" && change.field === "assignees" ? { step } : {},
  }));
}

/** Returns the change that creates an issue, without its comments. */
export function creationOf(issue: Issue): IssueChange {
  const { number, title, body, status, labels, linkedUids = [], assignee } = issue;
  const { parent, due, milestone, source } = issue;
  const fields: InitialFields = {
    number,
    title,
    body,
    status,
    labels,
    ...linkedUids.length === 0 ? {} : { linkedUids },
    ...assignee === null ? {} : { assignees: [assignee] },
    ...parent === null ? {} : { parent },
    ...due === null ? {} : { due },
    ...milestone === null ? {} : { milestone },
    ...source === undefined ? {} : { source },
  };
  return { op: "create", fields };
}

/** Returns the changes that turn the known issue into `after`. */
export function changesBetween(after: Issue, known: FoldedIssue): IssueChange[] {
  const { issue: before, lines, undone } = known;
  const changes: IssueChange[] = [];
  for (const field of SINGLE_FIELDS) {
    if (before[field] === after[field]) continue;
    const seen = editsOf(lines, field).slice(-MAX_AFTER).reverse().map(({ id }) => id);
    changes.push({ op: "set", field, value: after[field], after: seen });
  }
  const valid = lines.filter(({ id }) => !undone.has(id));
  for (const field of SET_FIELDS) {
    changes.push(...setChanges(field, after, valid));
  }
  for (const { body } of after.comments.slice(before.comments.length)) {
    changes.push({ op: "comment", body });
  }
  return changes;
}

/**
 * Returns the changes that delete an issue. Together they name all lines of the issue. A long list needs several
 * changes, because a line has a maximum length.
 */
export function deletionsOf(
  lines: readonly Line[],
  how: { isUndo?: true } = {},
): IssueChange[] {
  const ids = lines.map(({ id }) => id);
  const count = Math.ceil(ids.length / MAX_DELETED);
  return Array.from({ length: count }, (_, index): IssueChange => {
    const at = index * MAX_DELETED;
    return { op: "delete", after: ids.slice(at, at + MAX_DELETED), ...how };
  });
}

function setChanges(
  field: SetField,
  issue: Issue,
  valid: readonly IssueLine[],
): IssueChange[] {
  const present = additionsOf(valid, field);
  const had = new Set(present.map(({ value }) => value));
  const has = valuesOf(issue, field);
  const removed = [...had].filter((value) => !has.includes(value));
  const added = has.filter((value) => !had.has(value));
  const seen = present.filter(({ value }) => removed.includes(value));
  const changes: IssueChange[] = [];
  if (removed.length > 0) {
    const after = [...new Set(seen.map(({ id }) => id))];
    changes.push({ op: "remove", field, values: removed, after });
  }
  if (added.length > 0) changes.push({ op: "add", field, values: added });
  return changes;
}

function valuesOf(issue: Issue, field: SetField): string[] {
  if (field === "assignees") return issue.assignee === null ? [] : [issue.assignee];
  return issue[field] ?? [];
}
