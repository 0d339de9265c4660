/**
 * Waiting for a lock: attempts until one succeeds or the wait is over.
 *
 * @module
 */

import { pause } from "../sys/clock.ts";
import { Backoff, lockTimeout } from "./backoff.ts";
import type { HeldLock, Hold } from "./held_lock.ts";
import { type Acquired, LockAttempt } from "./lock_attempt.ts";
import { holderOf, lockFileMode } from "./lock_file.ts";
import { type JsonFileLockOptions, type LockEvent, STALE_THRESHOLD_MS } from "./options.ts";
import type { LockedFile } from "./paths.ts";

const REPORT_WAIT_MS = 100;
const SETTLE_MS = 25;

/** A waiter tells the owner after this long: sooner, all would do it, and it would slow the owner. */
const PATIENT_MS = 16;

/** One that cannot wait that long tells it after this part of the longest wait. */
const PATIENT_PART = 0.25;

/** The waits of one object. */
export class LockWait {
  readonly #options: Required<Pick<JsonFileLockOptions, "staleThresholdMs" | "maxWaitMs">>;
  readonly #onEvent: (event: LockEvent) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #backoff: Backoff;
  /** Of the lock files, as the user chose it; found out at the first lock. */
  #mode: number | undefined;

  /**
   * @param options of the lock
   */
  constructor(options: JsonFileLockOptions) {
    const { staleThresholdMs = STALE_THRESHOLD_MS, maxWaitMs = 5_000, maxRetries, baseDelayMs } =
      options;
    const { onEvent = () => {}, signal } = options;
    this.#options = { staleThresholdMs, maxWaitMs };
    this.#onEvent = onEvent;
    this.#signal = signal;
    this.#backoff = new Backoff({ maxRetries, baseDelayMs });
  }

  /**
   * Waits for a lock.
   *
   * @param locked what to lock
   * @param agent who asks
   * @param sinceMs when the wait began, on the monotonic clock
   */
  async acquire(locked: LockedFile, agent: string, sinceMs: number): Promise<HeldLock> {
    const { staleThresholdMs, maxWaitMs } = this.#options;
    const mode = this.#mode ??= lockFileMode();
    const lockAttempt = new LockAttempt(locked, { agent, mode, staleThresholdMs });
    const waitedMs = () => performance.now() - sinceMs;
    const leftMs = () => this.#signal?.aborted ? 0 : Math.max(0, maxWaitMs - waitedMs());
    const patientMs = Math.min(PATIENT_MS, maxWaitMs * PATIENT_PART);
    try {
      const yieldMs = this.#backoff.yieldMs(locked.path, sinceMs);
      if (yieldMs > 0) await pause(Math.min(yieldMs, leftMs()), this.#signal);
      for (let attempt = 1;; attempt++) {
        const isLast = leftMs() === 0;
        const acquired = lockAttempt.attempt(waitedMs() >= patientMs);
        if (acquired !== undefined && (!acquired.isDisputed || await settle(acquired.lock))) {
          this.#tellOfWait(acquired, attempt, { path: locked.name, agent, waitedMs: waitedMs() });
          return acquired.lock;
        }
        const { sinceMs: seenMs, isCrowded } = lockAttempt.owner;
        const ownerMs = performance.now() - seenMs;
        const delayMs = this.#backoff.delayMs(attempt, {
          waitedMs: waitedMs(),
          ownerMs,
          isCrowded,
        });
        if (isLast || delayMs === undefined) throw this.#failure(locked, agent, waitedMs());
        await pause(Math.min(delayMs, leftMs()), this.#signal);
      }
    } finally {
      lockAttempt.close();
    }
  }

  /** Why the lock was not acquired. */
  #failure({ name, path }: LockedFile, agent: string, waitedMs: number): unknown {
    this.#tell({ kind: "failed", path: name, agent, waitedMs });
    return this.#signal?.aborted
      ? this.#signal.reason
      : lockTimeout(name, waitedMs, holderOf(path));
  }

  #tellOfWait({ tookOver }: Acquired, attempt: number, event: Omit<LockEvent, "kind">): void {
    if (tookOver) this.#tell({ kind: "took-over", ...event });
    else if (attempt > 1 && event.waitedMs > REPORT_WAIT_MS) {
      this.#tell({ kind: "waited", ...event });
    }
  }

  #tell(event: LockEvent): void {
    try {
      this.#onEvent(event);
    } catch {
      // A listener has no say: a lock that was taken must reach the one that will release it.
    }
  }

  /**
   * Notes that this process had a lock, so that it lets others go first now and then.
   *
   * @param path the locked file
   * @param hold the hold that is over
   */
  recordHold(path: string, hold: Hold): void {
    this.#backoff.recordHold(path, hold);
  }
}

/** An owner that may not be the only one to believe that the lock is theirs looks twice. */
async function settle(lock: HeldLock): Promise<boolean> {
  await pause(SETTLE_MS);
  let isOurs = false;
  try {
    return isOurs = lock.isOurs();
  } finally {
    if (!isOurs) lock.close();
  }
}
