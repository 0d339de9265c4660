/**
 * How a lock waits, and whom it tells.
 *
 * @module
 */

/** What happened at a lock that others may want to know of. */
export interface LockEvent {
  /** The wait was over 100 ms; the lock of a dead owner was taken; or nothing came of it. */
  kind: "waited" | "took-over" | "failed";
  /** The locked file. */
  path: string;
  /** The agent that wanted the lock. */
  agent: string;
  /** How long the wait was. */
  waitedMs: number;
}

/** Options of {@linkcode JsonFileLock}. */
export interface JsonFileLockOptions {
  /**
   * An owner of which nothing else can be known (another host or container, an older version) is
   * given up after this time without a sign of life, in milliseconds.
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
   * Ends every wait when it fires: a lock that is free can still be taken, and nothing is waited for.
   *
   * @default {undefined}
   */
  signal?: AbortSignal;
  /**
   * Hears of long waits, takeovers and failures.
   *
   * @default {() => {}}
   */
  onEvent?: (event: LockEvent) => void;
}

/**
 * @param options of a lock
 * @throws {RangeError} if a number is negative or none
 */
export function checkLockOptions(options: JsonFileLockOptions): void {
  const { staleThresholdMs, maxWaitMs, maxRetries, baseDelayMs } = options;
  const numbers = { staleThresholdMs, maxWaitMs, maxRetries, baseDelayMs };
  for (const [name, value] of Object.entries(numbers)) {
    if (value !== undefined && !(value >= 0)) {
      throw new RangeError(`Cannot use "${name}": it must be 0 or more, not ${value}`);
    }
  }
}
