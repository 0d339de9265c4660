/**
 * A lock from its acquisition to its release, with its signs of life in between.
 *
 * @module
 */

import { Heartbeat } from "./heartbeat.ts";
import type { HeldLock, LockHandle } from "./held_lock.ts";
import { LockWait } from "./lock_wait.ts";
import type { JsonFileLockOptions } from "./options.ts";
import type { LockedFile } from "./paths.ts";
import { isThenable } from "./thenable.ts";

/** A function that only seems to wait has settled after so many microtasks. */
const SHORT_TICKS = 4;

/** Locks files one after the other or at once, between processes. */
export class LockRunner {
  readonly #wait: LockWait;
  readonly #heartbeat = new Heartbeat();

  /**
   * @param options of the lock
   */
  constructor(options: JsonFileLockOptions) {
    this.#wait = new LockWait(options);
  }

  /**
   * Waits for a lock that is held until it is released.
   *
   * @param locked the file to lock
   * @param agent who asks
   */
  async acquire(locked: LockedFile, agent: string): Promise<HeldLock> {
    const lock = await this.#wait.acquire(locked, agent, performance.now());
    this.#heartbeat.keep(lock);
    return lock;
  }

  /**
   * Frees a lock.
   *
   * @param locked the file
   * @param lock its lock
   * @throws {AgentxError} `LOCK_LOST`
   */
  release({ path }: LockedFile, lock: HeldLock): void {
    this.#wait.recordHold(path, lock.release());
  }

  /**
   * Runs a function while a file is locked.
   *
   * @param locked the file to lock
   * @param agent who asks
   * @param fn runs while the lock is held
   * @param sinceMs when the wait began, on the monotonic clock
   */
  async run<T>(
    locked: LockedFile,
    agent: string,
    fn: (lock: LockHandle) => T | Promise<T>,
    sinceMs: number,
  ): Promise<T> {
    const lock = await this.#wait.acquire(locked, agent, sinceMs);
    let result: T;
    try {
      const outcome = fn(lock);
      result = isThenable(outcome) ? await this.#outlast(lock, outcome) : outcome;
    } catch (error) {
      this.#releaseQuietly(locked, lock);
      throw error;
    }
    this.release(locked, lock);
    return result;
  }

  /** A lock that is freed before the event loop turns needs no timer, which would cost more than it. */
  async #outlast<T>(lock: HeldLock, outcome: PromiseLike<T>): Promise<T> {
    let isSettled = false;
    const settled = Promise.resolve(outcome).finally(() => isSettled = true);
    settled.catch(() => {}); // it is awaited below, some microtasks later
    for (let tick = 0; tick < SHORT_TICKS && !isSettled; tick++) await undefined;
    if (!isSettled) this.#heartbeat.keep(lock);
    return await settled;
  }

  /** For the way out of a failure, which must not be hidden by a second one. */
  #releaseQuietly(locked: LockedFile, lock: HeldLock): void {
    try {
      this.release(locked, lock);
    } catch {
      // Lost or unremovable: the caller gets the failure that came first.
    }
  }
}
