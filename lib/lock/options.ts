// Options for the wait and the reports of a lock. Pure.

/** An owner with no other visible sign of life counts as gone after this long without a heartbeat. */
export const STALE_THRESHOLD_MS = 30_000;

/** The longest wait for a lock, unless the caller says otherwise. */
export const MAX_WAIT_MS = 5_000;

/** An event of a lock that is worth a report. */
export interface LockEvent {
  /**
   * `waited`: the wait was over 100 ms. `took-over`: the lock of a dead owner was taken over. `failed`: the lock was
   * not acquired.
   */
  kind: "waited" | "took-over" | "failed";
  /** The locked file. */
  path: string;
  /** The agent that wanted the lock. */
  agent: string;
  /** How long the wait was, in milliseconds. */
  waitedMs: number;
}

/** Options of {@linkcode JsonFileLock}. */
export interface JsonFileLockOptions {
  /**
   * Give up an owner with an invisible process (another host or container, an older version) after this time
   * without a heartbeat, in milliseconds.
   */
  staleThresholdMs?: number;
  /** Longest wait for the lock, in milliseconds. */
  maxWaitMs?: number;
  /**
   * With `baseDelayMs`: the fixed schedule of SPEC-1, with this many attempts and doubling delays, still within
   * `maxWaitMs`. Without `baseDelayMs`: polls at short intervals, for at most this many attempts.
   */
  maxRetries?: number;
  /** First delay of the schedule that `maxRetries` describes, in milliseconds. */
  baseDelayMs?: number;
  /** Ends every wait when it fires. After that, a free lock can still be taken, but a held lock fails at once. */
  signal?: AbortSignal;
  /**
   * Called at long waits, takeovers and failures.
   *
   * @default {() => {}}
   */
  onEvent?: (event: LockEvent) => void;
}

/** Throws a `RangeError` if a number is negative or NaN. */
export function checkLockOptions(options: JsonFileLockOptions): void {
  const { staleThresholdMs, maxWaitMs, maxRetries, baseDelayMs } = options;
  const numbers = { staleThresholdMs, maxWaitMs, maxRetries, baseDelayMs };
  for (const [name, value] of Object.entries(numbers)) {
    if (value !== undefined && !(value >= 0)) {
      throw new RangeError(`Cannot use "${name}": it must be 0 or more, not ${value}`);
    }
  }
}
