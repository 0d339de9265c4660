// Runs a lock from its acquisition to its release: attempts until one succeeds or the wait ends, and a heartbeat
// while the lock is held.

import { invalidInput } from "../base/input_checks.ts";
import { pause } from "../sys/pause.ts";
import { sys } from "../sys/mod.ts";
import { privateModes } from "../sys/modes.ts";
import { Backoff, lockTimeout } from "./backoff.ts";
import type { HeldLock, LockHandle } from "./held_lock.ts";
import { LockAttempt } from "./lock_attempt.ts";
import { holderOf } from "./lock_file.ts";
import {
  checkLockOptions,
  type JsonFileLockOptions,
  type LockEvent,
  MAX_WAIT_MS,
  STALE_THRESHOLD_MS,
} from "./options.ts";
import type { LockedFile } from "./paths.ts";
import { isThenable } from "./thenable.ts";

const REPORT_WAIT_MS = 100;
const SETTLE_MS = 25;
const HEARTBEAT_MS = 10_000;

/** A waiter signals the owner after this long. Earlier, every waiter would do it and slow the owner. */
const PATIENT_MS = 16;

/** A waiter with a shorter limit signals the owner after this part of its longest wait. */
const PATIENT_PART = 0.25;

/** Locks files against other processes, one after the other or several at once. */
export class LockRunner {
  readonly #options: JsonFileLockOptions;
  readonly #backoff: Backoff;
  /** The mode of lock files, which the user can choose. It is read at the first lock. */
  #mode: number | undefined;
  /** The locks with a heartbeat. One timer renews all heartbeats and runs while this set is not empty. */
  readonly #beating = new Set<HeldLock>();
  #stopTimer: () => void = () => {};

  constructor(options: JsonFileLockOptions) {
    checkLockOptions(options);
    this.#options = { ...options };
    this.#backoff = new Backoff(options);
  }

  /** Waits for a lock and keeps it until `release` is called. */
  async acquire(locked: LockedFile, agent: string): Promise<HeldLock> {
    const lock = await this.#acquire(locked, agent, performance.now());
    this.#keepAlive(lock);
    return lock;
  }

  /** Frees a lock. Throws `LOCK_LOST`. */
  release({ path }: LockedFile, lock: HeldLock): void {
    this.#beating.delete(lock);
    if (this.#beating.size === 0) this.#stopTimer();
    this.#backoff.recordHold(path, lock.release());
  }

  /** Runs a function while a file is locked. */
  async run<T>(
    locked: LockedFile,
    agent: string,
    fn: (lock: LockHandle) => T | Promise<T>,
    sinceMs: number,
  ): Promise<T> {
    const lock = await this.#acquire(locked, agent, sinceMs);
    let result: T;
    try {
      const outcome = fn(lock);
      if (isThenable(outcome)) this.#keepAlive(lock);
      result = await outcome;
    } catch (error) {
      try {
        this.release(locked, lock);
      } catch {
        // The lock is lost as well; the caller gets the failure that came first.
      }
      throw error;
    }
    this.release(locked, lock);
    return result;
  }

  #keepAlive(lock: HeldLock): void {
    if (this.#beating.size === 0) {
      this.#stopTimer = sys.every(HEARTBEAT_MS, () => {
        const nowMs = sys.now();
        this.#beating.forEach((lock) => lock.beat(nowMs));
      });
    }
    this.#beating.add(lock);
  }

  async #acquire(locked: LockedFile, agent: string, sinceMs: number): Promise<HeldLock> {
    if (agent === "") {
      throw invalidInput("agent", agent, "it is empty: nobody could tell who waits");
    }
    const { staleThresholdMs = STALE_THRESHOLD_MS, maxWaitMs = MAX_WAIT_MS, signal } =
      this.#options;
    const mode = this.#mode ??= privateModes().file;
    const options = { agent, mode, staleThresholdMs };
    const lockAttempt = new LockAttempt(locked, options);
    const waitedMs = () => performance.now() - sinceMs;
    const leftMs = () => signal?.aborted ? 0 : Math.max(0, maxWaitMs - waitedMs());
    const tell = (kind: LockEvent["kind"]) =>
      this.#tell({ kind, path: locked.name, agent, waitedMs: waitedMs() });
    const patientMs = Math.min(PATIENT_MS, maxWaitMs * PATIENT_PART);
    try {
      const yieldMs = this.#backoff.yieldMs(locked.path);
      if (yieldMs > 0) await pause(Math.min(yieldMs, leftMs()), signal);
      for (let attempt = 1;; attempt++) {
        const isLast = leftMs() === 0;
        const acquired = lockAttempt.attempt(waitedMs() >= patientMs);
        if (acquired !== undefined && (!acquired.isDisputed || await settle(acquired.lock))) {
          if (acquired.tookOver) tell("took-over");
          else if (attempt > 1 && waitedMs() > REPORT_WAIT_MS) tell("waited");
          return acquired.lock;
        }
        const { sinceMs: seenMs, isCrowded } = lockAttempt.owner;
        const ownerMs = performance.now() - seenMs;
        const delayMs = this.#backoff.delayMs(attempt, {
          waitedMs: waitedMs(),
          ownerMs,
          isCrowded,
        });
        if (isLast || delayMs === undefined) {
          tell("failed");
          throw signal?.aborted
            ? signal.reason
            : lockTimeout(locked.name, waitedMs(), holderOf(locked.path));
        }
        await pause(Math.min(delayMs, leftMs()), signal);
      }
    } finally {
      lockAttempt.close();
    }
  }

  #tell(event: LockEvent): void {
    try {
      this.#options.onEvent?.(event);
    } catch {
      // A failing listener is ignored: a lock that was taken must reach the caller, which will release it.
    }
  }
}

/** Waits and then checks the lock again, because another process may believe that it owns the same lock. */
async function settle(lock: HeldLock): Promise<boolean> {
  await pause(SETTLE_MS);
  let isOurs = false;
  try {
    return isOurs = lock.isOurs();
  } finally {
    if (!isOurs) lock.close();
  }
}
