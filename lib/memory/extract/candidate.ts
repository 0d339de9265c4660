/**
 * A sentence that may become an observation. Pure.
 *
 * @module
 */

import type { ObservationCategory } from "../schema.ts";

/** A sentence, word for word, and what it is worth. */
export interface Candidate {
  /** Redacted; white space is single. */
  text: string;
  /** What it tells. */
  category: ObservationCategory;
  /** The more, the rather it is kept: 1 for a plain statement, 10 for a decision of a person. */
  weight: number;
  /** Which message it comes from, from 0. */
  message: number;
  /** The name of the file, where it tells no more than that this one was changed. */
  file?: string;
}
