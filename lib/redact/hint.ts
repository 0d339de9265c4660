/**
 * A quick look at a text that is shown or written: can there be anything to cut at all? It is asked
 * before the rules are loaded, which takes longer than listing a hundred clarifications, and of each
 * text of a list once they are. Pure.
 *
 * Meant to miss nothing: where the answer is no, redaction leaves the text as it is. That is held to
 * all labelled texts and thousands of plainer forms of them; it is no proof. The answer is yes for
 * most code, addresses, paths and names of variables, and no for most sentences.
 *
 * @module
 */

import { NAMES, OWN, PLACES, UNUSUAL } from "./rules/hints.ts";

/** Near which any value may be a secret; in lower case. */
const TELLING = new RegExp(`${NAMES}|${PLACES}`);

/**
 * @param text anything, or several texts that are looked at as one, which is quicker for many
 * @returns false only where redaction changes nothing
 */
export function mayHoldSecret(text: string | Iterable<string>): boolean {
  const texts = typeof text === "string" ? [text] : text;
  const foreign = Array.from(texts).filter((text) => !OWN.test(text)).join("\n");
  return UNUSUAL.test(foreign) || TELLING.test(foreign.toLowerCase());
}
