// How long to wait between two attempts at a lock, and when to let other processes go first.
//
// Delays grow with the wait, so many waiters leave the machine to the owner. Delays are random, so one of many
// waiters always tries soon. An owner that releases the lock and takes it again at once leaves a moment without a
// lock file. An attempt in that moment succeeds, so chance decides the turns. A waiter that keeps losing, or that
// waits for an owner with long turns, signals the owner, which then gives way.

import { AgentxError, type LockHolder } from "../base/errors.ts";
import type { Hold } from "./held_lock.ts";

export interface BackoffOptions {
  /** See `JsonFileLockOptions`. */
  maxRetries?: number;
  /** See `JsonFileLockOptions`. */
  baseDelayMs?: number;
}

/** The state of one wait. */
export interface Wait {
  /** Milliseconds since the wait began. */
  waitedMs: number;
  /** Milliseconds since this waiter first saw the present owner. */
  ownerMs: number;
  /** Whether other processes wait for the lock too. */
  isCrowded: boolean;
}

/**
 * An owner gives way for half as long as it held the lock, within these bounds. A waiter gets the lock in that time.
 */
const [YIELD_PART, MIN_YIELD_MS, MAX_YIELD_MS] = [0.5, 3, 32];

/** The shortest and the longest delay between two attempts, before a random factor of 0.5 to 1.5. */
const [MIN_DELAY_MS, MAX_DELAY_MS] = [1, 20];

/** Each delay is this fraction of the time that a waiter has seen the present owner. */
const DELAY_PART = 0.25;

/**
 * In a crowd, delays grow with the whole wait, but only up to this time. After it, they grow with the present owner's
 * time, so a waiter that was overtaken tries more often.
 */
const LONG_WAIT_MS = 1_000;

/** An owner that takes the lock again at once while others wait gives way after this long. */
const MAX_STREAK_MS = 5;

/** Two holds with a shorter gap between them belong to one streak. */
const STREAK_GAP_MS = 1;

/** The maximum number of streaks to remember. Each file has at most one streak. */
const MAX_STREAKS = 64;

/** Holds of one file that followed each other at once, or a single hold. */
interface Streak extends Hold {
  /** How long other processes go first after this streak. */
  yieldMs: number;
}

/** Decides how long the tasks of one process wait for locks. */
export class Backoff {
  readonly #maxRetries: number | undefined;
  readonly #baseDelayMs: number | undefined;
  readonly #streaks = new Map<string, Streak>();

  constructor({ maxRetries, baseDelayMs }: BackoffOptions = {}) {
    this.#maxRetries = maxRetries;
    this.#baseDelayMs = baseDelayMs;
  }

  /** Returns the milliseconds until the next attempt, or undefined if no attempt is left. Attempts count from 1. */
  delayMs(attempt: number, { waitedMs, ownerMs, isCrowded }: Wait): number | undefined {
    if (this.#maxRetries !== undefined && attempt >= this.#maxRetries) return undefined;
    if (this.#baseDelayMs !== undefined) return this.#baseDelayMs * 2 ** (attempt - 1);
    const countedMs = isCrowded && waitedMs < LONG_WAIT_MS ? waitedMs : ownerMs;
    const delayMs = Math.min(Math.max(MIN_DELAY_MS, countedMs * DELAY_PART), MAX_DELAY_MS);
    return delayMs * (0.5 + Math.random());
  }

  /** Records that this process held the lock. */
  recordHold(path: string, { startMs, endMs, isWanted }: Hold): void {
    const last = this.#streaks.get(path);
    const follows = last !== undefined && startMs - last.endMs < STREAK_GAP_MS;
    if (!follows && this.#streaks.size >= MAX_STREAKS) this.#streaks.clear();
    const yieldMs = Math.max(MIN_YIELD_MS, (endMs - startMs) * YIELD_PART);
    this.#streaks.set(path, {
      startMs: follows ? last.startMs : startMs,
      endMs,
      isWanted: isWanted || (follows && last.isWanted),
      yieldMs: Math.min(yieldMs, MAX_YIELD_MS),
    });
  }

  /**
   * Returns how long to wait before the first attempt. A process that has held the lock again and again, while
   * others waited, lets them go first.
   */
  yieldMs(path: string): number {
    const streak = this.#streaks.get(path);
    if (!streak?.isWanted || streak.endMs - streak.startMs < MAX_STREAK_MS) return 0;
    this.#streaks.delete(path);
    return Math.max(0, streak.endMs + streak.yieldMs - performance.now());
  }
}

/** Returns a `LOCK_TIMEOUT` error that names the owner if the lock file does. */
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
