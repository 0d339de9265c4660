/**
 * Which observations go to the archive where memory takes more than its limit (PRD-memory P2): those
 * that were recalled or made longest ago. Pure.
 *
 * @module
 */

import { DAY_MS } from "../../base/time.ts";
import type { Observation } from "../schema.ts";

/** What a plan follows from. */
export interface EvictionOptions {
  /** When each was recalled last, in milliseconds since the epoch, by id. */
  recalledMs: ReadonlyMap<string, number>;
  /** What the observations take. */
  bytes: number;
  /** What they may take, less than that. */
  maxBytes: number;
  /** The time. */
  nowMs: number;
}

/** Younger ones stay, whatever they take. */
const KEPT_DAYS = 7;

/** There is room afterwards, or each capture would have to make some. */
const FILLED = 0.9;

/** @returns the ids to archive */
export function planEviction(
  observations: readonly Observation[],
  { recalledMs, bytes, maxBytes, nowMs }: EvictionOptions,
): string[] {
  const byId = new Map(observations.map((each) => [each.id, each]));
  const lengths = new Map(observations.map((each) => [each.id, JSON.stringify(each).length]));
  const bytesPerLength = bytes / sum(lengths.values());
  const usedMs = ({ id, timestamp }: Observation) =>
    Math.max(recalledMs.get(id) ?? 0, Date.parse(timestamp));
  const isOld = ({ timestamp }: Observation) => Date.parse(timestamp) < nowMs - KEPT_DAYS * DAY_MS;
  const plan = new Set<string>();
  let excess = bytes - FILLED * maxBytes;
  for (const first of observations.filter(isOld).sort((a, b) => usedMs(a) - usedMs(b))) {
    if (excess <= 0) break;
    // Without a correction, what it corrects would be recalled again: they leave in one step.
    const chain = correctedBy(first, byId);
    if (!chain.every((each) => isOld(each) && each.issueNumber === first.issueNumber)) continue;
    for (const { id } of chain) {
      if (plan.has(id)) continue;
      plan.add(id);
      excess -= lengths.get(id)! * bytesPerLength;
    }
  }
  return [...plan];
}

/** An observation with what it corrects, what that corrects, and so on. */
function correctedBy(
  first: Observation,
  byId: ReadonlyMap<string, Observation>,
): Observation[] {
  const chain = new Set<Observation>();
  for (
    let each: Observation | undefined = first;
    each !== undefined && !chain.has(each);
    each = byId.get(each.supersedes ?? "")
  ) chain.add(each);
  return [...chain];
}

function sum(numbers: Iterable<number>): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}
