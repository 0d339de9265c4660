/**
 * Finds texts that say the same among many. Pure.
 *
 * Two texts that have nine tenths of their words in common have one of their rarest words in common
 * too: only those that share one are compared, so that the time hardly grows with their number.
 *
 * @module
 */

import { overlapsBy, wordsOf } from "../text/similarity.ts";

/** A fact that differs in one word is another fact, unless it takes very many words to say. */
const SAME = 0.9;

/** Tells, of one text after the other, whether one before it says the same. */
export class SaidBefore {
  readonly #sets: ReadonlySet<string>[] = [];
  readonly #byRareWord = new Map<string, number[]>();

  /** The number of the first text so far that says the same: its own, if none does. */
  add(text: string): number {
    const words = wordsOf(text);
    const index = this.#sets.push(words) - 1;
    const count = words.size - Math.ceil(SAME * words.size) + 1;
    const rare = [...words].sort(isRarer).slice(0, count);
    for (const word of rare) {
      const first = this.#byRareWord.get(word)
        ?.find((other) => overlapsBy(words, this.#sets[other], SAME));
      if (first !== undefined) return first;
    }
    for (const word of rare) {
      const others = this.#byRareWord.get(word);
      if (others === undefined) this.#byRareWord.set(word, [index]);
      else others.push(index);
    }
    return index;
  }
}

/** For each text the index of the first one that says the same, which may be its own. */
export function firstDuplicateOf(texts: readonly string[]): number[] {
  const said = new SaidBefore();
  return texts.map((text) => said.add(text));
}

/** Long words are rare ones. */
function isRarer(a: string, b: string): number {
  return b.length - a.length || (a < b ? -1 : 1);
}
