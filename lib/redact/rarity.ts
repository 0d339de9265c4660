// How rare a value is among words and names: what was drawn by chance has pairs of letters that hardly
// a word has. Tells a token from a long name better than entropy, which is as high for both. Pure.

import { LETTERS, PAIRS } from "./rules/letter_pairs.ts";

export { LETTERS };

const STEPS_PER_BIT = 2;
/** The table tells no digit from another. */
const STEPS_OF_DIGIT = 4;
const [A, DIGIT, OTHER] = [97, 26, 27];

/** At most, of what is put together from words, in bits per character. */
export const COMMON = 4;
/** Of what is hardly a name. */
export const RARE = 5.7;
/** Of what is no name at all. */
export const VERY_RARE = 6.6;

let pairs: Uint8Array | undefined;

/** Bits per character: up to 5 for names, about 8 for what was drawn from letters and digits. */
export function rarity(value: string): number {
  pairs ??= Uint8Array.from(PAIRS, (step) => step.charCodeAt(0) - A);
  let steps = 0;
  let before = OTHER;
  for (let at = 0; at < value.length; at++) {
    const letter = letterOf(value.charCodeAt(at));
    steps += pairs[before * LETTERS.length + letter] + (letter === DIGIT ? STEPS_OF_DIGIT : 0);
    before = letter;
  }
  return steps / STEPS_PER_BIT / Math.max(1, value.length);
}

/** The place of a character in {@linkcode LETTERS}, whatever its case. */
export function letterOf(code: number): number {
  const lower = code | 32;
  if (lower >= A && lower < A + DIGIT) return lower - A;
  return code >= 48 && code <= 57 ? DIGIT : OTHER;
}
