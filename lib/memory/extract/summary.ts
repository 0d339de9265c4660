// Reads a summary in the form of SPEC-AgentX section 2.2: items under the category of their section. Pure.

import type { ObservationCategory } from "../schema.ts";
import { blocksOf } from "./blocks.ts";
import type { Candidate } from "./select.ts";
import { MARKER } from "../../redact/secret.ts";

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

/** Matches a line about the summary itself, or a line that says that nothing went wrong. */
const EMPTY =
  /^Compacted from \d+ messages|\b(?:no|0|zero|without|free of)(?: [\w-]+){0,2} (?:errors?|warnings?|failures?|issues?|problems?)\b|^\W*none\W*$/i;

/** Matches a word, or one Chinese or Japanese character, because these scripts have no spaces between words. */
const WORDS = /\p{L}{2,}|[\u3040-\u30ff\u3400-\u9fff]/gu;
const FEWEST_WORDS = 3;

/** Returns the items of a summary; text outside any section gets the category `compaction-summary`. */
export function summaryCandidates(summary: string): Candidate[] {
  const found: Candidate[] = [];
  let category: ObservationCategory = "compaction-summary";
  let message = 0;
  for (const { kind, text } of blocksOf(summary, { readQuotes: true })) {
    if (kind === "heading") {
      category = SECTIONS.find(([name]) => name.test(text))?.[1] ?? "compaction-summary";
    } else if (!EMPTY.test(text) && wordsIn(text) >= FEWEST_WORDS) {
      found.push({ text, category, weight: WEIGHTS[category], message: message++ });
    }
  }
  return found;
}

function wordsIn(text: string): number {
  return text.replace(MARKER, "").match(WORDS)?.length ?? 0;
}
