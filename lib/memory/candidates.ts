/**
 * What a session may be told, the most relevant first.
 *
 * Relevance is what a search says, in parts of its best hit, and a fixed part more for what belongs
 * to the issue itself: its own hits come first, then good hits of other issues, then whatever else is
 * known of the issue, then weak hits. Recency and recalls decide only among equally relevant ones.
 *
 * @module
 */

import { wordsOf } from "../clarify/similarity.ts";
import type { Observation } from "./schema.ts";
import { scoreObservations } from "./score.ts";
import type { JsonObservationStore } from "./store.ts";

/** Options of {@linkcode findCandidates}. */
export interface CandidateOptions {
  /** The issue that will be worked on. */
  issueNumber: number;
  /** What it is about. */
  topic: string;
  /** How often each observation was recalled, by id. */
  recallCounts: ReadonlyMap<string, number>;
  /** The present, in milliseconds since the epoch. */
  nowMs: number;
}

/** Most hits of the search (SPEC-AgentX section 2.3). */
const MAX_HITS = 50;

/** Relevance of what belongs to the issue itself, in parts of that of the best hit. */
const OWN_RELEVANCE = 0.5;

/**
 * @param store the observations on disk
 * @param options the session
 * @returns all observations of the issue, and those of other issues that a search finds
 * @throws {AgentxError} `CORRUPT_STATE`, `NEWER_STATE`, `IO_ERROR`
 */
export async function findCandidates(
  store: JsonObservationStore,
  { issueNumber, topic, recallCounts, nowMs }: CandidateOptions,
): Promise<Observation[]> {
  const keywords = [...wordsOf(topic)];
  // Words only: what a title holds is not meant as the syntax of a query.
  const hits = keywords.length === 0 ? [] : await store.search(keywords.join(" "), MAX_HITS);
  const own = await store.getByIssue(issueNumber);
  const others = await Promise.all(
    hits.filter((hit) => hit.issueNumber !== issueNumber).map(({ id }) => store.getById(id)),
  );
  const found = [...own, ...others.filter((observation) => observation !== null)];
  const best = Math.max(...hits.map(({ score }) => score));
  const relevance = new Map(hits.map(({ id, score }) => [id, score / best]));
  for (const { id } of own) relevance.set(id, (relevance.get(id) ?? 0) + OWN_RELEVANCE);
  return scoreObservations(found, { keywords, nowMs, recallCounts })
    .sort((a, b) => relevance.get(b.id)! - relevance.get(a.id)!);
}
