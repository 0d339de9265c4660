/**
 * Lists of observations, without ranking.
 *
 * @module
 */

import { byTime, type ObservationIndex } from "../schema.ts";
import type { IndexView } from "./index_view.ts";

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
    .sort((a, b) => byTime(b, a));
}
