// Sums up the memory (SPEC-AgentX section 2.4). Pure.

import { DAY_MS } from "../../base/time.ts";
import type { Observation } from "../schema.ts";

/** Sums over all observations. */
export interface StoreStats {
  /** Number of observations, with retracted and superseded ones, but without archived ones. */
  totalObservations: number;
  /** Estimated tokens of all contents. */
  totalTokens: number;
  /** Issues with at least one observation. */
  issueCount: number;
  /** Time of the oldest observation, ISO-8601; null if there is none. */
  oldestTimestamp: string | null;
  /** Time of the newest observation, ISO-8601; null if there is none. */
  newestTimestamp: string | null;
  /** Observations by category. */
  byCategory: Record<string, number>;
  /** Observations by agent. */
  byAgent: Record<string, number>;
  /** Bytes of the whole folder, with archive and index. */
  bytes: number;
  /** Observations by age, youngest first: up to `maxDays` old, with null for all older ones. */
  ages: Array<{ maxDays: number | null; count: number }>;
}

const MAX_DAYS = [1, 7, 30, 90, 365, null];

/** Sums up observations; `bytes` is the size of the folder, and `nowMs` is the present. */
export function summariseStore(
  observations: readonly Observation[],
  { bytes, nowMs }: { bytes: number; nowMs: number },
): StoreStats {
  const times = observations.map(({ timestamp }) => timestamp).sort();
  const ages = MAX_DAYS.map((maxDays) => ({ maxDays, count: 0 }));
  for (const timestamp of times) {
    const days = (nowMs - Date.parse(timestamp)) / DAY_MS;
    const age = ages.find(({ maxDays }) => maxDays === null || days <= maxDays);
    if (age !== undefined) age.count++;
  }
  return {
    totalObservations: observations.length,
    totalTokens: observations.reduce((sum, { tokens }) => sum + tokens, 0),
    issueCount: new Set(observations.map(({ issueNumber }) => issueNumber)).size,
    oldestTimestamp: times.at(0) ?? null,
    newestTimestamp: times.at(-1) ?? null,
    byCategory: count(observations.map(({ category }) => category)),
    byAgent: count(observations.map(({ agent }) => agent)),
    bytes,
    ages,
  };
}

function count(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
