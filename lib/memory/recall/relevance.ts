/**
 * The relevance of observations by the formulas of SPEC-AgentX section 5.2, phase 3. Pure.
 *
 * Recall ranks by what a search finds and uses these scores only among observations that are equally
 * relevant to it: as a ranking of their own they bring up what is recent rather than what is meant.
 *
 * @module
 */

import { mayHaveOneOf, wordsOf } from "../../text/similarity.ts";
import { DAY_MS } from "../../time.ts";
import type { ObservationIndex } from "../schema.ts";

/** What relevance is measured against. */
export interface ScoreContext {
  /** The words to look for; if there are none, they do not count. */
  keywords: readonly string[];
  /** The present, in milliseconds since the epoch. */
  nowMs: number;
  /**
   * How often each observation was recalled, by id; those left out never were.
   *
   * @default {new Map()}
   */
  recallCounts?: ReadonlyMap<string, number>;
}

/** An observation with its relevance. */
export type ScoredObservation<Entry extends ObservationIndex = ObservationIndex> = Entry & {
  /** From 0 to 1. */
  relevanceScore: number;
};

const WEIGHTS = { recency: 0.4, recall: 0.2, keyword: 0.4 };
const HALVED_AFTER_DAYS = 30;
const SATURATED_RECALLS = 10;

/**
 * Scores observations: 0.4 recency, 0.2 recall count, 0.4 keyword overlap with the summary.
 *
 * @param entries observations, whole or as index entries
 * @param context what relevance is measured against
 * @returns copies with their score, the highest first; equals keep their order
 *
 * @example Of two that match alike, the recent one comes first
 * ```ts
 * import { scoreObservations } from "@agentx/toolkit/memory";
 * import { assertEquals } from "@std/assert";
 *
 * const entry = (id: string, timestamp: string) => ({
 *   id,
 *   agent: "engineer",
 *   issueNumber: 42,
 *   category: "decision" as const,
 *   summary: "Chose PostgreSQL",
 *   tokens: 4,
 *   timestamp,
 * });
 * const old = entry("obs-engineer-42-1-aaaaaa", "2026-01-01T00:00:00.000Z");
 * const recent = entry("obs-engineer-42-2-bbbbbb", "2026-03-01T00:00:00.000Z");
 * const scored = scoreObservations([old, recent], {
 *   keywords: ["postgresql"],
 *   nowMs: Date.parse("2026-03-31T00:00:00.000Z"),
 * });
 * assertEquals(scored[0].id, recent.id);
 * assertEquals(scored[0].relevanceScore, 0.4 * 0.5 + 0.4);
 * ```
 */
export function scoreObservations<Entry extends ObservationIndex>(
  entries: readonly Entry[],
  { keywords, nowMs, recallCounts = new Map() }: ScoreContext,
): ScoredObservation<Entry>[] {
  const wanted = wordsOf(keywords.join(" "));
  const scored = entries.map((entry) => {
    const relevanceScore = WEIGHTS.recency * recency(entry.timestamp, nowMs) +
      WEIGHTS.recall * Math.min((recallCounts.get(entry.id) ?? 0) / SATURATED_RECALLS, 1) +
      WEIGHTS.keyword * keywordOverlap(entry.summary, wanted);
    return { ...entry, relevanceScore };
  });
  return scored.sort((a, b) => b.relevanceScore - a.relevanceScore);
}

/** An invalid time counts as long ago, one in the future as now. */
function recency(timestamp: string, nowMs: number): number {
  const days = Math.max(0, nowMs - Date.parse(timestamp)) / DAY_MS;
  return Number.isNaN(days) ? 0 : 1 / (1 + days / HALVED_AFTER_DAYS);
}

function keywordOverlap(summary: string, wanted: ReadonlySet<string>): number {
  if (wanted.size === 0 || !mayHaveOneOf(wanted, summary)) return 0;
  const words = wordsOf(summary);
  return [...wanted].filter((word) => words.has(word)).length / wanted.size;
}
