// A quick check whether a text that is shown or written can hold a private part or a secret. It saves loading the
// rules, which takes longer than listing a hundred clarifications. Pure.
//
// The check is meant to miss nothing: if the answer is no, redaction leaves the text unchanged. The tests check this
// with all labelled texts and thousands of simpler forms of them, which is not a proof. The answer is yes for most
// code, addresses, paths and variable names, and no for most sentences.

import { OWN_NAMES, PLACES, SECRET_NAMES, UNUSUAL } from "./rules/hints.ts";

/** Matches words, in lower case, near which any value may be a secret. */
const TELLING = new RegExp(`${SECRET_NAMES}|${PLACES}`);

/**
 * Whether redaction may change a text. False only if it changes nothing. Several texts are joined for one faster
 * check.
 */
export function mayHoldSecret(text: string | Iterable<string>): boolean {
  const texts = typeof text === "string" ? [text] : text;
  const foreign = Array.from(texts).filter((text) => !OWN_NAMES.test(text)).join("\n");
  return UNUSUAL.test(foreign) || TELLING.test(foreign.toLowerCase());
}
