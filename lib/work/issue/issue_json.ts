// Reads issues in the format of earlier versions and of the documents: one JSON file per issue, `{number}.json`. A
// file is read as the first change of its issue, and is never written. Pure.

import { isListOfTexts, isObject, isTime, type JsonObject, parseJson } from "../../base/checks.ts";
import { LINE_VERSION } from "../../lines/line.ts";
import { isoTime } from "../../base/time.ts";
import type { InitialFields, IssueLine } from "./change.ts";
import { DONE } from "./issue.ts";

const EPOCH = isoTime(0);

/** Returns the lines that a file stands for, or a short description of its problem. */
export function linesOfIssueJson(text: string, number: number): IssueLine[] | string {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const problem = issueProblem(value, number);
  return problem ?? linesOf(value as JsonObject, number);
}

function linesOf(issue: JsonObject, number: number): IssueLine[] {
  const created = isoTime(textOr(issue.created, EPOCH));
  const uid = textOr(issue.uid, `${number}-${created}`); // the same in every branch that reads the file
  const base = { v: LINE_VERSION, uid };
  const { title = "", body = "", labels = [], linkedUids = [], status, state } = issue;
  const isClaimed = typeof issue.leaseUntil === "string"; // such a claim is old, and may be from another machine
  const fields = {
    number,
    title,
    body,
    status: state === "closed" ? DONE : status,
    labels,
    linkedUids,
    assignees: typeof issue.assignee === "string" && !isClaimed ? [issue.assignee] : [],
  } as InitialFields;
  if (status === undefined && state !== "closed") delete fields.status;
  const creation: IssueLine = {
    ...base,
    id: `json-${safe(uid)}`,
    time: created,
    by: "unknown",
    op: "create",
    fields,
    updated: isoTime(textOr(issue.updated, created)),
  };
  const comments = (issue.comments ?? []) as JsonObject[];
  return [
    creation,
    ...comments.map(({ author, body, created: time }, index): IssueLine => ({
      ...base,
      id: `json-${safe(uid)}.${index + 1}`,
      time: isoTime(textOr(time, created)),
      by: textOr(author, "unknown"),
      op: "comment",
      body: body as string,
    })),
  ];
}

/** Returns the first problem of the file. An issue needs a number or a title; all other fields are optional. */
function issueProblem(value: unknown, number: number): string | undefined {
  if (!isObject(value)) return "it is not an object";
  const { number: ownNumber, body = "", status = "", uid = "" } = value;
  const { title = ownNumber === undefined ? undefined : "" } = value;
  if (ownNumber !== undefined && ownNumber !== number) {
    return `number must be ${number}, to match the file name`;
  }
  for (const [key, text] of Object.entries({ uid, title, body, status })) {
    if (typeof text !== "string") return `${key} must be a string`;
  }
  const { created = EPOCH, updated = EPOCH, labels = [], linkedUids = [], comments = [] } = value;
  if (!isTime(created) || !isTime(updated)) return "created and updated must be times";
  if (typeof (value.assignee ?? "") !== "string") return "assignee must be a string or null";
  const { state = "open" } = value;
  if (state !== "open" && state !== "closed") return "state must be open or closed";
  if (!isListOfTexts(labels)) return "labels must be a list of strings";
  if (!isListOfTexts(linkedUids)) return "linkedUids must be a list of strings";
  if (!Array.isArray(comments)) return "comments must be a list";
  const wrong = comments.findIndex((comment) => !isComment(comment));
  return wrong < 0 ? undefined : `comments[${wrong}] is not a comment`;
}

function isComment(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { author = "", body, created = EPOCH } = value;
  return typeof author === "string" && typeof body === "string" && isTime(created);
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" && value !== "" ? value : fallback;
}

function safe(uid: string): string {
  return uid.replaceAll(/[^\w-]/g, "-").slice(0, 100);
}
