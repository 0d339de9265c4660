// The error for an unreadable command line, with the probable meaning. Pure.

import { AgentxError } from "../base/errors.ts";

export interface UsageErrorOptions {
  /** The flag or positional as the user wrote it. */
  field: string;
  /** The given value; null if it is missing. */
  value: unknown;
  /** Follows the name of the command: `--issue is required`. */
  why: string;
  /** A sentence before the pointer to the help, such as `Did you mean --issue?`. */
  hint?: string;
}

/** An `INVALID_INPUT` that points to the help. */
export function usageError(name: string, options: UsageErrorOptions): AgentxError<"INVALID_INPUT"> {
  const { field, value, why, hint } = options;
  const command = commandLine(name);
  const see = `See: ${command} --help`;
  return new AgentxError("INVALID_INPUT", `Cannot run ${command}: ${why}`, {
    details: { field, value },
    next: hint === undefined ? see : `${hint} ${see}`,
  });
}

/** The words that call the program, without the empty ones. */
export function commandLine(...words: readonly (string | undefined)[]): string {
  return ["agentx", ...words].filter(Boolean).join(" ");
}

/** The error for an argument that was left out; `when` says where it is required. */
export function missingArgument(
  name: string,
  field: string,
  when = "",
): AgentxError<"INVALID_INPUT"> {
  return usageError(name, { field, value: null, why: `${field} is required${when}` });
}
