// Tells whether this user's own processes wrote the content of a state, for modules that act on that content. Pure.

import { AgentxError } from "./errors.ts";

/** The key of a record. It distinguishes a real record from a forged one, because nobody else knows its exact time. */
export interface Made {
  id: string;
  /** ISO-8601, UTC, with milliseconds. */
  created: string;
}

/** The origin of the files of a state, as `workspace/state_origin.ts` determines it. */
export interface Origin {
  /**
   * Looks at the state now, and returns a test: whether a file, or a record in it, came from elsewhere. Such a record
   * is shown, but never run, applied or recalled as true.
   */
  now(): (path: string, record?: Made) => boolean;
  /** Returns whether git tracks a file. Nothing is added to such a file, because a pull may replace it. */
  isTracked(path: string): boolean;
  /** Notes a question that was asked on this machine. The question then counts as the user's own in every file. */
  noteOwn(made: Made): void;
}

/** The origin of data that no repository could have brought. */
export const OWN_ORIGIN: Origin = {
  now: () => () => false,
  isTracked: () => false,
  noteOwn: () => {},
};

/** Returns the error for a file that others may have written. */
export function cameWithRepository(path: string): AgentxError<"UNTRUSTED"> {
  const reason = "it came from elsewhere, so anyone may have written it";
  return new AgentxError("UNTRUSTED", `Cannot use "${path}": ${reason}`, {
    details: { path, reason },
    next: "Read it first. If it is yours, run: agentx adopt; if git tracks it, agentx doctor --fix",
  });
}

/**
 * Throws `UNTRUSTED` for a file that came with the repository, because nobody on this machine asked for or confirmed
 * it.
 */
export function checkOwn(path: string, origin: Origin): void {
  if (origin.isTracked(path)) throw cameWithRepository(path);
}
