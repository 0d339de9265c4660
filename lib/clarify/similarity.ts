/**
 * How alike two texts are, for finding agents that go round in circles. Pure.
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
  const wordsOfB = wordsOf(b);
  const common = [...wordsOfA].filter((word) => wordsOfB.has(word)).length;
  const all = wordsOfA.size + wordsOfB.size - common;
  return all === 0 ? Number(a === b) : common / all;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.normalize("NFKC").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
