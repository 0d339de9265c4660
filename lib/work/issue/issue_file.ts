/**
 * The file of an issue as text: pretty-printed, with a line for each comment, so that two branches
 * that both changed an issue can be merged by lines. Pure.
 *
 * One line has the `uid`, the time of the last change, and whatever changes most: every change
 * changes that line. So a merge of two changed issues has it twice, and tells which two they are.
 *
 * @module
 */

import { isObject } from "../../checks.ts";
import {
  encodeLines,
  hasRepeatedKey,
  type MergedLines,
  mergeLines,
  readMergedLines,
} from "../../line_json.ts";

/** The keys that share a line. */
const TOGETHER = [
  "uid",
  "labels",
  "status",
  "state",
  "created",
  "updated",
  "assignee",
  "claimed",
  "leaseUntil",
  "linkedUids",
  "callIds",
];

/** More than one of them come from a merge. */
const CHANGE_LINE = /^ {2}"[^\n]*"updated": "/gm;

/** An issue in the file of another. */
export interface StrayIssue {
  /** The issue; unchecked where it was read. */
  issue: Record<string, unknown>;
  /** The keys of which both issues had a line; the others may be the other's. */
  ownKeys: string[];
}

/** What a file of an issue says. */
export interface IssueFile {
  /** The issue; unchecked where it was read. */
  issue: unknown;
  /** Younger ones that got the same number on other branches, the oldest first. */
  others: StrayIssue[];
  /** Whether a merge has left its traces: keys twice, commas missing, marks of a conflict. */
  isMerged: boolean;
  /** Whether it contains unresolved conflict markers. */
  hasConflict: boolean;
  /** The text that was read: unchanged fields keep their form. */
  text?: string;
}

/**
 * @param issue any issue
 * @returns a file with nothing else in it
 */
export function fileOf(issue: object): IssueFile {
  return { issue, others: [], isMerged: false, hasConflict: false };
}

/** @returns the text of an issue's file */
export function encodeIssueFile({ issue, text }: IssueFile): string {
  return text ?? encodeLines(issue as object, ["comments"], TOGETHER);
}

/**
 * Reads the text of an issue's file, also where a merge has put the lines of two branches together:
 * of each field what the branch says that changed the issue last; all labels and all comments. Where
 * both branches made an issue under the same number, each is given as it is on its own branch.
 *
 * @param text what is in the file
 * @returns what it says
 * @throws {SyntaxError} for what is neither JSON nor the lines of two branches
 */
export function parseIssueFile(text: string): IssueFile {
  let issue: unknown;
  let failure: unknown;
  try {
    issue = JSON.parse(text);
  } catch (error) {
    failure = error;
  }
  const plain = { issue, others: [], isMerged: false, hasConflict: false, text };
  if (failure === undefined && !(isObject(issue) && mayBeMerged(text, issue))) return plain;
  const merged = readMergedLines(text, listOf);
  if (merged !== undefined) {
    const { hasConflict, values } = merged;
    const [{ issue }, ...others] = separate(merged);
    const isTwice = Array.from(values.values()).some((values) => values.length > 1);
    const isMerged = isTwice || hasConflict || failure !== undefined;
    return { issue, others, isMerged, hasConflict, text };
  }
  if (failure !== undefined) throw failure;
  return plain;
}

/** In older files each label also has its own line. */
function listOf(element: unknown, lastList: string): string {
  if (isObject(element)) return lastList === "labels" ? "comments" : lastList;
  return lastList === "comments" ? "labels" : lastList;
}

function mayBeMerged(text: string, issue: object): boolean {
  return (text.match(CHANGE_LINE)?.length ?? 0) > 1 || hasRepeatedKey(text, issue);
}

/** One issue, or those of several branches: `uid` and time of creation never change. */
function separate(merged: MergedLines): StrayIssue[] {
  const sides = ["uid", "created"]
    .map((key) => ({ key, ids: [...new Set(merged.values.get(key))] }))
    .find(({ ids }) => ids.length > 1);
  if (sides === undefined) return [{ issue: mergeIssue(merged), ownKeys: [] }];
  const count = sides.ids.length;
  const ownKeys = [...merged.values.keys()].filter((key) =>
    merged.values.get(key)?.length === count
  );
  const issues = sides.ids.map((_id, index): Record<string, unknown> => {
    const ofSide = Array.from(merged.values, ([key, values]) => {
      return [key, values[values.length === count ? index : 0]];
    });
    return Object.fromEntries([...merged.lists, ...ofSide]);
  }).sort(byAge);
  // Only one of the branches knew of the key: the one with the later version.
  if (sides.key === "created") issues.slice(0, -1).forEach((issue) => delete issue.uid);
  const comments = merged.lists.get("comments") ?? [];
  for (const issue of issues) {
    const isOwn = (comment: unknown) =>
      isObject(comment) && (comment.issueUid ?? issues[0].uid) === issue.uid;
    issue.comments = comments.filter(isOwn).sort(byCreation);
  }
  return issues.map((issue) => ({ issue, ownKeys }));
}

/** @returns negative if `a` was made earlier */
export function byAge(
  a: { created?: unknown; uid?: unknown },
  b: { created?: unknown; uid?: unknown },
): number {
  const [ageA, ageB] = [a, b].map(({ created, uid }) => `${created} ${uid}`);
  return ageA < ageB ? -1 : ageA > ageB ? 1 : 0;
}

/** Both branches' lines stand in the same order for each key: theirs, and when they were changed. */
function mergeIssue(merged: MergedLines): Record<string, unknown> {
  const issue = mergeLines(merged);
  const times = merged.values.get("updated") ?? [];
  const latest = times.indexOf(issue.updated);
  for (const [key, values] of merged.values) {
    const isScalar = !values.some((value) => Array.isArray(value));
    if (isScalar && values.length === times.length) issue[key] = values[latest];
  }
  if (Array.isArray(issue.comments)) issue.comments.sort(byCreation);
  return issue;
}

function byCreation(a: unknown, b: unknown): number {
  const [timeA, timeB] = [a, b].map((comment) =>
    isObject(comment) ? String(comment.created ?? "") : ""
  );
  return timeA < timeB ? -1 : timeA > timeB ? 1 : 0;
}
