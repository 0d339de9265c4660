// Reads a summary in the form of SPEC-AgentX section 2.2: items under the category of their section. Pure.

import type { ObservationCategory } from "../schema.ts";
import { blocksOf } from "./blocks.ts";
import type { Candidate } from "./select.ts";
import { isJunk, NOTHING_WRONG } from "./junk.ts";

const SECTIONS: readonly [RegExp, ObservationCategory][] = [
  [/\bdecisions?\b/i, "decision"],
  [/\b(?:code )?changes?\b|\bfiles?\b/i, "code-change"],
  [/\berrors?\b|\bproblems?\b/i, "error"],
  [/\bfacts?\b|\bcontext$/i, "key-fact"],
];

const WEIGHTS: Record<ObservationCategory, number> = {
  "decision": 12,
  "error": 11,
  "key-fact": 10,
  "code-change": 9,
  "compaction-summary": 8,
};

/** What a summary says of itself. */
const ABOUT_ITSELF = /^Compacted from \d+ messages/;

/** The items; what is outside of any section is a summary. */
export function summaryCandidates(summary: string): Candidate[] {
  const found: Candidate[] = [];
  let category: ObservationCategory = "compaction-summary";
  let message = 0;
  for (const { kind, text } of blocksOf(summary, { readQuotes: true })) {
    if (kind === "heading") {
      category = SECTIONS.find(([name]) => name.test(text))?.[1] ?? "compaction-summary";
    } else if (
      !ABOUT_ITSELF.test(text) && !isJunk(text) &&
      !(category === "error" && NOTHING_WRONG.test(text))
    ) {
      found.push({ text, category, weight: WEIGHTS[category], message: message++ });
    }
  }
  return found;
}
