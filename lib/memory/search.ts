/**
 * Ranked search over the observations.
 *
 * @module
 */

import type { IndexView } from "./index_view.ts";
import { readQuery } from "./query.ts";
import { rank } from "./ranking.ts";
import type { ObservationIndex } from "./schema.ts";

/** What a search found. */
export interface ObservationHit extends ObservationIndex {
  /** How well it fits: more is better. */
  score: number;
}

/**
 * @param query words
 * @param view the index
 * @param limit most hits
 * @returns the hits, the best first; among equals the newest
 */
export function searchObservations(
  query: string,
  view: IndexView,
  limit: number,
): ObservationHit[] {
  const { corpus } = view;
  const agents = new Set(corpus.segments.flatMap(({ nameList }) => nameList));
  const ranked = rank(corpus, readQuery(query, agents), limit);
  const entries = view.entriesOf(ranked.map(({ document }) => document));
  return entries.map((entry, index) => ({ ...entry, score: ranked[index].score }));
}

/**
 * @param matches tells what is looked for
 * @param view the index
 * @returns what fits, the newest first
 */
export function listObservations(
  matches: (entry: ObservationIndex) => boolean,
  view: IndexView,
): ObservationIndex[] {
  const { corpus } = view;
  const documents = Array.from({ length: corpus.size }, (_, document) => document)
    .filter((document) => corpus.isLive(document));
  return view.entriesOf(documents).filter(matches)
    .sort((a, b) => a.timestamp < b.timestamp ? 1 : a.timestamp > b.timestamp ? -1 : 0);
}
