/**
 * Of a summary that stands for many observations, the pieces that a session is about. Pure.
 *
 * @module
 */

import { CATEGORIES, type Observation } from "../schema.ts";
import { termsOf } from "../search/tokens.ts";

/** Where a piece of a summary begins, as `compaction_plan.ts` writes it. */
const PIECE = new RegExp(`\\n(?=- (?:${CATEGORIES.join("|")})(?: \\([^()\\n]+\\))?: )`);

/** A piece that has so much of what the best one has of the topic is about it, too. */
const SHARE = 0.3;

/** The pieces in which most of the terms are, and how many are left out; else the whole content. */
export function excerptOf(
  { content, replaces }: Observation,
  topic: ReadonlySet<string>,
): string {
  if (replaces === undefined || topic.size === 0) return content;
  const pieces = content.split(PIECE);
  const counts = pieces.map((piece) =>
    new Set(termsOf(piece).filter((term) => topic.has(term))).size
  );
  const best = Math.max(...counts);
  const chosen = pieces.filter((_, index) => counts[index] > 0 && counts[index] >= SHARE * best);
  const left = pieces.length - chosen.length;
  return chosen.length === 0 || left === 0 ? content : `${chosen.join("\n")}\n(${left} more)`;
}
