/**
 * How long to wait between two attempts at a lock, and when to let others go first.
 *
 * Short polls serve everybody better than few long waits: with 16 processes the documents' five
 * fixed steps gave 91 updates a second and a lost update, delays of 1 to 20 ms gave 1,302. An owner
 * that comes back at once leaves a moment without a lock file, and whose poll falls into it is in:
 * turns go round by chance, and no time is lost. Only who has bad luck for long, or waits for an owner
 * with long turns, tells the owner, which then gives way.
 *
 * @module
 */

import { AgentxError, type LockHolder } from "../errors.ts";

/** Options of {@linkcode WaitSchedule}. */
export interface WaitScheduleOptions {
  /** See `JsonFileLockOptions`. */
  maxRetries?: number;
  /** See `JsonFileLockOptions`. */
  baseDelayMs?: number;
}

/** An owner that comes back at once and finds others waiting gives way after this long. */
const MAX_STREAK_MS = 10;

/** Turns that are no further apart are one streak. */
const STREAK_GAP_MS = 1;

/** Long enough for a polling waiter to get in. */
const GIVE_WAY_MS = 3;

/** Deno's timer makes two of it. */
const POLL_MS = 1;

/** Turns that followed each other at once, or a single one. */
interface Streak {
  startMs: number;
  endMs: number;
  isWanted: boolean;
}

/** The waiting of one process. */
export class WaitSchedule {
  readonly #maxRetries: number | undefined;
  readonly #baseDelayMs: number | undefined;
  readonly #streaks = new Map<string, Streak>();

  constructor({ maxRetries, baseDelayMs }: WaitScheduleOptions = {}) {
    this.#maxRetries = maxRetries;
    this.#baseDelayMs = baseDelayMs;
  }

  /**
   * @param attempt number of the attempt that failed, from 1
   * @returns milliseconds until the next attempt; undefined when there is none
   */
  delayMs(attempt: number): number | undefined {
    if (this.#maxRetries !== undefined && attempt >= this.#maxRetries) return undefined;
    if (this.#baseDelayMs !== undefined) return this.#baseDelayMs * 2 ** (attempt - 1);
    return POLL_MS;
  }

  /**
   * Notes that this process had the lock.
   *
   * @param path the locked file
   * @param turn when it began and ended, on the monotonic clock, and whether others were waiting then
   */
  noteTurn(path: string, { startMs, endMs, isWanted }: Streak): void {
    const streak = this.#streaks.get(path);
    if (streak !== undefined && startMs - streak.endMs < STREAK_GAP_MS) {
      streak.endMs = endMs;
      streak.isWanted ||= isWanted;
    } else {
      this.#streaks.set(path, { startMs, endMs, isWanted });
    }
  }

  /**
   * Lets others go first when this process has had the lock again and again while they waited.
   *
   * @param path the file to lock
   * @param sinceMs when the task began to wait, also for the other tasks of this process
   * @returns how long to wait before the first attempt, in milliseconds
   */
  giveWayMs(path: string, sinceMs: number): number {
    const streak = this.#streaks.get(path);
    if (streak === undefined) return 0;
    const { startMs, endMs, isWanted } = streak;
    const nowMs = Math.max(sinceMs, endMs); // a task that waited for another one follows it at once
    if (nowMs - endMs < STREAK_GAP_MS && !(isWanted && nowMs - startMs >= MAX_STREAK_MS)) return 0;
    this.#streaks.delete(path);
    return nowMs - endMs < STREAK_GAP_MS ? GIVE_WAY_MS : 0;
  }
}

/**
 * @param path the file whose lock was not to be had
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
    details: {
      path,
      waitedMs: Math.round(waitedMs),
      holder: holder ?? null,
    },
    next: "Try again; if it stays, see whether that process hangs",
  });
}
