/**
 * Where observations are kept, whatever they are kept in (SPEC-AgentX sections 2.5 and 3.1).
 *
 * @module
 */

import type { Observation, ObservationIndex } from "../schema.ts";
import type { SearchFilters } from "../search/filters.ts";
import type { FoundObservation, ObservationHit } from "../search/search.ts";
import type { StoreStats } from "./stats.ts";

/** What a recall chooses from: only what may be shown. */
export interface RecallCandidates {
  /** Of the issue, in the order of their arrival; of very many, the newest. */
  own: Observation[];
  /** Of any issue: what a search for each topic found, with its score. */
  hits: FoundObservation[];
}

/** What a {@linkcode MemoryPipeline} needs of a store. Failures are rejections with an `AgentxError`. */
export interface IObservationStore {
  /**
   * Stores those that are new. An observation whose id is already there, or whose words already are in
   * the same session, is not stored twice; one that was removed is not stored again.
   *
   * @param observations at most 50; ids as `makeObservationId()` makes them
   * @returns those that were new
   * @throws {AgentxError} `INVALID_INPUT`; nothing of it is stored then
   */
  store(observations: readonly Observation[]): Promise<Observation[]>;

  /**
   * Reads an issue.
   *
   * @param issueNumber from 1
   * @returns all its observations in the order of their arrival, also retracted ones
   */
  getByIssue(issueNumber: number): Promise<Observation[]>;

  /**
   * Reads all observations.
   *
   * @returns all of them, also retracted ones, by issue and in the order of their arrival
   */
  listAll(): Promise<Observation[]>;

  /**
   * Reads what a session may be told, whole and at one moment.
   *
   * @param issueNumber from 1
   * @param topics what to search for
   * @param limit most hits of each topic
   * @returns the observations of the issue, and the hits
   */
  candidates(
    issueNumber: number,
    topics: readonly string[],
    limit: number,
  ): Promise<RecallCandidates>;

  /**
   * Reads one observation.
   *
   * @param id of an observation, also of one that was compacted
   * @returns the whole observation; null if there is none
   */
  getById(id: string): Promise<Observation | null>;

  /**
   * Ranked full-text search over the contents. Words are found in any inflection. A query may
   * use the signs of lunr's syntax: `+must -mustnot agent:engineer wild* fuzzy~1 twice^2`; the
   * fields are content, agent, category and issue.
   *
   * @param query words, or words with signs
   * @param limit most hits; 20 if left out
   * @param filters which observations are looked for; all if left out
   * @returns the hits, the best first; none if nothing matches
   * @throws {AgentxError} `INVALID_INPUT` for an invalid time
   */
  search(query: string, limit?: number, filters?: SearchFilters): Promise<ObservationHit[]>;

  /**
   * Lists what matches some filters.
   *
   * @param filters what to look for
   * @returns the observations that match all of them, the newest first
   * @throws {AgentxError} `INVALID_INPUT` for an invalid time
   */
  searchByFilters(filters: SearchFilters): Promise<ObservationIndex[]>;

  /**
   * Lists an agent's observations.
   *
   * @param agent with all its workers; or one worker, `engineer@2`
   * @returns what it observed, the newest first
   */
  listByAgent(agent: string): Promise<ObservationIndex[]>;

  /**
   * Lists the observations of a category.
   *
   * @param category one of `CATEGORIES`
   * @returns the observations of that category, the newest first
   */
  listByCategory(category: string): Promise<ObservationIndex[]>;

  /**
   * Replaces what an observation names in the working tree.
   *
   * @param id of the observation
   * @param place what it names now; without anchors, nothing
   * @returns the observation as it is now
   * @throws {AgentxError} `NOT_FOUND`, also for one that was compacted
   */
  reanchor(id: string, place: Pick<Observation, "anchors" | "commit">): Promise<Observation>;

  /**
   * Removes an observation for good; it is not captured again from the same session. If it was
   * compacted, the summaries that stand for it no longer mention it.
   *
   * @param id of the observation
   * @returns false if it was not there
   */
  remove(id: string): Promise<boolean>;

  /** Sums over all observations, also retracted ones. */
  getStats(): Promise<StoreStats>;

  /** Times recalled by id, on this machine. */
  recallCounts(): Promise<Map<string, number>>;

  /** Counts one more recall of each of these ids. */
  incrementRecallCount(ids: readonly string[]): Promise<void>;

  /** Bytes that memory takes, with archive and index. */
  bytes(): number;

  /**
   * Archives what was recalled longest ago, until the observations take less than a limit; those of the
   * last 7 days stay.
   *
   * @param maxBytes what they may take, without archive and index
   * @returns how many were archived; undefined if they take no more than that
   */
  archiveBeyond(maxBytes: number): Promise<number | undefined>;

  /** Writes what was stored into the files that people and git read; the store can still be used. */
  close(): Promise<void>;
}
