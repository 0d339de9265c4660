/**
 * Cleans up what merges left in the files of issues, and separates issues that got the same number on
 * two branches.
 *
 * The result depends only on what is in the files: every clone that has merged the same branches, in
 * whatever order, writes the same.
 *
 * @module
 */

import type { Issue } from "./issue.ts";
import { byAge, fileOf, type IssueFile } from "./issue_file.ts";
import { completed, type IssueFiles } from "./issue_files.ts";
import { relink } from "./linked.ts";

/** An issue that got a new number. */
export interface Renumbered {
  /** The number that another issue keeps. */
  from: number;
  /** Its own number now. */
  to: number;
  /** What it is about. */
  title: string;
}

/** What was done to the files of issues. */
export interface IssueRepair {
  /** The issues whose files were repaired after a merge. */
  cleared: number[];
  /** The issues that got a new number, since another issue had the same. */
  renumbered: Renumbered[];
  /** The issues whose labels and dependencies were changed to a new number. */
  relinked: number[];
}

/** All that is known of one issue. */
interface Sighting {
  issue: Issue;
  /** The numbers under which it was found. */
  numbers: number[];
}

/**
 * @param files of a folder
 * @param by who does it; shown to those who wait
 * @returns what was done; files that cannot be read are left as they are
 */
export async function repairIssues(files: IssueFiles, by: string): Promise<IssueRepair> {
  const isCrowded = () => {
    const all = readable(files);
    const uids = all.map(([number, { issue }]) => completed(issue, number).uid);
    return all.some(([, { others }]) => others.length > 0) || new Set(uids).size < uids.length;
  };
  const renumbered = !isCrowded()
    ? []
    : await files.withNextNumber(by, (next) => separateIssues(files, { by, next }));
  const cleared: number[] = [];
  for (const [number, { isMerged }] of readable(files)) {
    if (!isMerged) continue;
    await files.file(number).update(by, (current) => {
      const file = current as IssueFile;
      return file.isMerged ? fileOf(completed(file.issue, number)) : file;
    });
    cleared.push(number);
  }
  return { cleared, renumbered, relinked: await relinkIssues(files, by) };
}

/** An issue is written to its new place before it leaves the old one. */
async function separateIssues(
  files: IssueFiles,
  { by, next }: { by: string; next: number },
): Promise<Renumbered[]> {
  const seen = seenIssues(readable(files));
  const places = placesFor(seen, next);
  const isCrowded = (number: number) => (files.readable(number)?.others.length ?? 0) > 0;
  const moved = [...places].filter(([number, { numbers }]) =>
    numbers.length > 1 || numbers[0] !== number || isCrowded(number)
  );
  const isNew = (number: number) => number >= next;
  moved.sort(([a], [b]) => Number(isNew(b)) - Number(isNew(a)) || a - b);
  for (const [number, { issue }] of moved) {
    await files.file(number).update(by, (current) => {
      const before = current === undefined ? undefined : completed(current.issue, number);
      const isSame = before?.uid === issue.uid; // it may have changed meanwhile
      return fileOf({ ...isSame ? unite(before, issue) : issue, number });
    });
  }
  const found = new Set([...seen.values()].flatMap(({ numbers }) => numbers));
  for (const number of found) if (!places.has(number)) files.remove(number);
  return moved.flatMap(([to, { issue: { title }, numbers }]) =>
    numbers.filter((from) => from !== to).map((from) => ({ from, to, title }))
  );
}

/** Lists every issue once, whichever files it was found in. */
function seenIssues(all: readonly [number, IssueFile][]): Map<string, Sighting> {
  const seen = new Map<string, Sighting>();
  const strays: [number, IssueFile["others"][number]][] = [];
  const note = (number: number, issue: Issue) => {
    const known = seen.get(issue.uid);
    if (known === undefined) seen.set(issue.uid, { issue, numbers: [number] });
    else {
      known.issue = unite(known.issue, issue);
      known.numbers.push(number);
    }
  };
  for (const [number, { issue, others }] of all) {
    note(number, completed(issue, number));
    strays.push(...others.map((other): [number, typeof other] => [number, other]));
  }
  for (const [number, { issue, ownKeys }] of strays) {
    const whole = completed(issue, number);
    const known = seen.get(whole.uid)?.issue;
    if (known === undefined) note(number, whole);
    else {
      const own = Object.entries(issue).filter(([key]) => ownKeys.includes(key));
      const { comments, uid } = whole;
      note(number, { ...known, ...Object.fromEntries(own), comments, uid });
    }
  }
  return seen;
}

/** Merges two versions of an issue: the result does not depend on their order. */
function unite(a: Issue, b: Issue): Issue {
  const [early, late] = [a, b].sort((a, b) =>
    a.updated < b.updated || a.updated === b.updated && JSON.stringify(a) < JSON.stringify(b)
      ? -1
      : 1
  );
  const comments = new Map(
    [...early.comments, ...late.comments].map((each) => [JSON.stringify(each), each]),
  );
  const inOrder = [...comments].sort(([textA, { created: a }], [textB, { created: b }]) =>
    a < b || a === b && textA < textB ? -1 : 1
  );
  const links = [...new Set([...early.linkedUids ?? [], ...late.linkedUids ?? []])].sort();
  return {
    ...late,
    ...links.length === 0 ? {} : { linkedUids: links },
    labels: [...new Set([...early.labels, ...late.labels])].sort(),
    comments: inOrder.map(([, comment]) => comment),
  };
}

/** Older issues keep their numbers first; those left without one get new ones. */
function placesFor(seen: ReadonlyMap<string, Sighting>, next: number): Map<number, Sighting> {
  const places = new Map<number, Sighting>();
  const homeless: Sighting[] = [];
  const byAges = [...seen.values()].sort((a, b) => byAge(a.issue, b.issue));
  for (const sighting of byAges) {
    const free = sighting.numbers.sort((a, b) => a - b).find((number) => !places.has(number));
    if (free === undefined) homeless.push(sighting);
    else places.set(free, sighting);
  }
  homeless.forEach((sighting, index) => places.set(next + index, sighting));
  return places;
}

/** A label or a dependency follows the issue that it meant. */
async function relinkIssues(files: IssueFiles, by: string): Promise<number[]> {
  const all = readable(files);
  const numberOf = new Map(
    all.map(([number, { issue }]) => [completed(issue, number).uid, number]),
  );
  const relinked: number[] = [];
  for (const [number, { issue }] of all) {
    const before = completed(issue, number);
    const after = relink(before, numberOf);
    if (JSON.stringify(after) === JSON.stringify(before)) continue;
    await files.file(number).update(by, (current) => {
      const file = current as IssueFile;
      return { ...fileOf(relink(completed(file.issue, number), numberOf)) };
    });
    relinked.push(number);
  }
  return relinked;
}

function readable(files: IssueFiles): [number, IssueFile][] {
  return files.numbers().flatMap((number): [number, IssueFile][] => {
    const file = files.readable(number);
    return file === undefined ? [] : [[number, file]];
  });
}
