/**
 * What somebody put between `<private>` and `</private>`.
 *
 * Guaranteed: such a part is gone before anything else reads the text, also over several lines,
 * nested, in any case, with attributes or blanks in the tag, spelled as `&lt;private&gt;` or
 * `\u003cprivate\u003e`, and with characters in the tag that are not seen. A part that is not closed
 * goes on to the end, so a tag that is only mentioned costs the rest of the text: losing text is the
 * smaller harm.
 *
 * @module
 */

import { markerOf } from "./secret.ts";
import { viewOf } from "./view.ts";

/** A tag; captured are the slash of a closing one, and that of an empty element. */
export const PRIVATE_TAG: RegExp =
  /(?:<|&lt;|\\u003c)\s{0,16}(\/?)\s{0,16}private(?=[\s/<>&\\]|$)(?:[^<>]{0,300}?(\/?)(?:>|&gt;|\\u003e))?/gi;

/** The start of a tag at the end of a text, which the text after a cut could complete. */
export const TAG_START: RegExp =
  /(?:(?:<|&lt;|\\u003c)[\s/]{0,40}p?r?i?v?a?t?e?|&l?t?|\\(?:u0{0,2}3?c?)?)$/i;

const LONGEST_TAG_START = 64;

/**
 * Cuts the private parts.
 *
 * @param text anything
 * @returns the text without them; a closing tag that closes nothing stays
 */
export function cutPrivate(text: string): string {
  const view = viewOf(text);
  const kept: string[] = [];
  let depth = 0;
  let next = 0;
  for (const match of view.text.matchAll(PRIVATE_TAG)) {
    const tag = view.original(match.index, match.index + match[0].length);
    const isClosing = match[1] !== "";
    if (depth === 0 && isClosing) continue;
    if (depth === 0) kept.push(cutAt(text.slice(next, tag.start)));
    if (isClosing) depth--;
    else if (!match[2]) depth++;
    next = tag.end;
  }
  if (depth === 0) kept.push(text.slice(next));
  return kept.join("");
}

/** Keeps apart what would become a tag if it were joined to the text after the cut. */
function cutAt(before: string): string {
  const tail = viewOf(before.slice(-LONGEST_TAG_START)).text;
  return TAG_START.test(tail) ? before + markerOf("private") : before;
}
