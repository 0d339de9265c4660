/**
 * Terms that a word with stars, or with a fuzziness, stands for. Pure.
 *
 * @module
 */

/**
 * Takes time in proportion to the length of the term for each part between the stars, however many
 * stars there are.
 *
 * @param pattern a word; each star in it stands for any characters, or none
 * @returns whether the pattern fits a whole term
 */
export function wildcardMatcher(pattern: string): (term: string) => boolean {
  const [start, ...parts] = pattern.split("*");
  const end = parts.pop() ?? "";
  return (term) => {
    if (!term.startsWith(start) || !term.endsWith(end)) return false;
    let from = start.length;
    for (const part of parts) {
      const at = term.indexOf(part, from); // the first place leaves the most room for the others
      if (at < 0) return false;
      from = at + part.length;
    }
    return from + end.length <= term.length;
  };
}

/**
 * @param word any word
 * @param editDistance letters to add, take away, replace or exchange
 * @returns whether a term may be that near: true for all that are, and for a few others
 */
export function nearMatcher(word: string, editDistance: number): (term: string) => boolean {
  const letters = Array.from(word);
  return (term) => {
    if (Math.abs(term.length - word.length) > editDistance * 2) return false;
    const rest = Array.from(term);
    let missing = 0;
    for (const letter of letters) {
      const at = rest.indexOf(letter);
      if (at < 0) missing++;
      else rest.splice(at, 1);
    }
    return missing <= editDistance && rest.length <= editDistance;
  };
}
