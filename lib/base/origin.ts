// Whether what lies in a state was written by this user's own processes, for the rooms that act on it. Pure.

import { AgentxError } from "./errors.ts";

/** Tells a record from a forged one with its id: nobody else knows its time. */
export interface Made {
  id: string;
  /** ISO-8601, UTC, with milliseconds. */
  created: string;
}

/** Where the files of a state come from, as `workspace/state_origin.ts` knows. */
export interface Origin {
  /**
   * Looks at the state: returns a test, as things are now, whether a file, or a record in it, came
   * from elsewhere. Such a record is shown, and never run, applied or recalled as true.
   */
  now(): (path: string, record?: Made) => boolean;
  /** Whether git tracks a file, which a pull may replace: nothing is added to it. */
  isTracked(path: string): boolean;
  /** Notes a question asked here, which counts in every file. */
  noteOwn(made: Made): void;
}

/** The origin of data that no repository could bring. */
export const OWN_ORIGIN: Origin = {
  now: () => () => false,
  isTracked: () => false,
  noteOwn: () => {},
};

/** The error for a file that others may have written. */
export function cameWithRepository(path: string): AgentxError<"UNTRUSTED"> {
  const reason = "it came from elsewhere, so anyone may have written it";
  return new AgentxError("UNTRUSTED", `Cannot use "${path}": ${reason}`, {
    details: { path, reason },
    next:
      "Read it first; if it is yours, use: agentx doctor --fix where git tracks it, or agentx adopt",
  });
}

/** Throws `UNTRUSTED` for a file that came with the repository: nobody here was asked, or confirmed it. */
export function checkOwn(path: string, origin: Origin): void {
  if (origin.isTracked(path)) throw cameWithRepository(path);
}
