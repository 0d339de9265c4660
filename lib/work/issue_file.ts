/**
 * The file of an issue as text: pretty-printed, with a line for each comment, so that two branches
 * that both changed an issue can be merged by lines. Pure.
 *
 * @module
 */

import { isObject } from "../json_schema.ts";
import {
  encodeLines,
  hasRepeatedKey,
  type MergedLines,
  mergeLines,
  readMergedLines,
} from "../line_json.ts";

/** What a file of an issue says. */
export interface IssueFile {
  /** The issue; unchecked where it was read. */
  issue: unknown;
  /** Whether a merge has left its traces: keys twice, commas missing, marks of a conflict. */
  isMerged: boolean;
  /** Whether the marks of a conflict that nobody has resolved stand in it. */
  hasConflict: boolean;
  /** As it was read: what stays as it is keeps its form. */
  text?: string;
}

/**
 * @param issue any issue
 * @returns a file with nothing else in it
 */
export function fileOf(issue: object): IssueFile {
  return { issue, isMerged: false, hasConflict: false };
}

/** @returns the text of an issue's file */
export function encodeIssueFile({ issue, text }: IssueFile): string {
  return text ?? encodeLines(issue as object, ["comments"]);
}

/**
 * Reads the text of an issue's file, also where a merge has put the lines of two branches together:
 * of each field what the branch says that changed the issue last; all labels and all comments.
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
  const plain = { issue, isMerged: false, hasConflict: false, text };
  if (failure === undefined && !(isObject(issue) && hasRepeatedKey(text, issue))) return plain;
  const merged = readMergedLines(text, listOf);
  if (merged !== undefined) {
    return { issue: mergeIssue(merged), isMerged: true, hasConflict: merged.hasConflict, text };
  }
  if (failure !== undefined) throw failure;
  return plain;
}

/** In files of before each label has a line of its own too. */
function listOf(element: unknown, lastList: string): string {
  if (isObject(element)) return lastList === "labels" ? "comments" : lastList;
  return lastList === "comments" ? "labels" : lastList;
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
