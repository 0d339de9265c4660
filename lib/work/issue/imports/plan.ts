// The lines that create imported issues. Pure.
//
// The line that creates an issue comes last. So an interrupted import shows no incomplete issue, and repeating the
// import completes it.

import { stringOf } from "../../../base/checks.ts";
import { type Line, LINE_VERSION, randomId } from "../../../lines/line.ts";
import type { IssueLine } from "../change.ts";
import { replaceReferences } from "../dependencies.ts";
import { DONE, type Issue, ISSUE_STATUSES, newIssue } from "../issue.ts";
import { freeNumbers, type IssueView } from "../issue_files.ts";
import { creationOf } from "../issue_lines.ts";
import { linkedUids } from "../linked_issues.ts";
import { isUncreated } from "../undo.ts";
import { hashOf } from "../../../base/hash.ts";
import { commentLineId, followLines } from "./follow.ts";
import { type ImportedIssue, UNKNOWN } from "./record.ts";

/** The result of an import, or of a dry run. */
export interface ImportPlan {
  /** The issues that the import creates. */
  imported: Array<{ number: number; at: string }>;
  /**
   * The issues that already exist in this workspace, and the fields that differ. Only missing links are added to
   * them.
   */
  known: Array<{ number: number; at: string; differs: string[] }>;
  /** Links that are added to existing issues, such as `#4 waits for #7`. */
  linked: string[];
  /**
   * Parents and dependencies that are neither in the import nor in this workspace, each with the record that names
   * it.
   */
  unlinked: Array<{ at: string; link: string }>;
  /** Existing issues that are updated from the tracker; empty unless the import follows the tracker. */
  changed: number[];
  /** Records that share an id: an older version was left out, or a different title made a separate issue. */
  twice: Array<{ at: string; why: string }>;
}

/** Highest number that an imported issue keeps. Higher numbers would leave none for new issues here. */
const MAX_KEPT_NUMBER = 999_999;

/** The number and uid of an issue that other records may name. */
interface Place {
  number: number;
  uid: string;
}

/** Plans an import: the lines to add, and their effect. */
export function planImport(
  records: readonly ImportedIssue[],
  view: IssueView,
  { taken, now, by, follows = false }: {
    taken: ReadonlySet<number>;
    now: string;
    by: string;
    /** Update existing issues with the changes of the tracker, and give new ones the same `uid` in every clone. */
    follows?: boolean;
  },
): { lines: Line[]; result: ImportPlan } {
  const known = new Map(
    [...view.byUid.values()].filter((known) => follows || !isUncreated(known))
      .flatMap(({ issue }) =>
        [`agentx:${issue.uid}`, issue.source ?? ""].map((key) => [key, issue] as const)
      ),
  );
  const begun = new Map(
    [...view.headless.values()].flat().map((line) => [stringOf(line.source) ?? "", line.uid]),
  );
  const { single, twice } = eachOnce(records);
  const plan: ImportPlan = {
    imported: [],
    known: [],
    linked: [],
    unlinked: [],
    changed: [],
    twice,
  };
  const places = new Map<string, Place>();
  const made: ImportedIssue[] = [];
  const others: Array<{ record: ImportedIssue; issue: Issue }> = [];
  for (const record of single) {
    const issue = record.keys.map((key) => known.get(key)).find((each) => each !== undefined);
    if (issue === undefined) made.push(record);
    else {
      others.push({ record, issue });
      for (const id of record.ids) places.set(id, issue);
    }
  }
  const numbers = numbersFor(made, view, taken);
  for (const [index, { ids, keys, uid }] of made.entries()) {
    const place = {
      number: numbers[index],
      uid: begun.get(keys[0]) ?? uid ?? (follows ? hashOf(keys[0]) : randomId()),
    };
    for (const id of ids) places.set(id, place);
  }
  /** Finds the issue that an id names, in this import or from an earlier import of the same tracker. */
  const placeOf = (id: string, { keys, ids }: ImportedIssue): Place | undefined =>
    places.get(id) ??
      keys.filter((key) => key.endsWith(ids[0]))
        .map((key) => known.get(key.slice(0, -ids[0].length) + id))
        .find((issue) => issue !== undefined);
  const bodyOf = (record: ImportedIssue) =>
    bodyHere(record, (number) => placeOf(`#${number}`, record));
  plan.known = others.map(({ record, issue }) => ({
    number: issue.number,
    at: record.at,
    differs: follows ? [] : differences({ ...record, body: bodyOf(record) }, issue),
  }));
  const blockedBy = blockersOf(single);
  const uids = new Map(Array.from(places.values(), ({ number, uid }) => [number, uid]));
  /** Finds the parent and the blockers of a record, and adds those that do not exist to `plan.unlinked`. */
  const linksOf = (record: ImportedIssue) => {
    const found = (link: string, id: string) => {
      const place = placeOf(id, record);
      if (place === undefined) plan.unlinked.push({ at: record.at, link: `${link} ${id}` });
      return place ?? [];
    };
    const { uid } = places.get(record.ids[0])!;
    const parent = record.parent === null ? [] : [found("parent", record.parent)].flat();
    const blockers = blockedBy.get(record)!.flatMap((id) => found("dependency", id));
    for (const { number, uid } of [...parent, ...blockers]) uids.set(number, uid);
    return { parent: parent.find((each) => each.uid !== uid), blockers };
  };
  const lines = made.flatMap((record) => {
    const issue = issueOf({ ...record, body: bodyOf(record) }, places, now);
    const { parent, blockers } = linksOf(record);
    issue.parent = parent?.uid ?? null;
    issue.labels = [...new Set([...issue.labels, ...blockers.map(waitsFor)])];
    const linked = linkedUids(issue, (number) => uids.get(number));
    if (linked.length > 0) issue.linkedUids = linked;
    plan.imported.push({ number: issue.number, at: record.at });
    return linesOf(record, issue, now);
  });
  const added = others.flatMap(({ record, issue }) => {
    const { parent, blockers } = linksOf(record);
    const before = view.byUid.get(issue.uid)!;
    if (follows) {
      if (before.isDeleted) return [];
      const labels = [...new Set([...record.labels, ...blockers.map(waitsFor)])];
      const theirs = { ...record, body: bodyOf(record), labels, parent: parent?.uid ?? null };
      const lines = followLines({ ...record, source: record.keys[0], issue: theirs }, before, {
        by,
        now,
        uidOf: (number) => uids.get(number) ?? view.byNumber.get(number)?.issue.uid,
      });
      if (lines.length > 0) plan.changed.push(issue.number);
      return lines;
    }
    const had = labelsEver(before.lines);
    const missing = blockers.filter((place) => !had.has(waitsFor(place)));
    const above = issue.parent === null ? parent : undefined;
    for (const { number } of missing) plan.linked.push(`#${issue.number} waits for #${number}`);
    if (above !== undefined) plan.linked.push(`#${issue.number} is part of #${above.number}`);
    return linkLines(issue, { labels: missing.map(waitsFor), above, uids, by, now });
  });
  return { lines: [...lines, ...added], result: plan };
}

/** Returns the lines that add links to an existing issue. */
function linkLines(
  issue: Issue,
  { labels, above, uids, by, now }: {
    labels: string[];
    above: Place | undefined;
    uids: ReadonlyMap<number, string>;
    by: string;
    now: string;
  },
): Line[] {
  const head = { v: LINE_VERSION, uid: issue.uid, time: now, by };
  const linked = linkedUids(
    { ...issue, labels: [...issue.labels, ...labels] },
    (number) => uids.get(number),
  ).filter((each) => issue.linkedUids?.includes(each) !== true);
  const add = (field: string, values: string[]) =>
    values.length === 0 ? [] : [{ ...head, id: randomId(), op: "add", field, values }];
  return [
    ...add("labels", labels),
    ...add("linkedUids", linked),
    ...above === undefined
      ? []
      : [{ ...head, id: randomId(), op: "set", field: "parent", value: above.uid, after: [] }],
  ];
}

/**
 * Returns all labels that an issue ever had. Removed labels are included, so that an import does not restore them.
 */
function labelsEver(lines: readonly IssueLine[]): Set<string> {
  return new Set(lines.flatMap((line) => {
    if (line.op === "create") return line.fields.labels ?? [];
    return line.op === "add" && line.field === "labels" ? line.values : [];
  }));
}

function waitsFor({ number }: Place): string {
  return `blocked_by:#${number}`;
}

/**
 * Keeps one record per issue. If two records share an id, the newer one is kept. If they have different titles and
 * either the same update time or files of their own, both are kept, and the second one gets its own key.
 */
function eachOnce(
  records: readonly ImportedIssue[],
): { single: ImportedIssue[]; twice: ImportPlan["twice"] } {
  const single = new Map<string, ImportedIssue>();
  const twice: ImportPlan["twice"] = [];
  for (const record of records) {
    const [key] = record.keys;
    const before = single.get(key);
    if (before === undefined) {
      single.set(key, record);
      continue;
    }
    const [older, newer] = (record.updated ?? "") > (before.updated ?? "")
      ? [before, record]
      : [record, before];
    const isOther = older.title !== newer.title &&
      (record.isOwnFile === true || older.updated === newer.updated);
    const inPlace = (of: ImportedIssue) => `${record.ids[0]} is also in ${of.at}`;
    if (isOther) {
      const ids = [`${record.ids[0]} (${record.title})`];
      single.set(`${key} (${record.title})`, {
        ...record,
        ids,
        keys: [`${key} (${record.title})`],
      });
      twice.push({ at: record.at, why: `${inPlace(before)} with another title: both were taken` });
    } else {
      single.set(key, newer);
      twice.push({ at: older.at, why: `${inPlace(newer)}, which was taken` });
    }
  }
  return { single: [...single.values()], twice };
}

/**
 * Keeps the numbers of the records if all are free and higher than every local number; otherwise returns new
 * numbers.
 */
function numbersFor(
  records: readonly ImportedIssue[],
  view: IssueView,
  taken: ReadonlySet<number>,
): number[] {
  const own = records.map(({ number }) => number ?? 0);
  const areFree = new Set(own).size === own.length &&
    own.every((number) => number > view.highest && number <= MAX_KEPT_NUMBER && !taken.has(number));
  return areFree ? own : freeNumbers(view, taken, own.length);
}

/** Returns the ids of the issues that each record waits for, including issues that name the record in `blocks`. */
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
  const { title, labels, status, assignee, due, milestone, keys } = record;
  const { number, uid } = places.get(record.ids[0])!;
  return newIssue({
    number,
    uid,
    title,
    body: record.body,
    labels: [...labels],
    status: status === DONE ? ISSUE_STATUSES[0] : status,
    assignee,
    due,
    milestone,
    source: keys[0],
    created: earlier(record.created, now),
  });
}

/** Replaces references with the local numbers. A number without an issue loses its `#`. */
function bodyHere(
  { body }: ImportedIssue,
  placeOf: (number: number) => Place | undefined,
): string {
  return replaceReferences(body, (number) => {
    const meant = placeOf(number);
    return meant === undefined ? `${number}` : `#${meant.number}`;
  });
}

/** Limits a time to the present. A future time would win over every local change. */
function earlier(time: string | undefined, now: string): string {
  return time === undefined || time === "" || time > now ? now : time;
}

function linesOf(record: ImportedIssue, issue: Issue, now: string): Line[] {
  const { uid, source, created } = issue;
  const head = { v: LINE_VERSION, uid, source };
  const creation = {
    ...head,
    id: `${uid}-new.0`,
    time: created,
    by: record.author,
    ...creationOf(issue),
    updated: earlier(record.updated, now),
  };
  const comments = record.comments.map(({ author, body, created, id }, index) => ({
    ...head,
    id: commentLineId(uid, { author, body, created, id }, index),
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
    creation,
  ];
}

/** Returns the fields that differ between a record and an existing issue. Either side may have changed. */
function differences(record: ImportedIssue, issue: Issue): string[] {
  const here = new Set(issue.comments.map(({ body }) => body));
  const fields = (["title", "body", "status", "due", "milestone"] as const)
    .filter((field) => record[field] !== issue[field]);
  return record.comments.every(({ body }) => here.has(body)) ? fields : [...fields, "comments"];
}
