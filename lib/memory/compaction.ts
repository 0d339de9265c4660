/**
 * Compaction of an issue on disk: what `compact.ts` plans, the store does.
 *
 * @module
 */

import { planCompaction } from "./compaction_plan.ts";
import { MAX_PER_CAPTURE, type Observation } from "./schema.ts";
import type { JsonObservationStore } from "./store/store.ts";

/** Options of {@linkcode compactIssue}. */
export interface CompactIssueOptions {
  /**
   * Only say what would be done.
   *
   * @default {false}
   */
  isDryRun?: boolean;
  /**
   * The present, in milliseconds since the epoch.
   *
   * @default {Date.now()}
   */
  nowMs?: number;
}

/** What became of the old observations of an issue. */
export interface Compaction {
  /** From 1. */
  issueNumber: number;
  /** Observations of the issue before. */
  before: number;
  /** Observations of the issue after. */
  after: number;
  /** Ids of those that went to the archive. */
  removed: string[];
  /** The summaries that stand for them. */
  added: Observation[];
}

/**
 * Merges the old observations of an issue into summaries. The originals go to the archive, from
 * which {@linkcode JsonObservationStore.restore} brings them back.
 *
 * @param store the observations on disk
 * @param issueNumber from 1
 * @param options whether it is done, and the present
 * @returns what became of them
 * @throws {AgentxError} `CORRUPT_STATE`, `NEWER_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
 */
export async function compactIssue(
  store: JsonObservationStore,
  issueNumber: number,
  { isDryRun = false, nowMs = Date.now() }: CompactIssueOptions = {},
): Promise<Compaction> {
  const all = await store.getByIssue(issueNumber);
  const { remove: removed, add: added } = planCompaction(all, { nowMs });
  const waiting = new Set(removed);
  for (let from = 0; from < added.length && !isDryRun; from += MAX_PER_CAPTURE) {
    const add = added.slice(from, from + MAX_PER_CAPTURE);
    const isLast = from + MAX_PER_CAPTURE >= added.length;
    const remove = isLast ? [...waiting] : add.flatMap(({ replaces = [] }) => replaces);
    await store.replace(issueNumber, { remove, add });
    for (const id of remove) waiting.delete(id);
  }
  const after = all.length - removed.length + added.length;
  return { issueNumber, before: all.length, after, removed, added };
}
