// The error for an invalid command line, with the probable intention. Pure.

import { AgentxError } from "../base/errors.ts";

export interface UsageErrorOptions {
  /** The flag or positional as the user wrote it. */
  field: string;
  /** The given value; null if it is missing. */
  value: unknown;
  /** The reason, which follows the name of the command: `--issue is required`. */
  why: string;
  /** A sentence before the pointer to the help, such as `Did you mean --issue?`. */
  hint?: string;
}

/** Returns an `INVALID_INPUT` error that points to the help. */
export function usageError(name: string, options: UsageErrorOptions): AgentxError<"INVALID_INPUT"> {
  const { field, value, why, hint } = options;
  const command = commandLine(name);
  const see = `See: ${command} --help`;
  return new AgentxError("INVALID_INPUT", `Cannot run ${command}: ${why}`, {
    details: { field, value },
    next: hint === undefined ? see : `${hint} ${see}`,
  });
}

/** Returns a command line that calls the program, without empty words. */
export function commandLine(...words: readonly (string | undefined)[]): string {
  return ["agentx", ...words].filter(Boolean).join(" ");
}

/** Returns the error for a missing argument; `when` names the case that requires it. */
export function missingArgument(
  name: string,
  field: string,
  when = "",
): AgentxError<"INVALID_INPUT"> {
  return usageError(name, { field, value: null, why: `${field} is required${when}` });
}
