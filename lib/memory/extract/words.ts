/**
 * Lists of words as regular expressions. Pure.
 *
 * @module
 */

/**
 * @param lists words between blanks, each a pattern; `_` stands for a blank within one
 * @returns matches any of them as a whole word, in any case
 */
export function anyWord(...lists: string[]): RegExp {
  return new RegExp(String.raw`\b(?:${alternatives(lists)})\b`, "i");
}

/**
 * @param lists words as for {@linkcode anyWord}
 * @returns them as alternatives of a pattern
 */
export function alternatives(lists: readonly string[]): string {
  return lists.join(" ").trim().split(" ").join("|").replaceAll("_", " ");
}
