// Computes the state of issues from their lines (ISSUES, "The fold"). Pure: the result does not depend on the order
// of the lines, on the reader or on the time.
//
// Edits of a field with a single value are concurrent if neither has seen the other. Edits of different fields never
// conflict. A set holds every added value, except those that a later line saw and removed.

import { addTo } from "../../base/groups.ts";
import { stringOf } from "../../base/checks.ts";
import { byTime, changeIdOf, type Line, type LineProblem } from "../../lines/line.ts";
import {
  changeProblem,
  initialOf,
  type IssueLine,
  type SetField,
  type SingleField,
} from "./change.ts";
import { NEEDS_CHANGES } from "./labels.ts";
import { HUMAN } from "../../base/agent_names.ts";
import {
  DONE,
  IN_PROGRESS,
  type Issue,
  ISSUE_STATUSES,
  type IssueComment,
  READY,
} from "./issue.ts";

/** Concurrent edits of one field. One edit wins, and the others are kept. */
export interface Contest {
  /** The field. */
  field: "title" | "body" | "status";
  /** The edit that wins. */
  shown: FieldEdit;
  /** The other edits, latest first. */
  others: FieldEdit[];
}

/** An edit of a field with a single value. */
export interface FieldEdit {
  /** Id of the line that holds the edit. */
  id: string;
  /** ISO-8601, UTC. */
  time: string;
  /** An agent, or `human`. */
  by: string;
  /** The new value of the field. */
  value: string | number | null;
  /** Ids of the earlier edits that the author had seen. */
  after: readonly string[];
}

/** An issue, with the other facts that its lines hold. */
export interface FoldedIssue {
  /** The issue, with the number that its own lines give it. */
  issue: Issue;
  /** All lines of the issue, earliest first. */
  lines: IssueLine[];
  /** Ids of the lines that were undone. */
  undone: ReadonlySet<string>;
  /** The conflicts: title, body or status, if two branches changed it. */
  contests: Contest[];
  /** Whether it was deleted by an author who had seen all of its other lines. */
  isDeleted: boolean;
  /** The author of a deletion who had not seen the latest edits; undefined if there is none. */
  deletedBy: string | undefined;
}

/** All issues, and the lines that could not be used. */
export interface Fold {
  /** The issues by `uid`. */
  issues: Map<string, FoldedIssue>;
  /** Lines by `uid`, for issues without a creation. */
  headless: Map<string, IssueLine[]>;
  /** The lines that are not valid changes of an issue. */
  problems: Array<Omit<LineProblem, "path" | "line"> & { id: string }>;
}

/** Folds lines of any issues, in any order, into issues. */
export function foldIssues(lines: readonly Line[]): Fold {
  const fold: Fold = { issues: new Map(), headless: new Map(), problems: [] };
  const byUid = new Map<string, IssueLine[]>();
  for (const line of lines) {
    const why = changeProblem(line);
    if (why === undefined) addTo(byUid, line.uid, line as IssueLine);
    else fold.problems.push({ id: line.id, why });
  }
  for (const [uid, all] of byUid) {
    const own = all.sort(byTime);
    const folded = foldIssue(uid, own);
    if (folded === undefined) fold.headless.set(uid, own);
    else fold.issues.set(uid, folded);
  }
  return fold;
}

function foldIssue(uid: string, lines: IssueLine[]): FoldedIssue | undefined {
  const creation = lines.find(({ op }) => op === "create");
  if (creation === undefined) return undefined;
  const undone = undoneIn(lines);
  const valid = undone.size === 0 ? lines : lines.filter(({ id }) => !undone.has(id));
  const sets = valid.filter(({ op }) => op === "set");
  const contests: Contest[] = [];
  const single = <T>(field: SingleField, fallback: T): T => {
    const edits = editsOf(sets, field);
    if (edits.length === 0) return (initialOf(creation, field) ?? fallback) as T;
    const open = openEdits(edits);
    const shown = field === "status" ? furthest(open) : open[open.length - 1];
    if (open.length > 1 && (field === "title" || field === "body" || field === "status")) {
      const others = open.filter((edit) => edit !== shown && edit.value !== shown.value).reverse();
      if (others.length > 0) contests.push({ field, shown, others });
    }
    return shown.value as T;
  };
  const status = single<string>("status", ISSUE_STATUSES[0]);
  const assignees = valuesOf(valid, "assignees");
  const linkedUids = valuesOf(valid, "linkedUids").sort();
  const source = stringOf(initialOf(creation, "source")) ?? sourceIn(lines);
  const issue: Issue = {
    number: single("number", 0),
    uid,
    title: single("title", ""),
    body: single("body", ""),
    labels: valuesOf(valid, "labels"),
    status,
    state: status === DONE ? "closed" : "open",
    author: creation.by,
    created: creation.time,
    updated: latest(valid.at(-1)!.time, creation.updated),
    comments: valid.flatMap((line): IssueComment[] =>
      line.op === "comment" ? [{ author: line.by, body: line.body, created: line.time }] : []
    ),
    assignee: assignees.at(-1) ?? null,
    claimed: null,
    leaseUntil: null,
    parent: single("parent", null),
    due: single("due", null),
    milestone: single("milestone", null),
    ...source === undefined ? {} : { source },
    ...linkedUids.length === 0 ? {} : { linkedUids },
    ...reopenedIn(valid),
  };
  return { issue, lines, undone, contests, ...deletionOf(valid) };
}

/**
 * Returns the source from the first line that has one. An issue that was created here and then in a tracker has its
 * source only in later lines.
 */
function sourceIn(lines: readonly IssueLine[]): string | undefined {
  return stringOf(lines.find(({ source }) => source !== undefined)?.source);
}

/** Returns the later time. A file of an earlier version stores the time of the last change itself. */
function latest(time: string, updated: unknown): string {
  return typeof updated === "string" && updated > time ? updated : time;
}

/** Returns the edits of a field with a single value, earliest first. The initial value is not an edit. */
export function editsOf(lines: readonly IssueLine[], field: SingleField): FieldEdit[] {
  return lines.flatMap((line): FieldEdit[] => {
    if (line.op !== "set" || line.field !== field) return [];
    const { id, time, by, value, after = [] } = line;
    return [{ id, time, by, value, after }];
  });
}

/** Returns the status of an issue before an agent claimed it, because a claim sets `In Progress`. */
export function statusBeforeClaims({ lines, undone }: FoldedIssue): string {
  const last = editsOf(lines, "status").findLast(({ id, value, by }) =>
    !undone.has(id) && (value !== IN_PROGRESS || by === HUMAN)
  );
  const created = lines.find((line) => line.op === "create");
  return String(last?.value ?? created?.fields.status ?? READY);
}

/** Returns the edits that no other edit has seen; all edits if each one was seen. */
function openEdits(edits: FieldEdit[]): FieldEdit[] {
  const seen = new Set(edits.flatMap(({ id, after }) => after.filter((other) => other !== id)));
  const open = edits.filter(({ id }) => !seen.has(id));
  return open.length > 0 ? open : edits;
}

/** Returns the edit with the furthest status; if several are equal, the latest. */
function furthest(edits: readonly FieldEdit[]): FieldEdit {
  const rank = ({ value }: FieldEdit) => (ISSUE_STATUSES as readonly unknown[]).indexOf(value);
  return edits.reduce((best, edit) => rank(edit) >= rank(best) ? edit : best);
}

/** A value that was added to a set. A line may add several values. */
interface Addition {
  /** Id of the line that added the value. */
  id: string;
  value: string;
}

/** Returns the additions to a set that were not removed, earliest first. */
export function additionsOf(lines: readonly IssueLine[], field: SetField): Addition[] {
  const removed = new Set<string>();
  const additions: Addition[] = [];
  for (const line of lines) {
    if (line.op === "create") {
      const initial = (initialOf(line, field) ?? []) as string[];
      additions.push(...initial.map((value) => ({ id: line.id, value })));
    } else if (line.op === "add" && line.field === field) {
      additions.push(...line.values.map((value) => ({ id: line.id, value })));
    } else if (line.op === "remove" && line.field === field) {
      for (const id of line.after) for (const value of line.values) removed.add(`${id} ${value}`);
    }
  }
  if (removed.size === 0) return additions;
  return additions.filter(({ id, value }) => !removed.has(`${id} ${value}`));
}

function valuesOf(lines: readonly IssueLine[], field: SetField): string[] {
  return [...new Set(additionsOf(lines, field).map(({ value }) => value))];
}

/**
 * Returns the ids of undone lines. It reads the latest lines first, because an undo that was undone has no effect.
 */
function undoneIn(lines: readonly IssueLine[]): Set<string> {
  const undone = new Set<string>();
  for (const line of [...lines].reverse()) {
    if (line.op !== "undo" || undone.has(line.id)) continue;
    for (const id of line.undone) if (id !== line.id) undone.add(id);
  }
  for (const line of lines) if (line.op === "create") undone.delete(line.id);
  return undone;
}

function deletionOf(lines: readonly IssueLine[]): Pick<FoldedIssue, "isDeleted" | "deletedBy"> {
  const deletions = lines.filter(({ op }) => op === "delete");
  if (deletions.length === 0) return { isDeleted: false, deletedBy: undefined };
  const seenBy = new Map<string, Set<string>>(); // one deletion may need several lines
  for (const { id, after = [] } of deletions) {
    const seen = seenBy.get(changeIdOf(id)) ?? new Set();
    for (const each of after) seen.add(each);
    seenBy.set(changeIdOf(id), seen);
  }
  // Undoing a line that the deletion had not seen is not an edit.
  const isDeleted = [...seenBy.values()].some((seen) => {
    return lines.every((line) =>
      line.op === "delete" || seen.has(line.id) ||
      line.op === "undo" && line.undone.every((id) => !seen.has(id))
    );
  });
  return { isDeleted, deletedBy: isDeleted ? undefined : deletions.at(-1)!.by };
}

/** Returns when an issue was last reopened, or sent back by a review. */
function reopenedIn(lines: readonly IssueLine[]): { reopened?: string } {
  let isClosed = false;
  let reopened: string | undefined;
  for (const line of lines) {
    const isAgain = line.op === "set" && line.field === "status" && line.value !== DONE && isClosed;
    const isRejected = line.op === "add" && line.values.includes(NEEDS_CHANGES);
    if (isAgain || isRejected) reopened = line.time;
    if (line.op === "set" && line.field === "status") isClosed = line.value === DONE;
    if (line.op === "create") isClosed = initialOf(line, "status") === DONE;
  }
  return reopened === undefined ? {} : { reopened };
}
