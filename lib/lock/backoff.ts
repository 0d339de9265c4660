/**
 * How long to wait between two attempts at a lock, and when to let others go first.
 *
 * Delays grow with the wait, so that many waiters do not keep the machine from the owner, and differ
 * by chance, so that with many of them one always looks soon. An owner that comes back at once leaves
 * a moment without a lock file, and an attempt that falls into it is in: turns go round by chance,
 * and no time is lost. A waiter that keeps losing, or whose owner has long turns, signals the owner,
 * which then gives way.
 *
 * @module
 */

import { AgentxError, type LockHolder } from "../errors.ts";
import type { Hold } from "./held_lock.ts";

/** Options of {@linkcode Backoff}. */
export interface BackoffOptions {
  /** See `JsonFileLockOptions`. */
  maxRetries?: number;
  /** See `JsonFileLockOptions`. */
  baseDelayMs?: number;
}

/** How a wait stands. */
export interface Wait {
  /** Since it began. */
  waitedMs: number;
  /** Since the present owner was first seen. */
  ownerMs: number;
  /** Whether others wait for it too. */
  isCrowded: boolean;
}

/** An owner that comes back at once and finds others waiting gives way after this long. */
const MAX_STREAK_MS = 5;

/** Holds that are no further apart are one streak. */
const STREAK_GAP_MS = 1;

/** It gives way for half as long as it held the lock, within these bounds: a waiter gets in then. */
const [YIELD_PART, MIN_YIELD_MS, MAX_YIELD_MS] = [0.5, 3, 32];

/** Between two attempts, at first and after a while; each is up to half as much longer or shorter. */
const [MIN_DELAY_MS, MAX_DELAY_MS] = [1, 20];

/** A delay is this part of the time that an owner is waited for. */
const DELAY_PART = 0.25;

/** In a crowd the whole wait counts, up to here: a waiter that others overtake looks more often. */
const LONG_WAIT_MS = 1_000;

/** So many files can be locked in turn without a pause. */
const MAX_STREAKS = 64;

/** Holds of one file that followed each other at once, or a single one. */
interface Streak extends Hold {
  /** How long the last one was. */
  holdMs: number;
}

/** The waiting of one process. */
export class Backoff {
  readonly #maxRetries: number | undefined;
  readonly #baseDelayMs: number | undefined;
  readonly #streaks = new Map<string, Streak>();

  constructor({ maxRetries, baseDelayMs }: BackoffOptions = {}) {
    this.#maxRetries = maxRetries;
    this.#baseDelayMs = baseDelayMs;
  }

  /**
   * @param attempt number of the attempt that failed, from 1
   * @param wait what it waits for
   * @returns milliseconds until the next attempt; undefined when there is none
   */
  delayMs(attempt: number, { waitedMs, ownerMs, isCrowded }: Wait): number | undefined {
    if (this.#maxRetries !== undefined && attempt >= this.#maxRetries) return undefined;
    if (this.#baseDelayMs !== undefined) return this.#baseDelayMs * 2 ** (attempt - 1);
    const countedMs = isCrowded && waitedMs < LONG_WAIT_MS ? waitedMs : ownerMs;
    const delayMs = Math.min(Math.max(MIN_DELAY_MS, countedMs * DELAY_PART), MAX_DELAY_MS);
    return delayMs * (0.5 + Math.random());
  }

  /**
   * Notes that this process had the lock.
   *
   * @param path the locked file
   * @param hold the hold that is over
   */
  recordHold(path: string, hold: Hold): void {
    const streak = this.#streaks.get(path);
    const holdMs = hold.endMs - hold.startMs;
    if (streak !== undefined && hold.startMs - streak.endMs < STREAK_GAP_MS) {
      streak.holdMs = holdMs;
      streak.endMs = hold.endMs;
      streak.isWanted ||= hold.isWanted;
    } else {
      if (this.#streaks.size >= MAX_STREAKS) this.#streaks.clear();
      this.#streaks.set(path, { ...hold, holdMs });
    }
  }

  /**
   * Lets others go first when this process has had the lock again and again while they waited.
   *
   * @param path the file to lock
   * @param sinceMs when the task began to wait, also for the other tasks of this process
   * @returns how long to wait before the first attempt, in milliseconds
   */
  yieldMs(path: string, sinceMs: number): number {
    const streak = this.#streaks.get(path);
    if (streak === undefined) return 0;
    const { startMs, endMs, isWanted, holdMs } = streak;
    const nowMs = Math.max(sinceMs, endMs); // a task that waited for another one follows it at once
    if (nowMs - endMs < STREAK_GAP_MS && !(isWanted && nowMs - startMs >= MAX_STREAK_MS)) return 0;
    this.#streaks.delete(path);
    if (nowMs - endMs >= STREAK_GAP_MS) return 0;
    return Math.min(Math.max(MIN_YIELD_MS, holdMs * YIELD_PART), MAX_YIELD_MS);
  }
}

/**
 * @param path the file whose lock could not be acquired
 * @param waitedMs how long was waited
 * @param holder who has it, if the lock file says so
 * @returns `LOCK_TIMEOUT`
 */
export function lockTimeout(
  path: string,
  waitedMs: number,
  holder: LockHolder | undefined,
): AgentxError<"LOCK_TIMEOUT"> {
  const who = holder
    ? `held by ${holder.agent} (process ${holder.pid} on ${holder.host ?? "an unknown host"}) ` +
      `since ${holder.timestamp}`
    : "its lock file does not say who holds it";
  const waited = `waited ${(waitedMs / 1000).toFixed(1)} s`;
  return new AgentxError("LOCK_TIMEOUT", `Cannot lock "${path}": ${who}; ${waited}`, {
    details: { path, waitedMs: Math.round(waitedMs), holder: holder ?? null },
    next: "Try again; if it happens again, check whether that process hangs",
  });
}
