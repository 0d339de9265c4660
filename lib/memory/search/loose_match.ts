/**
 * Terms that a word with stars, or with a fuzziness, stands for. Pure.
 *
 * @module
 */

/**
 * Whether a pattern fits a whole term: each star in it stands for any characters, or none. It takes
 * time in proportion to the length of the term for each part between the stars, however many there
 * are.
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

/** Whether so many letters, at most, are to be added, taken away, replaced or exchanged. */
export function isNear(word: string, term: string, edits: number): boolean {
  if (Math.abs(word.length - term.length) > edits) return false;
  let same = 0;
  while (same < word.length && word[same] === term[same]) same++;
  const [letters, others] = [word.slice(same), term.slice(same)];
  if (letters === others) return true;
  if (edits === 0) return false;
  return isNear(letters, others.slice(1), edits - 1) ||
    isNear(letters.slice(1), others, edits - 1) ||
    isNear(letters.slice(1), others.slice(1), edits - 1) ||
    letters[1] === others[0] &&
      isNear(letters[0] + letters.slice(2), others.slice(1), edits - 1);
}
