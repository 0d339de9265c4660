// Ranks the observations for a recall, the most relevant first.
//
// Relevance is the search score divided by the best score, plus a fixed part for observations of the issue itself. So
// hits of the issue come first, then good hits of other issues, then the other observations of the issue. Observations
// of the agent's own role weigh a little more. Recency and recalls decide only between equally relevant ones. Quotes
// from a recording come after notes.

import { roleOf } from "../../base/agent_names.ts";
import { wordsOf } from "../../text/similarity.ts";
import { isNote } from "../identity.ts";
import { type Observation, type ObservationIndex, PROJECT } from "../schema.ts";
import { MAX_HITS } from "../search/search.ts";
import { termsOf } from "../index/tokens.ts";
import type { IObservationStore } from "../store/store.ts";
import { lastTime } from "./last_time.ts";
import { DAY_MS } from "../../base/time.ts";

/** A session that is about to begin. */
export interface RecallRankOptions {
  agent: string;
  issueNumber: number;
  /** The `uid` of the issue: after a merge another one may have its number. */
  uid?: string;
  /** The topics of the session: a title, and other words on the subject. */
  topics: readonly string[];
  /** How often each observation was recalled, by id. */
  recallCounts: ReadonlyMap<string, number>;
  nowMs: number;
}

/** Observations of the issue itself come before hits of other issues. */
const OWN_RELEVANCE = 2;

/** A correction matters more: somebody got it wrong before. */
const CORRECTION_RELEVANCE = 1;

/**
 * Maximum number of observations of other issues. Each needs this share of the best score and this many common words.
 */
const MAX_FOREIGN = 10;
const FLOOR = 0.5;
const LEAST_COMMON = 2;

/** Number of rare words that a quote from a recording needs, because it is long. */
const LEAST_RARE = 3;

/** Maximum number of quotes from recordings: about half of the first two in a session helped, and few of the others. */
const MAX_QUOTES = 2;

/** A hit of another issue needs this many times the score of hit number `USUAL_HIT`, which chance alone can reach. */
const STANDS_OUT = 2.2;
const USUAL_HIT = 20;

/** Observations of the same role come first among those of equal relevance. */
const OWN_ROLE_RELEVANCE = 0.05;

/** Matches signs of the query syntax, which a title or a sentence does not use as signs. */
const SIGNS = /[+*~^:]|(?<!\S)-+/gu;

/**
 * Returns the observations of an issue, hits of a search in other issues, and a summary of the last session. A session
 * without an issue gets the hits of a search for its topics; without topics, it gets notes, decisions and corrections.
 *
 * @throws {AgentxError} `CORRUPT_STATE`, `NEWER_STATE`, `IO_ERROR`
 */
export async function rankForRecall(
  store: Pick<IObservationStore, "candidates">,
  { agent, issueNumber, uid, topics, recallCounts, nowMs }: RecallRankOptions,
): Promise<{ ranked: Observation[]; last?: string }> {
  const queries = topics.filter((topic) => topic.trim() !== "")
    .map((topic) => topic.replace(SIGNS, " "));
  const { own: all, hits: found, rare } = await store.candidates(issueNumber, queries, MAX_HITS);
  const here = all.filter(({ issueUid }) => (issueUid ?? uid) === (uid ?? issueUid));
  const isProject = issueNumber === PROJECT;
  // The last session of a project was mostly about something else, so it is not summed up.
  const last = isProject ? undefined : lastTime(here);
  const own = isProject ? here.filter(isTold).slice(-MAX_FOREIGN) : here;
  const ownIds = new Set(own.map(({ id }) => id));
  const scores = new Map<string, number>();
  const others = new Map<string, Observation>();
  for (const { observation, score } of found) {
    const { id } = observation;
    scores.set(id, (scores.get(id) ?? 0) + score);
    if (isProject || observation.issueNumber !== issueNumber) others.set(id, observation);
  }
  const hits = [...scores].sort(([, a], [, b]) => b - a);
  const asked = new Set(termsOf(topics.join(" ")));
  const best = hits[0]?.[1] ?? 1;
  const elsewhere = hits.filter(([id]) => others.has(id) && !ownIds.has(id));
  const usual = elsewhere[USUAL_HIT - 1]?.[1] ?? 0;
  const foreign = elsewhere
    .filter(([, score]) => score >= Math.max(FLOOR * best, STANDS_OUT * usual))
    .map(([id]) => others.get(id)!).filter((one) => isAbout(one, asked, rare));
  const quotes = foreign.filter(({ source }) => source !== undefined).slice(0, MAX_QUOTES);
  const told = foreign.filter((one) => one.source === undefined || quotes.includes(one))
    .slice(0, MAX_FOREIGN);
  const relevanceOf = ({ id, agent: by, supersedes }: Observation) =>
    (scores.get(id) ?? 0) / best +
    (ownIds.has(id) ? OWN_RELEVANCE + (supersedes ? CORRECTION_RELEVANCE : 0) : 0) +
    (roleOf(by) === roleOf(agent) ? OWN_ROLE_RELEVANCE : 0);
  const context = { keywords: [...wordsOf(topics.join(" "))], nowMs, recallCounts };
  const ranked = scoreObservations([...own, ...told], context).sort((a, b) =>
    Number(isTold(b)) - Number(isTold(a)) || relevanceOf(b) - relevanceOf(a)
  );
  return { ranked, last };
}

/** Whether the observation names the topic of the session in words that few observations share. */
function isAbout(
  one: Observation,
  asked: ReadonlySet<string>,
  rare: ReadonlySet<string>,
): boolean {
  const said = new Set(termsOf(one.content));
  const common = [...asked].filter((term) => said.has(term));
  return common.length >= Math.min(LEAST_COMMON, Math.ceil(asked.size / 3)) &&
    common.filter((term) => rare.has(term)).length >= (one.source === undefined ? 1 : LEAST_RARE);
}

/** Whether somebody wrote, settled or corrected the observation; then no rule extracted it. */
function isTold(one: Observation): boolean {
  return one.supersedes !== undefined || one.sessionId.startsWith("CLR-") || isNote(one);
}

/** The inputs of a relevance score. */
export interface ScoreContext {
  /** The words to look for; if there are none, they add nothing to the score. */
  keywords: readonly string[];
  /** The present, in milliseconds since the epoch. */
  nowMs: number;
  /** How often each observation was recalled, by id; a missing id was never recalled. */
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
 * @param context the words, the time and the recall counts that decide relevance
 * @returns copies with their score, the highest first; equals keep their order
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

/** Returns the recency from 0 to 1; an invalid time counts as long ago, a future time as now. */
function recency(timestamp: string, nowMs: number): number {
  const days = Math.max(0, nowMs - Date.parse(timestamp)) / DAY_MS;
  return Number.isNaN(days) ? 0 : 1 / (1 + days / HALVED_AFTER_DAYS);
}

function keywordOverlap(summary: string, wanted: ReadonlySet<string>): number {
  if (wanted.size === 0) return 0;
  const words = wordsOf(summary);
  return [...wanted].filter((word) => words.has(word)).length / wanted.size;
}
