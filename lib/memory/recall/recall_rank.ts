/**
 * What a session may be told, the most relevant first.
 *
 * Relevance is what a search says, in parts of its best hit, and a fixed part more for what belongs
 * to the issue itself: its own hits come first, then good hits of other issues, then whatever else is
 * known of the issue, then weak hits; what the agent's own role observed weighs a little more. Recency
 * and recalls decide only among equally relevant ones.
 *
 * @module
 */

import { roleOf } from "../../agent_names.ts";
import { wordsOf } from "../../text/similarity.ts";
import type { Observation } from "../schema.ts";
import { MAX_HITS } from "../search/search.ts";
import type { IObservationStore } from "../store/observation_store.ts";
import { scoreObservations } from "./relevance.ts";

/** A session that is about to begin. */
export interface RecallRankOptions {
  agent: string;
  issueNumber: number;
  /** What it is about: a title, and whatever else is said of it. */
  topics: readonly string[];
  /** How often each observation was recalled, by id. */
  recallCounts: ReadonlyMap<string, number>;
  nowMs: number;
}

/** Relevance of what belongs to the issue itself, in parts of that of the best hit. */
const OWN_RELEVANCE = 0.5;

/** What the same role has observed comes before what others have, where both are as relevant. */
const OWN_ROLE_RELEVANCE = 0.05;

/** What means something in a query: a title or a sentence does not mean it. */
const SIGNS = /[+*~^:]|(?<!\S)-+/gu;

/** What is searched for. */
export function queriesOf(topics: readonly string[]): string[] {
  return topics.filter((topic) => topic.trim() !== "").map((topic) => topic.replace(SIGNS, " "));
}

/**
 * The observations of an issue, and those of other issues that a search finds.
 *
 * @throws {AgentxError} `CORRUPT_STATE`, `NEWER_STATE`, `IO_ERROR`
 */
export async function rankForRecall(
  store: Pick<IObservationStore, "candidates">,
  { agent, issueNumber, topics, recallCounts, nowMs }: RecallRankOptions,
): Promise<Observation[]> {
  const queries = queriesOf(topics);
  const { own, hits: found } = await store.candidates(issueNumber, queries, MAX_HITS);
  const ownIds = new Set(own.map(({ id }) => id));
  const scores = new Map<string, number>();
  const others = new Map<string, Observation>();
  for (const { observation, score } of found) {
    const { id } = observation;
    scores.set(id, (scores.get(id) ?? 0) + score);
    others.set(id, observation);
  }
  const hits = [...scores].sort(([, a], [, b]) => b - a);
  const foreign = hits.filter(([id]) => !ownIds.has(id)).slice(0, MAX_HITS)
    .map(([id]) => others.get(id)!);
  const best = hits[0]?.[1] ?? 1;
  const relevanceOf = ({ id, agent: by }: Observation) =>
    (scores.get(id) ?? 0) / best + (ownIds.has(id) ? OWN_RELEVANCE : 0) +
    (roleOf(by) === roleOf(agent) ? OWN_ROLE_RELEVANCE : 0);
  const keywords = [...wordsOf(topics.join(" "))];
  return scoreObservations([...own, ...foreign], { keywords, nowMs, recallCounts })
    .sort((a, b) => relevanceOf(b) - relevanceOf(a));
}
