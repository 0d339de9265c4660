/**
 * Derives the table of `lib/redact/letter_pairs.ts` from the prose of the dev half.
 *
 * @module
 */

import { letterOf, LETTERS } from "../../lib/redact/letter_pairs.ts";
import { prose } from "./ordinary.ts";

const WORD = /[A-Za-z0-9_./-]+/g;
/** Of pairs that were never seen. */
const UNSEEN = 0.5;
const STEPS_PER_BIT = 2;
const LAST_STEP = 25;

/**
 * @returns the table: how rare each pair is, row by row, as a letter
 */
export function derivePairs(): string {
  const size = LETTERS.length;
  const counts = new Float64Array(size * size).fill(UNSEEN);
  for (const { text } of prose("dev")) {
    for (const [word] of text.matchAll(WORD)) {
      let before = size - 1;
      for (let at = 0; at <= word.length; at++) {
        const letter = at < word.length ? letterOf(word.charCodeAt(at)) : size - 1;
        counts[before * size + letter]++;
        before = letter;
      }
    }
  }
  return Array.from(counts, (count, pair) => {
    const row = counts.subarray(pair - pair % size, pair - pair % size + size);
    const bits = Math.log2(row.reduce((sum, each) => sum + each, 0) / count);
    return String.fromCharCode(97 + Math.min(LAST_STEP, Math.round(bits * STEPS_PER_BIT)));
  }).join("");
}
