/**
 * What a heading, a lead in bold or the sentence before a list says about what follows it. Pure.
 *
 * @module
 */

import type { ObservationCategory } from "../schema.ts";
import { anyWord } from "./words.ts";

const HEADINGS: [RegExp, ObservationCategory][] = [
  [
    anyWord("decisions? decided chosen choices? approach design trade-?offs? rationale why"),
    "decision",
  ],
  [
    anyWord("errors? bugs? failures? problems? issues? causes? symptoms? diagnosis broken wrong"),
    "error",
  ],
  [
    anyWord(
      "changes? changed changelog files? modified implement\\w* added fix(?:es|ed)? did done",
      "completed updates? refactor\\w* removed created",
    ),
    "code-change",
  ],
  [
    anyWord(
      "facts? notes? caveats? gotchas? findings? learn\\w* results? measure\\w* benchmarks?",
      "limitations? constraints? requirements? details? important background behaviou?r",
    ),
    "key-fact",
  ],
];

/** In bold, or one of the usual words before a colon. */
const LEAD =
  /^(?:\*\*([^*]{3,40})\*\*|(Root cause|Cause|Fix|Decision|Error|Problem|Reason|Note))\s*(?:[:\u2013\u2014-]|\*\*:)/i;

const CHOICE = anyWord(
  "options? ways?_to possible possibilities alternatives? remedies propos\\w+ suggest\\w*",
  "candidates could choose either approach_it I'd I_would",
);

/**
 * @param heading the text of a heading
 * @returns what stands under it, if that is plain
 */
export function categoryOfHeading(heading: string): ObservationCategory | undefined {
  return HEADINGS.find(([words]) => words.test(heading))?.[1];
}

/**
 * @param text a sentence
 * @returns what its lead says about it, if there is one and it is plain
 */
export function categoryOfLead(text: string): ObservationCategory | undefined {
  const lead = LEAD.exec(text);
  return lead === null ? undefined : categoryOfHeading(lead[1] ?? lead[2]);
}

/**
 * @param text the sentence before a list
 * @returns whether the list is of things to choose from
 */
export function leadsChoice(text: string): boolean {
  return CHOICE.test(text);
}
