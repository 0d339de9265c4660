// The lines that update a local issue from its tracker. Pure.
//
// Lines that came from the tracker have a `source`. Folding only these lines gives the last known version of the
// tracker. Only fields that differ from that version are written, so local edits of other fields remain. If a title
// or body was edited on both sides, the result is a contest, and a person decides.

import { objectOf } from "../../../base/checks.ts";
import { type Line, LINE_VERSION, randomId } from "../../../lines/line.ts";
import type { IssueChange } from "../change.ts";
import { editsOf, type FoldedIssue, foldIssues } from "../fold.ts";
import { DONE, type Issue, moveTo, NOBODY } from "../issue.ts";
import { changesBetween, linesFor } from "../issue_lines.ts";
import { withLabels } from "../labels.ts";
import { linkedUids } from "../linked_issues.ts";
import type { ImportedComment, ImportedIssue } from "./record.ts";

/** The current data of the tracker, with the numbers and uids of this workspace. */
export interface Theirs extends Pick<ImportedIssue, "comments" | "hasAllComments"> {
  /** The place of the issue in the tracker, such as `github:acme/shop#12`. */
  source: string;
  issue: Pick<
    Issue,
    "title" | "body" | "labels" | "status" | "assignee" | "due" | "milestone" | "parent"
  >;
}

const FIELDS = ["title", "body", "due", "milestone", "parent"] as const;

const MAX_AFTER = 64;

/**
 * Returns the tracker's last known version of an issue: the fold of its lines alone. For an issue that was created
 * locally, this version starts empty.
 */
export function saidLast({ issue, lines }: FoldedIssue): FoldedIssue {
  const own = lines.filter(({ source }) => source !== undefined);
  const creation = lines.find(({ op }) => op === "create")!;
  const { number } = objectOf(creation.fields);
  const begun = creation.source === undefined ? [{ ...creation, fields: { number } }] : [];
  return foldIssues([...begun, ...own]).issues.get(issue.uid)!;
}

/** Returns the lines to add to a local issue; none if nothing changed in the tracker. */
export function followLines(
  { issue: said, source, ...comments }: Theirs,
  known: FoldedIssue,
  { by, now, uidOf }: { by: string; now: string; uidOf: (number: number) => string | undefined },
): Line[] {
  const { issue, lines } = known;
  const before = saidLast(known);
  const was = before.issue;
  const isClosed = said.status === DONE;
  const { body, labels, status, due, milestone, parent } = said; // `number` differs between tracker and workspace
  const theirs = {
    ...{ body, labels, status, due, milestone, parent },
    title: plainTitle(said.title) === plainTitle(issue.title) ? issue.title : said.title,
    assignee: isClosed ? null : said.assignee,
  };
  const after = structuredClone(issue);
  for (const field of FIELDS) {
    if (theirs[field] !== was[field]) Object.assign(after, { [field]: theirs[field] });
  }
  const add = theirs.labels.filter((label) => !was.labels.includes(label));
  const remove = was.labels.filter((label) => !theirs.labels.includes(label));
  after.labels = withLabels(after.labels, { add, remove });
  const isEnd = isClosed !== (was.status === DONE); // otherwise an issue that was closed locally stays closed
  if (theirs.status !== was.status && (isEnd || issue.status !== DONE)) {
    moveTo(after, theirs.status);
  }
  const isMoved = !isClosed && theirs.assignee !== was.assignee;
  if (isMoved && (theirs.assignee !== null || issue.assignee === was.assignee)) {
    Object.assign(after, NOBODY, { assignee: theirs.assignee });
  }
  const linked = linkedUids(after, uidOf);
  if (linked.length > 0) after.linkedUids = linked;
  const changes = changesBetween(after, known).map((change): IssueChange => {
    if (change.op !== "set" || change.field !== "title" && change.field !== "body") return change;
    const isContested = known.contests.some(({ field }) => field === change.field);
    if (issue[change.field] === was[change.field] && !isContested) return change;
    return { ...change, after: editsOf(before.lines, change.field).map(({ id }) => id) };
  });
  const head = { uid: issue.uid, time: now, by };
  const merging = linesFor(changes, { ...head, changeId: randomId() });
  // Also record a field that is now equal on both sides. Otherwise the next change in the tracker would not be
  // noticed.
  const noted = foldIssues([...before.lines, ...merging]).issues.get(issue.uid)!;
  const rest = changesBetween({ ...noted.issue, ...theirs }, noted).map((change): IssueChange => {
    if (change.op !== "set" || change.value !== after[change.field]) return change;
    const seen = editsOf(lines, change.field).slice(-MAX_AFTER).map(({ id }) => id);
    return { ...change, after: seen };
  });
  return [
    ...merging,
    ...linesFor(rest, { ...head, changeId: randomId() }),
    ...commentLines(comments, known, head),
  ].map((line) => ({ ...line, source: issue.source ?? source }));
}

/** Normalizes a title to one line without runs of spaces, as trackers do. */
function plainTitle(title: string): string {
  return title.trim().replaceAll(/\s+/g, " ");
}

/** Returns the lines that add new comments, replace edited ones and undo deleted ones. */
function commentLines(
  { comments, hasAllComments = false }: Pick<Theirs, "comments" | "hasAllComments">,
  { lines, undone }: FoldedIssue,
  head: { uid: string; time: string; by: string },
): Line[] {
  const ids = new Set(lines.map(({ id }) => id));
  const shown = lines.filter(({ id, op, source }) =>
    op === "comment" && source !== undefined && !undone.has(id)
  );
  const byName = new Map(shown.map((line) => [nameOf(line.id), line]));
  const byMoment = new Map(shown.map((line) => [`${line.time} ${line.by}`, line]));
  const kept = new Set<string>();
  const added: Line[] = [];
  const gone: string[] = [];
  for (const comment of comments) {
    const id = commentLineId(head.uid, comment, 0);
    const before = byName.get(nameOf(id)) ??
      byMoment.get(`${comment.created} ${comment.author}`);
    if (before !== undefined) kept.add(before.id);
    if (ids.has(id) || (before as { body?: string })?.body === comment.body) continue;
    if (before !== undefined) gone.push(before.id);
    const { author, body, created } = comment;
    added.push({ ...head, v: LINE_VERSION, id, time: created, by: author, op: "comment", body });
  }
  if (hasAllComments) {
    gone.push(...shown.filter(({ id }) => isOfTracker(id) && !kept.has(id)).map(({ id }) => id));
  }
  const undo = gone.length === 0 ? [] : [{ op: "undo" as const, undone: gone }];
  return [...added, ...linesFor(undo, { ...head, changeId: randomId() })];
}

/**
 * Returns the line id of a comment. If the tracker gives the comment an id, the line id is the same in every clone.
 */
export function commentLineId(uid: string, { id }: ImportedComment, index: number): string {
  return `${uid}-${id ?? String(index).padStart(5, "0")}.0`; // comments with the same time sort by this id
}

/** Returns the key that all versions of one comment share. */
function nameOf(lineId: string): string {
  return isOfTracker(lineId) ? lineId.slice(0, lineId.lastIndexOf("-")) : lineId;
}

function isOfTracker(lineId: string): boolean {
  return /-c\d+-[0-9a-f]+\.0$/.test(lineId);
}
