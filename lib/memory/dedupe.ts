/**
 * Finds texts that say the same among many. Pure.
 *
 * Two texts that have nine tenths of their words in common have one of their rarest words in common
 * too: only those that share one are compared, so that the time hardly grows with their number.
 *
 * @module
 */

import { overlap, wordsOf } from "../text/similarity.ts";

/** A fact that differs in one word is another fact, unless it takes very many words to say. */
const SAME = 0.9;

/** For each text the index of the first one that says the same, which may be its own. */
export function firstDuplicateOf(texts: readonly string[]): number[] {
  const sets = texts.map(wordsOf);
  const frequency = new Map<string, number>();
  for (const words of sets) {
    for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  const isRarer = (a: string, b: string) =>
    frequency.get(a)! - frequency.get(b)! || (a < b ? -1 : 1);
  const byRareWord = new Map<string, number[]>();
  return sets.map((words, index) => {
    const count = words.size - Math.ceil(SAME * words.size) + 1;
    const rare = [...words].sort(isRarer).slice(0, count);
    for (const word of rare) {
      const first = byRareWord.get(word)?.find((other) => overlap(words, sets[other]) >= SAME);
      if (first !== undefined) return first;
    }
    for (const word of rare) byRareWord.set(word, [...byRareWord.get(word) ?? [], index]);
    return index;
  });
}
