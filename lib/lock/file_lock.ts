/**
 * Mutual exclusion between processes, by a lock file beside the data (SPEC-1 sections 2.6 and 4.4,
 * ADR-1 decision 1).
 *
 * Guaranteed between Deno processes and workers under one kernel, in whatever containers: never two
 * owners, whatever is killed, stopped or late; and a dead owner's lock is free at once. Where Node or
 * Bun takes part, which have no kernel lock: the same among processes that see each other's ids; a
 * worker that is terminated inside a living process keeps its lock until the process ends. Where
 * nothing can be seen (other hosts, other containers without a kernel lock, no `/proc`) the documents'
 * 30 seconds without a heartbeat decide.
 *
 * @module
 */

import { AgentxError } from "../errors.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { HeldLock } from "./held_lock.ts";
import { type JsonFileLockOptions, LockWait } from "./lock_wait.ts";
import { type LockedFile, lockedFile } from "./paths.ts";

/** A lock while it is held, as those see it who work under it. */
export interface LockHandle {
  /** Identifies this acquisition. */
  readonly token: string;
  /** Proves the ownership right before a commit: throws `LOCK_LOST`. */
  verify(): void;
}

/** A lock between processes (SPEC-1 section 2.6). */
export interface IFileLock {
  /** Waits for the lock of a file; resolves to true or rejects with `LOCK_TIMEOUT`. */
  acquire(filePath: string, agent: string): Promise<true>;
  /** Frees the lock; rejects with `LOCK_LOST` when it was no longer ours. */
  release(filePath: string): Promise<void>;
  /** Runs `fn` while the lock is held. */
  withLock<T>(
    filePath: string,
    agent: string,
    fn: (lock: LockHandle) => T | Promise<T>,
  ): Promise<T>;
}

/** A function that only seems to wait has settled after so many microtasks. */
const SHORT_TICKS = 4;

/** What a lock was acquired for, as the caller named it. */
interface Acquisition {
  name: string;
  locked: LockedFile;
  lock: HeldLock;
}

/**
 * The lock file of the documents, with a kernel lock as its witness where there is one.
 *
 * @example A file is changed by one process at a time
 * ```ts
 * import { JsonFileLock } from "@agentx/toolkit/lock";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = Deno.makeTempDirSync();
 * const path = `${folder}/counter.json`;
 * const lock = new JsonFileLock();
 * const text = await lock.withLock(path, "engineer", () => Deno.readTextFileSync(`${path}.lock`));
 * assertEquals(JSON.parse(text).agent, "engineer");
 * Deno.removeSync(folder, { recursive: true });
 * ```
 */
export class JsonFileLock implements IFileLock {
  readonly #wait: LockWait;
  readonly #heartbeat: Heartbeat;
  /** In the order of acquisition: more than one of a file only where one was lost. */
  readonly #acquired: Acquisition[] = [];
  /**
   * Makes a lock for any number of files.
   *
   * @param options thresholds, waiting, clock
   */
  constructor(options: JsonFileLockOptions = {}) {
    this.#wait = new LockWait(options);
    this.#heartbeat = new Heartbeat(options.now ?? Date.now);
  }

  /**
   * Waits for the lock of a file.
   *
   * @param filePath the file to lock; its lock file is `{filePath}.lock`
   * @param agent who asks, for those who wait
   * @returns true
   * @throws {AgentxError} `LOCK_TIMEOUT` with the holder; `IO_ERROR`
   */
  async acquire(filePath: string, agent: string): Promise<true> {
    const locked = lockedFile(filePath);
    const lock = await this.#wait.acquire(locked, agent, performance.now());
    this.#heartbeat.keep(lock);
    this.#acquired.push({ name: filePath, locked, lock });
    return true;
  }

  /**
   * Frees the lock of a file.
   *
   * @param filePath a file whose lock was acquired through this object
   * @throws {AgentxError} `LOCK_LOST`, and nobody's lock is touched
   */
  // deno-lint-ignore require-await -- the specification's signature: failures are rejections
  async release(filePath: string): Promise<void> {
    const index = this.#find(filePath);
    if (index === -1) throw notHeld(filePath);
    const [{ locked, lock }] = this.#acquired.splice(index, 1);
    this.#free(locked, lock);
  }

  /** By the name under which it was acquired, whatever the current folder is by now; or by another. */
  #find(filePath: string): number {
    const index = this.#acquired.findIndex(({ name }) => name === filePath);
    if (index !== -1) return index;
    const { path } = lockedFile(filePath);
    return this.#acquired.findIndex(({ locked }) => locked.path === path);
  }

  /**
   * Runs a function while a file is locked.
   *
   * @param filePath the file to lock
   * @param agent who asks
   * @param fn runs while the lock is held; `lock.verify()` proves it before a commit
   * @returns what `fn` returns
   * @throws {AgentxError} `LOCK_TIMEOUT`; `LOCK_LOST` if the lock was gone when `fn` was through
   */
  async withLock<T>(
    filePath: string,
    agent: string,
    fn: (lock: LockHandle) => T | Promise<T>,
  ): Promise<T> {
    return await this.run(lockedFile(filePath), agent, fn, performance.now());
  }

  /**
   * As {@linkcode JsonFileLock.withLock}, for a caller that has found the file and waited already.
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
      this.#freeQuietly(locked, lock);
      throw error;
    }
    this.#free(locked, lock);
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

  #free({ path }: LockedFile, lock: HeldLock): void {
    this.#wait.recordHold(path, lock.release());
  }

  /** For the way out of a failure, which must not be hidden by a second one. */
  #freeQuietly(locked: LockedFile, lock: HeldLock): void {
    try {
      this.#free(locked, lock);
    } catch {
      // Lost or unremovable: the caller is told of the failure that came first.
    }
  }
}

/** @returns whether a value is a promise, also one of another realm or of a library */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as PromiseLike<T> | null | undefined)?.then === "function";
}

function notHeld(path: string): AgentxError<"LOCK_LOST"> {
  return new AgentxError("LOCK_LOST", `Cannot release the lock of "${path}": it is not held here`, {
    details: { path },
    next: "Release a lock once, through the object that acquired it",
  });
}
