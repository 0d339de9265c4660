// The similarity of two texts, to find agents that go round in circles and observations that say the
// same. Pure.

/** Most texts are, and need no tables of Unicode. */
const ASCII = /^[\0-\x7f]*$/;

/** From 0 for no common word to 1 for the same words, ignoring case and punctuation. */
export function similarity(a: string, b: string): number {
  const wordsOfA = wordsOf(a);
  return wordsOfA.size === 0 && a === b ? 1 : overlap(wordsOfA, wordsOf(b));
}

/** Whether {@linkcode overlap} of two sets of words reaches a share above 0: most are given up early. */
export function overlapsBy(a: ReadonlySet<string>, b: ReadonlySet<string>, least: number): boolean {
  let common = a.size;
  let all = b.size;
  for (const word of a) {
    if (b.has(word)) continue;
    common--;
    all++;
    if (common / all < least) return false;
  }
  return common / all >= least;
}

/** The Jaccard index of the words of two texts; 0 if neither has any. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}

/** The words of a text, each once, ignoring case and punctuation. */
export function wordsOf(text: string): Set<string> {
  if (ASCII.test(text)) return new Set(text.toLowerCase().match(/[a-z0-9]+/g));
  return new Set(text.normalize("NFKC").toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

/** False only where a text has none of some words, as {@linkcode wordsOf} gives them: a quick look. */
export function mayHaveOneOf(words: Iterable<string>, text: string): boolean {
  if (!ASCII.test(text)) return true;
  const lower = text.toLowerCase();
  for (const word of words) if (lower.includes(word)) return true;
  return false;
}
