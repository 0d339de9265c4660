// The trace of one run, seen from outside, for a person who asks why it failed. Pure.

/**
 * A request and its reply.
 *
 * @internal
 */
export interface RunTrace {
  /** Program and arguments, or the method and address of an HTTP request. */
  sent: readonly string[];
  /** Names of the environment variables that the program got. */
  variables: readonly string[];
  /** The outcome, such as `exit code 1` or `HTTP 401`. */
  outcome: string;
  stdout: string;
  stderr: string;
}

/**
 * Called with the trace of each run.
 *
 * @internal
 */
export type OnRun = (trace: RunTrace) => void;
