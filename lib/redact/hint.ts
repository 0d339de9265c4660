// A quick look at a text that is shown or written: can there be anything to cut at all? It saves loading
// the rules, which takes longer than listing a hundred clarifications. Pure.
//
// Meant to miss nothing: where the answer is no, redaction leaves the text as it is. The tests check this
// with all labelled texts and thousands of plainer forms of them, which does not prove it. The answer is
// yes for most code, addresses, paths and variable names, and no for most sentences.

import { OWN_NAMES, PLACES, SECRET_NAMES, UNUSUAL } from "./rules/hints.ts";

/** Any value near one of these may be a secret; in lower case. */
const TELLING = new RegExp(`${SECRET_NAMES}|${PLACES}`);

/** False only where redaction changes nothing. Several texts are looked at as one, which is quicker. */
export function mayHoldSecret(text: string | Iterable<string>): boolean {
  const texts = typeof text === "string" ? [text] : text;
  const foreign = Array.from(texts).filter((text) => !OWN_NAMES.test(text)).join("\n");
  return UNUSUAL.test(foreign) || TELLING.test(foreign.toLowerCase());
}
