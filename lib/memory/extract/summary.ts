/**
 * The summary of a compacted conversation (SPEC-AgentX section 2.2), as candidates. Pure.
 *
 * @module
 */

import type { ObservationCategory } from "../schema.ts";
import { blocksOf } from "./blocks.ts";
import type { Candidate } from "./candidate.ts";
import { categoryOfHeading } from "./headings.ts";
import { isJunk, saysNothingWrong } from "./junk.ts";

const WEIGHTS: Record<ObservationCategory, number> = {
  decision: 8,
  error: 7,
  "key-fact": 6,
  "code-change": 5,
  "compaction-summary": 4,
};

/** What the summary says of itself. */
const ABOUT_ITSELF = /^Compacted from \d+ messages/;

/**
 * @param summary redacted markdown
 * @returns its items under the category of their section; what stands outside is a summary
 */
export function summaryCandidates(summary: string): Candidate[] {
  const found: Candidate[] = [];
  let category: ObservationCategory = "compaction-summary";
  for (const { kind, text } of blocksOf(summary, { readQuotes: true })) {
    if (kind === "heading") {
      category = categoryOfHeading(text) ?? "compaction-summary";
      continue;
    }
    if (ABOUT_ITSELF.test(text) || isJunk(text)) continue;
    if (category === "error" && saysNothingWrong(text)) continue;
    found.push({ text, category, weight: WEIGHTS[category], message: 0 });
  }
  return found;
}
