/**
 * The originals of what was compacted: those that the archive has whole, and those that are in the
 * summaries and are taken apart again (`joined.ts`). Pure.
 *
 * @module
 */

import { takeApart } from "../joined.ts";
import { byTime, type Observation } from "../schema.ts";
import type { IssueContent } from "./issue_files.ts";

/** What there is of an issue besides what is in place. */
export interface Compacted {
  /** Each once; also summaries that were archived themselves. */
  originals: Observation[];
  /** The ids of summaries that were edited: what they say of each original cannot be told any more. */
  edited: string[];
}

/** @returns what two files say together: that of an issue, and its archive */
export function compactedIn(issue: IssueContent, archive: IssueContent): Compacted {
  const { joined = [] } = archive.file ?? {};
  const ids = new Set(joined.map(({ of }) => of));
  const summaries = [archive, issue]
    .flatMap(({ hidden, observations }) => [...hidden, ...observations])
    .filter(({ id }) => ids.has(id));
  const originals = new Map<string, Observation>();
  const apart = new Set<string>();
  for (const each of joined) {
    for (const summary of summaries.filter(({ id }) => id === each.of)) {
      const taken = takeApart(summary, each);
      if (taken !== undefined) apart.add(summary.id);
      for (const original of taken ?? []) originals.set(original.id, original);
    }
  }
  for (const each of archive.observations) originals.set(each.id, each);
  const edited = summaries.map(({ id }) => id).filter((id) => !apart.has(id));
  return { originals: [...originals.values()], edited };
}

/** By time, and those of one time in the order in which they were before; others come after them. */
export function inOrder(
  observations: readonly Observation[],
  { order = [] }: { order?: readonly string[] },
): Observation[] {
  const places = new Map(order.map((id, index) => [id, index]));
  const placeOf = ({ id }: Observation) => places.get(id) ?? order.length;
  return observations.toSorted((a, b) => byTime(a, b) || placeOf(a) - placeOf(b));
}

/** The ids of those that share their time with another that leaves, in their order. */
export function orderOf(
  observations: readonly Observation[],
  leaving: ReadonlySet<string>,
): string[] {
  const counts = new Map<string, number>();
  for (const { timestamp } of observations) {
    counts.set(timestamp, (counts.get(timestamp) ?? 0) + 1);
  }
  const times = new Set(
    observations.filter(({ id }) => leaving.has(id)).map(({ timestamp }) => timestamp),
  );
  return observations
    .filter(({ timestamp }) => counts.get(timestamp)! > 1 && times.has(timestamp))
    .map(({ id }) => id);
}
