/**
 * Regular expressions from lists of words. Pure.
 *
 * @module
 */

/** Matches any of some words as a whole, in any case. */
export function anyWord(...lists: string[]): RegExp {
  return new RegExp(String.raw`\b(?:${alternatives(lists)})\b`, "i");
}

/** Words between blanks, each a pattern, as one; `_` stands for a blank within a word. */
export function alternatives(lists: readonly string[]): string {
  return lists.join(" ").trim().split(" ").join("|").replaceAll("_", " ");
}

/** With the apostrophes of a keyboard, which the rules are written with. */
export function straight(text: string): string {
  return text.replace(/[\u2018\u2019]/g, "'");
}
