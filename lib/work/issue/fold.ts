// The state of issues as a function of their lines (ISSUES, "The fold"). Pure; it does not depend on the order of the
// lines, nor on who reads them or when.
//
// In a field with one value, an edit competes with the others unless one of them has seen it. Edits of different fields
// never conflict. A set has all additions, except those that somebody saw and removed.

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

/** Concurrent edits of one field: one wins, the others are kept. */
export interface Contest {
  /** The field. */
  field: "title" | "body" | "status";
  /** The edit that wins. */
  shown: FieldEdit;
  /** The others, the latest first. */
  others: FieldEdit[];
}

/** An edit of a field that has one value. */
export interface FieldEdit {
  /** The id of the line. */
  id: string;
  /** ISO-8601, UTC. */
  time: string;
  /** An agent, or `human`. */
  by: string;
  /** The new value of the field. */
  value: string | number | null;
  /** The edits that its author had seen. */
  after: readonly string[];
}

/** An issue, and what else its lines say. */
export interface FoldedIssue {
  /** The issue; its number is the one that it claims. */
  issue: Issue;
  /** Its lines, the earliest first. */
  lines: IssueLine[];
  /** Lines that were undone. */
  undone: ReadonlySet<string>;
  /** Title, body or status, where two branches changed them. */
  contests: Contest[];
  /** Whether it was deleted by somebody who had seen all of its lines. */
  isDeleted: boolean;
  /** The agent that deleted it without the latest edits; undefined if there is none. */
  deletedBy: string | undefined;
}

/** All issues, and what could not be used. */
export interface Fold {
  /** By `uid`. */
  issues: Map<string, FoldedIssue>;
  /** The uids with changes but no creation. */
  headless: Map<string, IssueLine[]>;
  /** Lines that are not about an issue. */
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

/** An issue that was made here, and then in a tracker, has its place there in the lines that followed. */
function sourceIn(lines: readonly IssueLine[]): string | undefined {
  return stringOf(lines.find(({ source }) => source !== undefined)?.source);
}

/** A file of an earlier version has its own time of the last change. */
function latest(time: string, updated: unknown): string {
  return typeof updated === "string" && updated > time ? updated : time;
}

/** The edits of a field with one value, the earliest first; its initial value is not an edit. */
export function editsOf(lines: readonly IssueLine[], field: SingleField): FieldEdit[] {
  return lines.flatMap((line): FieldEdit[] => {
    if (line.op !== "set" || line.field !== field) return [];
    const { id, time, by, value, after = [] } = line;
    return [{ id, time, by, value, after }];
  });
}

/** The status of an issue before an agent claimed it, which puts it in progress. */
export function statusBeforeClaims({ lines, undone }: FoldedIssue): string {
  const last = editsOf(lines, "status").findLast(({ id, value, by }) =>
    !undone.has(id) && (value !== IN_PROGRESS || by === HUMAN)
  );
  const created = lines.find((line) => line.op === "create");
  return String(last?.value ?? created?.fields.status ?? READY);
}

/** The edits that no other edit has seen; all of them if each was seen. */
function openEdits(edits: FieldEdit[]): FieldEdit[] {
  const seen = new Set(edits.flatMap(({ id, after }) => after.filter((other) => other !== id)));
  const open = edits.filter(({ id }) => !seen.has(id));
  return open.length > 0 ? open : edits;
}

/** The status that is furthest along; of equals, the later. */
function furthest(edits: readonly FieldEdit[]): FieldEdit {
  const rank = ({ value }: FieldEdit) => (ISSUE_STATUSES as readonly unknown[]).indexOf(value);
  return edits.reduce((best, edit) => rank(edit) >= rank(best) ? edit : best);
}

/** One value added to a set; a line may add several. */
interface Addition {
  /** The id of the line. */
  id: string;
  /** The value that it added. */
  value: string;
}

/** The additions to a set that were not removed, the earliest first. */
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

/** An undo that was itself undone has no effect, so the latest are read first. */
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
  const seenBy = new Map<string, Set<string>>(); // several lines may be one deletion
  for (const { id, after = [] } of deletions) {
    const seen = seenBy.get(changeIdOf(id)) ?? new Set();
    for (const each of after) seen.add(each);
    seenBy.set(changeIdOf(id), seen);
  }
  // An undo of lines written since the deletion is no edit.
  const isDeleted = [...seenBy.values()].some((seen) => {
    return lines.every((line) =>
      line.op === "delete" || seen.has(line.id) ||
      line.op === "undo" && line.undone.every((id) => !seen.has(id))
    );
  });
  return { isDeleted, deletedBy: isDeleted ? undefined : deletions.at(-1)!.by };
}

/** When it was last reopened, or sent back by a review. */
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
