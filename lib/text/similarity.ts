// Measures the similarity of two texts, to find agents that repeat themselves and observations that say the same. Pure.

/** Returns a number from 0 for no common word to 1 for the same words, ignoring case and punctuation. */
export function similarity(a: string, b: string): number {
  const wordsOfA = wordsOf(a);
  return wordsOfA.size === 0 && a === b ? 1 : overlap(wordsOfA, wordsOf(b));
}

/** Returns the Jaccard index of the words of two texts; 0 if neither has any. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}

/** Returns the words of a text, each once, ignoring case and punctuation. */
export function wordsOf(text: string): Set<string> {
  return new Set(text.normalize("NFKC").toLowerCase().match(/[\p{L}\p{N}]+/gu));
}
