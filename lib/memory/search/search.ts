/**
 * Search over the observations: a query is read as plain words, or as words with signs, and answered
 * by one scorer. Pure.
 *
 * @module
 */

import type { ObservationIndex } from "../schema.ts";
import { rank } from "./bm25.ts";
import type { IndexView } from "./index_view.ts";
import { readPlainQuery } from "./plain_query.ts";
import { readSignedQuery } from "./signed_query.ts";

/** What a search found. */
export interface ObservationHit extends ObservationIndex {
  /** How well it fits: more is better. */
  score: number;
}

/**
 * @param text words, or words with signs
 * @param view the index
 * @param limit most hits
 * @returns the hits, the best first; among equals the newest
 * @throws {AgentxError} `INVALID_INPUT` if words with signs stand for more than 5,000 others
 */
export async function searchObservations(
  text: string,
  view: IndexView,
  limit: number,
): Promise<ObservationHit[]> {
  const question = await readSignedQuery(text, view) ?? readPlainQuery(text, view);
  const ranked = rank(view, question, limit);
  const entries = view.entriesOf(ranked.map(({ document }) => document));
  return entries.map((entry, index) => ({ ...entry, score: ranked[index].score }));
}
