// Finds the changes between two reads of a list, from any source, each once. Pure.

import { changeIdOf } from "../../lines/line.ts";
import { type HistoryEntry, historyOf } from "../../work/issue/history.ts";
import type { KnownIssue } from "../../work/issue/issue_files.ts";
import type { IssueRow } from "../../work/issue/row.ts";

/** The issues at one moment. */
export interface IssueLook<Row extends IssueRow> {
  /** The rows of the list. */
  rows: readonly Row[];
  /** All issues by uid, also those that the list does not show. */
  byUid: ReadonlyMap<string, KnownIssue>;
}

/** Something that happened to an issue of a list. */
export interface FollowedChange<Row extends IssueRow> {
  /** The name of the issue, such as `#12`. */
  ref: string;
  uid: string;
  /** The change and its author; null if nobody edited the issue: a claim ended, or git removed lines. */
  change: HistoryEntry | null;
  /** The issue after all changes; null if the list no longer shows it. */
  issue: Row | null;
}

/** Returns the changes between two looks, the earliest first. It leaves out an issue that neither list shows. */
export function changesSince<Row extends IssueRow>(
  before: IssueLook<Row>,
  now: IssueLook<Row>,
): FollowedChange<Row>[] {
  const earlier = byUid(before.rows);
  const later = byUid(now.rows);
  const changes = [...new Set([...earlier.keys(), ...later.keys()])].flatMap((uid) => {
    const [old, issue = null] = [earlier.get(uid), later.get(uid)];
    const known = now.byUid.get(uid);
    const came = known === undefined ? [] : entriesSince(before.byUid.get(uid), known);
    const isSame = came.length === 0 && JSON.stringify(old) === JSON.stringify(issue ?? undefined);
    const ref = (known ?? before.byUid.get(uid))!.ref;
    return (came.length > 0 || isSame ? came : [null])
      .map((change): FollowedChange<Row> => ({ ref, uid, change, issue }));
  });
  const timeOf = ({ change }: FollowedChange<Row>) => change?.time ?? "";
  return changes.sort((a, b) => timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0);
}

function entriesSince(before: KnownIssue | undefined, now: KnownIssue): HistoryEntry[] {
  const had = new Set(before?.lines.map(({ id }) => id));
  const came = new Set(now.lines.filter(({ id }) => !had.has(id)).map(({ id }) => changeIdOf(id)));
  return came.size === 0 ? [] : historyOf(now).filter(({ change }) => came.has(change)).reverse();
}

function byUid<Row extends IssueRow>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.uid, row]));
}
