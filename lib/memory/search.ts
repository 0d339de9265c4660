/**
 * Ranked search over the observations.
 *
 * @module
 */

import { indexOf, type Observation, type ObservationIndex } from "./schema.ts";

/** What a search found. */
export interface ObservationHit extends ObservationIndex {
  /** How well it fits: more is better. */
  score: number;
}

/**
 * @param query words
 * @param observations those that may be found
 * @param limit most hits
 * @returns the hits, the best first; among equals the newest
 */
export function searchObservations(
  query: string,
  observations: readonly Observation[],
  limit: number,
): ObservationHit[] {
  const terms = new Set(wordsOf(query));
  const documents = observations.map((observation) => ({
    observation,
    words: new Set(wordsOf(observation.content)),
  }));
  const weights = new Map<string, number>();
  for (const term of terms) {
    const count = documents.filter(({ words }) => words.has(term)).length;
    if (count > 0) weights.set(term, Math.log(1 + documents.length / count));
  }
  return documents
    .map(({ observation, words }) => {
      let score = 0;
      for (const [term, weight] of weights) if (words.has(term)) score += weight;
      return { ...indexOf(observation), score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.timestamp < b.timestamp ? 1 : -1))
    .slice(0, limit);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
