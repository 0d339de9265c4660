/**
 * Mutual exclusion between processes, by a lock file beside the data (SPEC-1 sections 2.6 and 4.4,
 * ADR-1 decision 1).
 *
 * Guaranteed between Deno processes and workers on one host: never two owners, whatever is killed,
 * stopped or late; and a dead owner's lock is free at once. Where Node or Bun takes part, which have
 * no kernel lock: the same as long as an owner's process lives, and a worker that is terminated
 * inside a living process keeps its lock until the process ends. Between hosts the documents' 30
 * seconds without a heartbeat decide.
 *
 * @module
 */

import { AgentxError } from "../errors.ts";
import { holderOf } from "./claim.ts";
import { Contender } from "./contender.ts";
import type { HeldLock } from "./held_lock.ts";
import { lockTimeout, WaitSchedule } from "./wait.ts";

/** What happened at a lock that somebody may want to know of. */
export interface LockEvent {
  /** The wait was over 100 ms; the lock of a dead owner was taken; or it was not to be had. */
  kind: "waited" | "took-over" | "failed";
  /** The locked file. */
  path: string;
  /** Who wanted the lock. */
  agent: string;
  /** How long the wait was. */
  waitedMs: number;
}

/** Options of {@linkcode JsonFileLock}. */
export interface JsonFileLockOptions {
  /**
   * An owner on another host, or of the original format, is given up after this time without a
   * sign of life, in milliseconds. On this host the clock decides nothing.
   *
   * @default {30000}
   */
  staleThresholdMs?: number;
  /**
   * Longest wait for the lock, in milliseconds.
   *
   * @default {5000}
   */
  maxWaitMs?: number;
  /**
   * With `baseDelayMs`: the documents' fixed schedule, so many attempts with doubling delays, still
   * inside `maxWaitMs`. Without: short polls until `maxWaitMs`.
   *
   * @default {undefined}
   */
  maxRetries?: number;
  /**
   * First delay of the documents' schedule, in milliseconds.
   *
   * @default {undefined}
   */
  baseDelayMs?: number;
  /**
   * Wall clock, in milliseconds since the epoch.
   *
   * @default {Date.now}
   */
  now?: () => number;
  /**
   * Hears of long waits, takeovers and failures.
   *
   * @default {() => {}}
   */
  onEvent?: (event: LockEvent) => void;
}

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

const REPORT_WAIT_MS = 100;
const SETTLE_MS = 25;

/** A function that only seems to wait has settled after so many microtasks. */
const SHORT_TICKS = 4;

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
  readonly #options: Required<Omit<JsonFileLockOptions, "maxRetries" | "baseDelayMs">>;
  readonly #schedule: WaitSchedule;
  /** By path, in the order of acquisition: more than one only where one was lost. */
  readonly #held = new Map<string, HeldLock[]>();

  /**
   * Makes a lock for any number of files.
   *
   * @param options thresholds, waiting, clock
   */
  constructor(options: JsonFileLockOptions = {}) {
    const { staleThresholdMs = 30_000, maxWaitMs = 5_000, maxRetries, baseDelayMs } = options;
    const { now = Date.now, onEvent = () => {} } = options;
    const numbers = { staleThresholdMs, maxWaitMs, maxRetries, baseDelayMs };
    for (const [name, value] of Object.entries(numbers)) {
      if (value !== undefined && !(value >= 0)) {
        throw new RangeError(`Cannot use "${name}": it must be 0 or more, not ${value}`);
      }
    }
    this.#options = { staleThresholdMs, maxWaitMs, now, onEvent };
    this.#schedule = new WaitSchedule({ maxRetries, baseDelayMs });
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
    const lock = await this.#take(filePath, agent, performance.now());
    lock.startHeartbeat(this.#options.now);
    this.#held.set(filePath, [...this.#held.get(filePath) ?? [], lock]);
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
    const [lock, ...later] = this.#held.get(filePath) ?? [];
    if (lock === undefined) throw notHeld(filePath);
    if (later.length > 0) this.#held.set(filePath, later);
    else this.#held.delete(filePath);
    this.#free(filePath, lock);
  }

  /**
   * Runs a function while a file is locked.
   *
   * @param filePath the file to lock
   * @param agent who asks
   * @param fn runs while the lock is held; `lock.verify()` proves it before a commit
   * @param sinceMs when the wait began, on the monotonic clock
   * @returns what `fn` returns
   * @throws {AgentxError} `LOCK_TIMEOUT`; `LOCK_LOST` if the lock was gone when `fn` was through
   */
  async withLock<T>(
    filePath: string,
    agent: string,
    fn: (lock: LockHandle) => T | Promise<T>,
    sinceMs: number = performance.now(),
  ): Promise<T> {
    const lock = await this.#take(filePath, agent, sinceMs);
    let result: T;
    try {
      const outcome = fn(lock);
      result = outcome instanceof Promise ? await this.#outlast(lock, outcome) : outcome;
    } catch (error) {
      this.#freeQuietly(filePath, lock);
      throw error;
    }
    this.#free(filePath, lock);
    return result;
  }

  /** A lock that is freed before the event loop turns needs no timer, which would cost more than it. */
  async #outlast<T>(lock: HeldLock, outcome: Promise<T>): Promise<T> {
    let isSettled = false;
    const settled = outcome.finally(() => isSettled = true);
    settled.catch(() => {}); // it is awaited below, some microtasks later
    for (let tick = 0; tick < SHORT_TICKS && !isSettled; tick++) await undefined;
    if (!isSettled) lock.startHeartbeat(this.#options.now);
    return await settled;
  }

  async #take(filePath: string, agent: string, sinceMs: number): Promise<HeldLock> {
    const { staleThresholdMs, maxWaitMs, now } = this.#options;
    const contender = new Contender(filePath, { agent, staleThresholdMs, maxWaitMs, now });
    const waitedMs = () => performance.now() - sinceMs;
    const leftMs = () => Math.max(0, maxWaitMs - waitedMs());
    try {
      const giveWayMs = this.#schedule.giveWayMs(filePath, sinceMs);
      if (giveWayMs > 0) await sleep(Math.min(giveWayMs, leftMs()));
      for (let attempt = 1;; attempt++) {
        const delayMs = this.#schedule.delayMs(attempt);
        const isLast = delayMs === undefined || leftMs() === 0;
        const acquired = contender.attempt(waitedMs(), isLast);
        if (acquired !== undefined && (!acquired.isDisputed || await settle(acquired.lock))) {
          if (acquired.tookOver || attempt > 1 && waitedMs() > REPORT_WAIT_MS) {
            const kind = acquired.tookOver ? "took-over" : "waited";
            this.#tell({ kind, path: filePath, agent, waitedMs: waitedMs() });
          }
          return acquired.lock;
        }
        if (isLast) {
          this.#tell({ kind: "failed", path: filePath, agent, waitedMs: waitedMs() });
          throw lockTimeout(filePath, waitedMs(), holderOf(filePath));
        }
        await sleep(Math.min(delayMs, leftMs()));
      }
    } finally {
      contender.close();
    }
  }

  #tell(event: LockEvent): void {
    try {
      this.#options.onEvent(event);
    } catch {
      // Who listens has no say: a lock that was taken must reach the one who will release it.
    }
  }

  #free(filePath: string, lock: HeldLock): void {
    this.#schedule.noteTurn(filePath, lock.release());
  }

  /** For the way out of a failure, which must not be hidden by a second one. */
  #freeQuietly(filePath: string, lock: HeldLock): void {
    try {
      this.#free(filePath, lock);
    } catch {
      // Lost or unremovable: the caller is told of the failure that came first.
    }
  }
}

/** Who may not be the only one to believe that the lock is theirs looks twice. */
async function settle(lock: HeldLock): Promise<boolean> {
  await sleep(SETTLE_MS);
  let isOurs = false;
  try {
    return isOurs = lock.isOurs();
  } finally {
    if (!isOurs) lock.abandon();
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function notHeld(path: string): AgentxError<"LOCK_LOST"> {
  return new AgentxError("LOCK_LOST", `Cannot release the lock of "${path}": it is not held here`, {
    details: { path },
    next: "Release a lock once, through the object that acquired it",
  });
}
