/**
 * The error for a command line that cannot be understood.
 *
 * @module
 */

import { AgentxError } from "../errors.ts";

export { quote } from "../text/quote.ts";

/** Options of {@linkcode usageError}. */
export interface UsageErrorOptions {
  /** The flag or positional as the user wrote it. */
  field: string;
  /** What was given; null where it is missing. */
  value: unknown;
  /** Follows the name of the command: `--issue is required`. */
  why: string;
  /** A sentence before the pointer to the help, such as `Did you mean --issue?`. */
  hint?: string;
}

/** @returns an `INVALID_INPUT` that points to the help */
export function usageError(name: string, options: UsageErrorOptions): AgentxError<"INVALID_INPUT"> {
  const { field, value, why, hint } = options;
  const command = ["agentx", name].filter(Boolean).join(" ");
  const see = `See: ${command} --help`;
  return new AgentxError("INVALID_INPUT", `Cannot run ${command}: ${why}`, {
    details: { field, value },
    next: hint === undefined ? see : `${hint} ${see}`,
  });
}
