/**
 * What memory holds, summed up (SPEC-AgentX section 2.4). Pure.
 *
 * @module
 */

import { DAY_MS } from "../../time.ts";
import type { Observation } from "../schema.ts";

/** Sums over all observations. */
export interface StoreStats {
  /** Also those that were retracted or superseded. */
  totalObservations: number;
  /** Estimated tokens of all contents. */
  totalTokens: number;
  /** Issues with at least one observation. */
  issueCount: number;
  /** ISO-8601; null while there is nothing. */
  oldestTimestamp: string | null;
  /** ISO-8601; null while there is nothing. */
  newestTimestamp: string | null;
  /** Observations by category. */
  byCategory: Record<string, number>;
  /** Observations by agent. */
  byAgent: Record<string, number>;
  /** Bytes of the whole folder, with archive and index. */
  bytes: number;
  /** Observations by age, youngest first: up to so many days, and null for all older ones. */
  ages: Array<{ maxDays: number | null; count: number }>;
}

/** What {@linkcode summariseStore} cannot see. */
export interface StoreMeasure {
  /** Bytes of the whole folder. */
  bytes: number;
  /** Milliseconds since the epoch. */
  nowMs: number;
}

const MAX_DAYS = [1, 7, 30, 90, 365, null];

/**
 * @param observations all observations
 * @param measure what else there is to say
 * @returns the sums
 */
export function summariseStore(
  observations: readonly Observation[],
  { bytes, nowMs }: StoreMeasure,
): StoreStats {
  const byCategory: Record<string, number> = {};
  const byAgent: Record<string, number> = {};
  const ages = MAX_DAYS.map((maxDays) => ({ maxDays, count: 0 }));
  let totalTokens = 0;
  let oldestTimestamp: string | null = null;
  let newestTimestamp: string | null = null;
  for (const { category, agent, tokens, timestamp } of observations) {
    byCategory[category] = (byCategory[category] ?? 0) + 1;
    byAgent[agent] = (byAgent[agent] ?? 0) + 1;
    totalTokens += tokens;
    if (oldestTimestamp === null || timestamp < oldestTimestamp) oldestTimestamp = timestamp;
    if (newestTimestamp === null || timestamp > newestTimestamp) newestTimestamp = timestamp;
    const days = (nowMs - Date.parse(timestamp)) / DAY_MS;
    const age = ages.find(({ maxDays }) => maxDays === null || days <= maxDays);
    if (age !== undefined) age.count++;
  }
  return {
    totalObservations: observations.length,
    totalTokens,
    issueCount: new Set(observations.map(({ issueNumber }) => issueNumber)).size,
    oldestTimestamp,
    newestTimestamp,
    byCategory,
    byAgent,
    bytes,
    ages,
  };
}
