// The lines that make imported issues. Pure.
//
// The line that creates an issue comes last: if an import is interrupted, an incomplete issue does not show,
// and the same import completes it later.

import { stringOf } from "../../../base/checks.ts";
import { type Line, LINE_VERSION, randomId } from "../../../lines/line.ts";
import { replaceReferences } from "../dependencies.ts";
import { DONE, type Issue, ISSUE_STATUSES, newIssue } from "../issue.ts";
import type { IssueView } from "../issue_files.ts";
import { creationOf } from "../issue_lines.ts";
import { linkedUids } from "../linked_issues.ts";
import { type ImportedIssue, UNKNOWN } from "./record.ts";

/** What an import did, or would do. */
export interface ImportPlan {
  /** The issues that were made. */
  imported: Array<{ number: number; at: string }>;
  /** Those that were here already, and in what they differ: they stay as they are. */
  known: Array<{ number: number; at: string; differs: string[] }>;
  /** How many dependencies and parents are neither in the import nor here. */
  unlinked: number;
}

/** Higher ones would leave none for issues that are made here. */
const MAX_KEPT_NUMBER = 999_999;

/** An issue that others of the import may name. */
interface Place {
  number: number;
  uid: string;
}

/** The lines to add, and what they do. */
export function planImport(
  records: readonly ImportedIssue[],
  view: IssueView,
  { first, now }: { first: number; now: string },
): { lines: Line[]; result: ImportPlan } {
  const known = new Map(
    [...view.byUid.values()].flatMap(({ issue }) =>
      [`agentx:${issue.uid}`, issue.source ?? ""].map((key) => [key, issue] as const)
    ),
  );
  const begun = new Map(
    [...view.headless.values()].flat().map((line) => [stringOf(line.source) ?? "", line.uid]),
  );
  const plan: ImportPlan = { imported: [], known: [], unlinked: 0 };
  const places = new Map<string, Place>();
  const fresh = new Map<string, ImportedIssue>();
  const others: Array<{ record: ImportedIssue; issue?: Issue }> = [];
  for (const record of records) {
    const issue = record.keys.map((key) => known.get(key)).find((each) => each !== undefined);
    if (issue !== undefined) { for (const id of record.ids) places.set(id, issue); }
    if (issue !== undefined || fresh.has(record.keys[0])) others.push({ record, issue });
    else fresh.set(record.keys[0], record);
  }
  const made = [...fresh.values()];
  const numbers = numbersFor(made, first);
  for (const [index, { ids, keys }] of made.entries()) {
    const place = { number: numbers[index], uid: begun.get(keys[0]) ?? randomId() };
    for (const id of ids) places.set(id, place);
  }
  plan.known = others.map(({ record, issue }) => ({
    number: places.get(record.ids[0])!.number,
    at: record.at,
    differs: issue === undefined ? [] : differences(record, issue, places),
  }));
  const blockedBy = blockersOf(made);
  const uids = new Map(Array.from(places.values(), ({ number, uid }) => [number, uid]));
  const lines = made.flatMap((record) => {
    const issue = issueOf(record, places, now);
    for (const id of blockedBy.get(record)!) {
      const blocker = places.get(id);
      if (blocker === undefined) plan.unlinked++;
      else issue.labels.push(`blocked_by:#${blocker.number}`);
    }
    if (record.parent !== null && issue.parent === null) plan.unlinked++;
    issue.labels = [...new Set(issue.labels)];
    const linked = linkedUids(issue, (number) => uids.get(number));
    if (linked.length > 0) issue.linkedUids = linked;
    plan.imported.push({ number: issue.number, at: record.at });
    return linesOf(record, issue, now);
  });
  return { lines, result: plan };
}

/** Keeps the numbers if all of them are free and higher than those here. */
function numbersFor(records: readonly ImportedIssue[], first: number): number[] {
  const own = records.map(({ number }) => number ?? 0);
  const areFree = new Set(own).size === own.length &&
    own.every((number) => number >= first && number <= MAX_KEPT_NUMBER);
  return areFree ? own : own.map((_, index) => first + index);
}

/** The issues that each one waits for, including the opposite of "blocks". */
function blockersOf(records: readonly ImportedIssue[]): Map<ImportedIssue, string[]> {
  const byId = new Map(records.flatMap((record) => record.ids.map((id) => [id, record])));
  const all = new Map(records.map((record) => [record, [...record.blockedBy]]));
  for (const record of records) {
    for (const id of record.blocks) all.get(byId.get(id) ?? record)!.push(record.ids[0]);
  }
  return all;
}

function issueOf(
  record: ImportedIssue,
  places: ReadonlyMap<string, Place>,
  now: string,
): Issue {
  const { title, labels, status, assignee, parent, due, milestone, keys } = record;
  const { number, uid } = places.get(record.ids[0])!;
  const above = parent === null ? undefined : places.get(parent)?.uid;
  return newIssue({
    number,
    uid,
    title,
    body: bodyHere(record, places),
    labels: [...labels],
    status: status === DONE ? ISSUE_STATUSES[0] : status,
    assignee,
    parent: above === undefined || above === uid ? null : above,
    due,
    milestone,
    source: keys[0],
    created: earlier(record.created, now),
  });
}

/** Renumbers references; a number without an issue stops being a reference. */
function bodyHere({ body }: ImportedIssue, places: ReadonlyMap<string, Place>): string {
  return replaceReferences(body, (number) => {
    const meant = places.get(`#${number}`);
    return meant === undefined ? `${number}` : `#${meant.number}`;
  });
}

/** A time in the future would win over every change made here. */
function earlier(time: string | undefined, now: string): string {
  return time === undefined || time === "" || time > now ? now : time;
}

function linesOf(record: ImportedIssue, issue: Issue, now: string): Line[] {
  const { uid, source, created, assignee } = issue;
  const head = { v: LINE_VERSION, uid, source };
  const creation = {
    ...head,
    id: `${uid}-new.0`,
    time: created,
    by: record.author,
    ...creationOf(issue),
    updated: earlier(record.updated, now),
  };
  const comments = record.comments.map(({ author, body, created }, index) => ({
    ...head,
    id: `${uid}-${String(index).padStart(5, "0")}.0`, // of one time, the first goes first
    time: earlier(created, now),
    by: author,
    op: "comment",
    body,
  }));
  if (record.status !== DONE) return [...comments, creation];
  const end = { ...head, time: earlier(record.closed ?? record.updated, now), by: UNKNOWN };
  return [
    ...comments,
    { ...end, id: `${uid}-done.0`, op: "set", field: "status", value: DONE, after: [] },
    ...assignee === null ? [] : [{
      ...end,
      id: `${uid}-done.1`,
      op: "remove",
      field: "assignees",
      values: [assignee],
      after: [creation.id],
    }],
    creation,
  ];
}

/** The fields that differ; either side may have changed them. */
function differences(
  record: ImportedIssue,
  issue: Issue,
  places: ReadonlyMap<string, Place>,
): string[] {
  const here = new Set(issue.comments.map(({ body }) => body));
  const theirs = { ...record, body: bodyHere(record, places) };
  const fields = (["title", "body", "status", "due", "milestone"] as const)
    .filter((field) => theirs[field] !== issue[field]);
  return record.comments.every(({ body }) => here.has(body)) ? fields : [...fields, "comments"];
}
