/**
 * How alike two texts are: for finding agents that go round in circles, and observations that say
 * the same. Pure.
 *
 * @module
 */

/**
 * @param a a text
 * @param b another text
 * @returns 0 for no word in common, 1 for the same words: the Jaccard index of their word sets, case
 *   and punctuation apart
 */
export function similarity(a: string, b: string): number {
  const wordsOfA = wordsOf(a);
  return wordsOfA.size === 0 && a === b ? 1 : overlap(wordsOfA, wordsOf(b));
}

/**
 * @param a the words of a text
 * @param b the words of another text
 * @returns their Jaccard index; 0 where neither has any
 */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}

/**
 * @param text anything
 * @returns its words, each once, case and punctuation apart
 */
export function wordsOf(text: string): Set<string> {
  return new Set(text.normalize("NFKC").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
