/**
 * Lists of observations, without ranking. Pure.
 *
 * @module
 */

import { byTime, type ObservationIndex } from "../schema.ts";
import type { IndexView } from "./index_view.ts";

/** What fits, the newest first. */
export function listObservations(
  matches: (entry: ObservationIndex) => boolean,
  view: IndexView,
): ObservationIndex[] {
  for (const segment of view.segments) segment.keepEntries();
  return view.entriesOf(view.documents()).filter(matches).sort((a, b) => byTime(b, a));
}
