// The history of an issue: who changed what and when, which changes were concurrent, and which were undone. Pure.

import { groupBy } from "../../base/groups.ts";
import { stringOf } from "../../base/checks.ts";
import { AgentxError } from "../../base/errors.ts";
import { isoTime } from "../../base/time.ts";
import { changeIdOf } from "../../lines/line.ts";
import { initialOf, isRestart, type IssueLine, SINGLE_FIELDS } from "./change.ts";
import { editsOf, type FieldEdit, type FoldedIssue } from "./fold.ts";
import { DONE, ISSUE_STATUSES } from "./issue.ts";

/** One change, with one or more edits. */
export interface HistoryEntry {
  /** The change id, as `issue undo` takes it. */
  change: string;
  /** ISO-8601, UTC. */
  time: string;
  /** An agent with its session, or `human`. */
  by: string;
  /** The edits of this change. */
  edits: HistoryEdit[];
  /** Whether it was undone. */
  isUndone: boolean;
}

/** One edit of a change. */
export interface HistoryEdit {
  /**
   * A field, or one of `created`, `comment`, `deleted`, `undo`, `validated`, `approved`, `returned`, `restarted`,
   * `taken`, `left out`.
   */
  what: string;
  /** The previous value of the field, or the values removed from a set; null if there was none. */
  from: EditValue;
  /** The new value of the field, or the values added to a set; for an undo, the ids of the undone changes. */
  to: EditValue;
  /** Ids of concurrent changes of the same field. */
  concurrentWith: string[];
  /** Whether a concurrent edit won. */
  isOverruled: boolean;
}

/** A value of a field, or values of a set. */
export type EditValue = string | number | null | string[];

/** Returns the changes of an issue, latest first. */
export function historyOf(known: FoldedIssue): HistoryEntry[] {
  const { undone, lines } = known;
  const singles = singleEdits(known);
  const entries = Array.from(byChange(lines), ([change, own]): HistoryEntry => ({
    change,
    time: own[0].time,
    by: own[0].by,
    edits: mergeSetEdits(own.map((line) => singles.get(line.id) ?? editOf(line))),
    isUndone: own.every(({ id }) => undone.has(id)),
  }));
  return entries.reverse();
}

/** A change that can be undone. */
export interface UndoableChange {
  /** Id of the change. */
  change: string;
  /** Ids of its lines. */
  ids: string[];
}

/**
 * Finds the change to undo.
 *
 * @param by the author of the undo
 * @param change an id from the history; by default the latest change that is neither an undo nor undone
 * @throws {AgentxError} `INVALID_INPUT` if there is no such change, if it cannot be undone, or if no id is given and
 * the latest change is a step of another author
 */
export function undoableIn(
  { lines, undone, issue: { number } }: FoldedIssue,
  by: string,
  change?: string,
): UndoableChange {
  const changes = byChange(lines);
  const isValid = (own: readonly IssueLine[]) => own.some(({ id }) => !undone.has(id));
  const wanted = change ??
    [...changes].findLast(([, own]) =>
      isValid(own) && own.every(({ op }) => op !== "undo" && op !== "create")
    )?.[0];
  const own = wanted === undefined ? undefined : changes.get(wanted);
  const refuse = (why: string, next: string) =>
    new AgentxError("INVALID_INPUT", `Cannot undo ${change ?? "a change"} of #${number}: ${why}`, {
      details: { field: "CHANGE", value: change ?? null },
      next,
    });
  const history = `See its changes with: agentx issue history ${number}`;
  if (own === undefined) {
    throw refuse(change === undefined ? "none is left" : "it has no such change", history);
  }
  if (own.some(({ op }) => op === "create")) {
    throw refuse("it created the issue", `Delete the issue with: agentx issue delete ${number}`);
  }
  if (!isValid(own)) throw refuse("it was undone already", history);
  const step = own.find((line) => STEPS_DONE.includes(line.op) && line.by !== by);
  if (change === undefined && step !== undefined) {
    const { what, to } = editOf(step);
    const why = `the latest is of ${step.by}: ${what} ${to}`;
    throw refuse(why, `Take it back with: agentx issue undo ${number} ${wanted}`);
  }
  return { change: wanted!, ids: own.map(({ id }) => id) };
}

/** Results of paid work by agents. An undo without an id does not take back such a step of another author. */
const STEPS_DONE: readonly string[] = ["validated", "approved", "returned"];

/** Groups lines by change, earliest change first. */
function byChange(lines: readonly IssueLine[]): Map<string, IssueLine[]> {
  return groupBy(lines, ({ id }) => changeIdOf(id));
}

function editOf(line: IssueLine): HistoryEdit {
  const edit = (what: string, to: EditValue, from: EditValue = null): HistoryEdit => {
    return { what, from, to, concurrentWith: [], isOverruled: false };
  };
  switch (line.op) {
    case "create":
      return edit("created", line.fields.title ?? "");
    case "comment":
      return edit("comment", line.body);
    case "delete":
      return edit("deleted", null);
    case "undo":
      return edit("undo", [...new Set(line.undone.map(changeIdOf))]);
    case "set":
      return edit(line.field, line.value);
    case "add":
      return edit(line.field, line.values);
    case "remove":
      return edit(line.field, null, line.values);
    case "validated":
      return edit(line.op, line.step);
    case "approved":
    case "returned":
      if (isRestart(line)) return edit("restarted", `${line.step} (${line.because})`);
      return edit(line.op, `${line.step} (${line.because})`);
    case "decided":
      return edit(line.isTaken ? "taken" : "left out", `${line.step} (${line.because})`);
  }
}

/** Joins the removal and the addition that one change made to a set. */
function mergeSetEdits(edits: readonly HistoryEdit[]): HistoryEdit[] {
  const all: HistoryEdit[] = [];
  for (const edit of edits) {
    const last = all.at(-1);
    if (last?.what === edit.what && last.to === null && Array.isArray(last.from)) last.to = edit.to;
    else all.push({ ...edit });
  }
  return all;
}

/** Returns the edits of fields with a single value, by line id: the replaced value, and the concurrent edits. */
function singleEdits({ lines, undone, issue }: FoldedIssue): Map<string, HistoryEdit> {
  const creation = lines.find(({ op }) => op === "create")!;
  const all = new Map<string, HistoryEdit>();
  const undoneAt = new Map<string, string>();
  for (const line of lines) {
    if (line.op === "undo" && !undone.has(line.id)) {
      for (const id of line.undone) undoneAt.set(id, line.time);
    }
  }
  for (const field of SINGLE_FIELDS) {
    const edits = editsOf(lines, field);
    const byId = new Map(edits.map((edit) => [edit.id, edit]));
    const initial = (initialOf(creation, field) ?? null) as EditValue;
    for (const { id, time, value, after } of edits) {
      const stood = (other: string) => !(undoneAt.get(other)! <= time);
      const before = after.find((other) => other !== id && byId.has(other) && stood(other));
      const from = before === undefined ? initial : byId.get(before)!.value;
      all.set(id, { what: field, from, to: value, concurrentWith: [], isOverruled: false });
    }
    noteConcurrent(edits, all);
    noteOverruled(edits.filter(({ id }) => !undone.has(id)), all, issue[field]);
  }
  return all;
}

/** Links each edit with the current edits that its author had not seen. */
function noteConcurrent(edits: readonly FieldEdit[], all: ReadonlyMap<string, HistoryEdit>): void {
  let open: FieldEdit[] = [];
  for (const edit of edits) {
    const met = open.filter(({ id, after }) =>
      !edit.after.includes(id) && !after.includes(edit.id)
    );
    for (const other of met) {
      all.get(edit.id)!.concurrentWith.push(changeIdOf(other.id));
      all.get(other.id)!.concurrentWith.push(changeIdOf(edit.id));
    }
    const isReplaced = open.some(({ after }) => after.includes(edit.id)); // the clock of its author was behind
    open = [...open.filter(({ id }) => !edit.after.includes(id)), ...isReplaced ? [] : [edit]];
  }
}

/** Marks the current edits that did not win. */
function noteOverruled(
  edits: readonly FieldEdit[],
  all: ReadonlyMap<string, HistoryEdit>,
  held: EditValue,
): void {
  const seen = new Set(edits.flatMap(({ id, after }) => after.filter((other) => other !== id)));
  for (const { id, value } of edits) {
    if (!seen.has(id) && value !== held) all.get(id)!.isOverruled = true;
  }
}

/** When an issue was closed, and how long it took. */
export interface IssueTimes {
  /** When it was last closed, ISO-8601 in UTC; null while it is open. */
  closed: string | null;
  /** Milliseconds from its first move to another column until it was closed; null if it never moved before. */
  cycleMs: number | null;
  /** Milliseconds in each column until it was closed. */
  statusMs: Record<string, number>;
}

/** Returns when an issue was closed and how long it took, by the clocks of the authors. */
export function timesOf({ lines, undone, issue }: FoldedIssue): IssueTimes {
  if (issue.state === "open") return { closed: null, cycleMs: null, statusMs: {} };
  const creation = lines.find(({ op }) => op === "create")!;
  const edits = editsOf(lines.filter(({ id }) => !undone.has(id)), "status");
  const end = edits.findLastIndex(({ value }) => value === DONE); // a later edit had not seen this one
  if (end < 0) { // a file of an earlier version only stores the time of the last change
    const closed = stringOf(creation.updated) ?? creation.time;
    return { closed, cycleMs: null, statusMs: {} };
  }
  const statusMs: Record<string, number> = {};
  let status = String(initialOf(creation, "status") ?? ISSUE_STATUSES[0]);
  let sinceMs = Date.parse(creation.time);
  let startedMs: number | undefined;
  for (const { value, time } of edits.slice(0, end + 1)) {
    if (value === status) continue;
    const ms = Date.parse(time);
    statusMs[status] = (statusMs[status] ?? 0) + Math.max(0, ms - sinceMs);
    startedMs ??= ms;
    sinceMs = ms;
    status = String(value);
  }
  const cycleMs = startedMs === undefined || startedMs === sinceMs ? null : sinceMs - startedMs;
  return { closed: isoTime(sinceMs), cycleMs, statusMs };
}
