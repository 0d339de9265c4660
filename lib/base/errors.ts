// The only error class of the toolkit, and the exit code for each of its error codes.
//
// An expected failure is an `AgentxError`. Its `code` is the contract, and the code determines the type of `details`.
// The message says what failed and why, and its second line says what to do next. Misuse by a programmer is a
// `TypeError` or `RangeError`; any other error is a bug.

/** All error codes, each with the type of its details (SPEC-1 section 3.5, DESIGN section 8). */
export interface ErrorDetails {
  /**
   * A target agent failed, timed out or gave no usable answer. `final` says why another run cannot help; `stdout` and
   * `stderr` are the ends of its output.
   */
  AGENT_ERROR: {
    agent: string;
    reason: string;
    final?: string;
    stdout?: string;
    stderr?: string;
  };
  /** The operating system refused an operation: disk full, read-only, no permission. */
  IO_ERROR: { operation: string; path: string; errno: string };
  /** An argument is malformed; `field` names it, and `value` is the value that was given. */
  INVALID_INPUT: { field: string; value: unknown };
  /** A configuration or workflow file is wrong; `line` is 1-based, or null if unknown. */
  INVALID_CONFIG: { path: string; line: number | null; key: string | null };
  /** There is no `.agentx/` in this folder or in a parent folder. */
  NOT_INITIALISED: { path: string };
  /** The clarification, workflow, key or file does not exist. */
  NOT_FOUND: { kind: string; id: string };
  /** Another process held the lock until the deadline; `holder` is null if the lock file does not name one. */
  LOCK_TIMEOUT: { path: string; waitedMs: number; holder: LockHolder | null };
  /** The lock had been lost by the time it was used or released. */
  LOCK_LOST: { path: string };
  /** The same task asked for a lock that it already holds. */
  LOCK_REENTRANT: { path: string };
  /** A file or folder may come from another user, and this user has not agreed to trust that user. */
  UNTRUSTED: { path: string; reason: string };
  /** The workflow does not let the requester ask the target, or not in this way. */
  SCOPE_VIOLATION: { from: string; to: string; allowed: string[] };
  /** The follow-up would exceed the limit; the clarification is escalated instead. */
  MAX_ROUNDS_EXCEEDED: { clarificationId: string; rounds: number };
  /** The clarification cannot change in this way from its status, or not by this actor. */
  INVALID_TRANSITION: { clarificationId: string; status: string; action: string };
  /**
   * A gate is closed. `loop`: the iterative loop of the issue is not complete. `runs`: too many agents run. `budget`: a
   * workflow has used its tokens. `turns`: a human must look at what agents have asked each other on the issue.
   * `human`: a human must not be asked now, and the reasons are codes, such as `quota_session`.
   */
  GATE_REFUSED: { gate: string; issueNumber: number | null; reasons: string[] };
  /** The issue cannot be taken or handed over yet. */
  NOT_READY: { issueNumber: number; reasons: string[] };
  /** A state file cannot be parsed, or its content is invalid. The file is not changed. */
  CORRUPT_STATE: { path: string; line: number | null };
  /** A newer version of the toolkit wrote the state file. The file is not changed. */
  NEWER_STATE: { path: string; version: number };
  /** The shared git remote could not be reached, or it refused a push. After a refusal, another try does not help. */
  SYNC_ERROR: { remote: string; reason: string; isRefused?: true };
  /** Nothing happened before the deadline of a wait. */
  WAIT_TIMEOUT: { clarificationId: string; waitedMs: number };
  /** The person or the system stopped the command. */
  INTERRUPTED: { signal: string };
}

/** The owner of a lock, as its lock file names it (SPEC-1 section 4.4). */
export interface LockHolder {
  /** Process id, on `host`. */
  pid: number;
  /** Time at which the lock was acquired, ISO-8601, UTC; in lock files of older versions, the last heartbeat. */
  timestamp: string;
  /** Agent or process name. */
  agent: string;
  /** Host name; null in lock files of the original format. */
  host: string | null;
}

/** A code of {@linkcode AgentxError}. */
export type ErrorCode = keyof ErrorDetails;

/** Exit code of the command line for each error code (DESIGN section 8). */
export const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
  AGENT_ERROR: 1,
  IO_ERROR: 1,
  INVALID_INPUT: 2,
  INVALID_CONFIG: 2,
  NOT_INITIALISED: 3,
  NOT_FOUND: 4,
  LOCK_TIMEOUT: 5,
  LOCK_LOST: 5,
  LOCK_REENTRANT: 5,
  UNTRUSTED: 6,
  SCOPE_VIOLATION: 6,
  MAX_ROUNDS_EXCEEDED: 6,
  INVALID_TRANSITION: 6,
  GATE_REFUSED: 6,
  NOT_READY: 6,
  CORRUPT_STATE: 8,
  NEWER_STATE: 8,
  SYNC_ERROR: 1,
  WAIT_TIMEOUT: 124,
  INTERRUPTED: 130,
};

/** Exit code if an answer is pending or a human is needed (DESIGN section 8). */
export const NEEDS_HUMAN = 7;

/** Options of {@linkcode AgentxError}. */
export interface AgentxErrorOptions<Code extends ErrorCode> {
  /** The details that belong to the code. */
  details: ErrorDetails[Code];
  /** What the reader can do next: one sentence without a final period. */
  next?: string;
  /** The error that caused this one. */
  cause?: unknown;
}

/**
 * A failure that the toolkit expects (SPEC-1 section 3.5), with a code and the next step.
 *
 * @example A failure names its code and the next step
 * ```ts
 * import { AgentxError } from "@agentx/toolkit";
 * import { assertEquals } from "@std/assert";
 *
 * const error = new AgentxError("NOT_FOUND", 'Cannot find "CLR-42-009": no such clarification', {
 *   details: { kind: "clarification", id: "CLR-42-009" },
 *   next: "List the clarifications of the issue with: agentx clarify --issue 42",
 * });
 * assertEquals(error.code, "NOT_FOUND");
 * assertEquals(error.message, `${error.summary}\n${error.next}`);
 * ```
 */
export class AgentxError<Code extends ErrorCode = ErrorCode> extends Error {
  /** The stable code of the error. Programs should compare this, not the message. */
  readonly code: Code;
  /** The details of the error; their type depends on the code. */
  readonly details: ErrorDetails[Code];
  /** The failure and its reason: the first line of the message. */
  readonly summary: string;
  /** What the reader can do next, if there is something: the rest of the message. */
  readonly next: string | undefined;

  /**
   * Makes an error. Its message is the summary, followed by `next` on a second line.
   *
   * @param code one of {@linkcode ErrorCode}
   * @param summary `Cannot <action> "<value>": <why>`
   */
  constructor(code: Code, summary: string, options: AgentxErrorOptions<Code>) {
    const { details, next, cause } = options;
    super(next === undefined ? summary : `${summary}\n${next}`, { cause });
    this.name = "AgentxError";
    this.code = code;
    this.details = details;
    this.summary = summary;
    this.next = next;
  }

  /** The whole message on one line, as a note shows it. */
  get oneLine(): string {
    return this.next === undefined ? this.summary : `${this.summary}. ${this.next}`;
  }
}

/**
 * Returns whether a caught value is an {@linkcode AgentxError} with this code.
 *
 * @returns true for that error, and then types its details
 */
export function hasCode<Code extends ErrorCode>(
  error: unknown,
  code: Code,
): error is AgentxError<Code> {
  return error instanceof AgentxError && error.code === code;
}

/**
 * Runs work that may fail without harm.
 *
 * @param otherwise the result if the work fails with an `AgentxError`; any other error is thrown
 * @param codes the codes to accept; without any, all codes are accepted
 */
export function orElse<T, F>(otherwise: F, work: () => T, ...codes: ErrorCode[]): T | F {
  try {
    return work();
  } catch (error) {
    const isOurs = error instanceof AgentxError;
    if (!isOurs || codes.length > 0 && !codes.includes(error.code)) throw error;
    return otherwise;
  }
}
