// The error of a run that brought no answer. Pure.

import { AgentxError, type ErrorDetails } from "../base/errors.ts";

/** Maximum length of text from outside in a failure's reason, in characters. */
const MAX_REASON = 200;

/** The next step after a failure to reach the network. */
export const NO_NETWORK = "; if this session has no network, start agentx serve in the main " +
  "checkout, outside its sandbox";

/** The details of {@linkcode failedRun} besides the reason. */
export interface FailedRun extends Omit<ErrorDetails["AGENT_ERROR"], "agent" | "reason"> {
  cause?: unknown;
  /** The next step for the user. */
  next?: string;
}

export function failedRun(
  agent: string,
  reason: string,
  { cause, next = "Check how it is run with: agentx agents", ...more }: FailedRun = {},
): AgentxError<"AGENT_ERROR"> {
  return new AgentxError("AGENT_ERROR", `Cannot get an answer from ${agent}: ${reason}`, {
    details: { agent, reason, ...more },
    next,
    cause,
  });
}

/**
 * Returns the first line of a text, cut: the reason of a failure goes into records and messages, where one line is
 * enough.
 */
export function firstLine(text: string): string {
  return cut(text.trim().split("\n", 1)[0]);
}

/** Cuts a line to the length that a reason may have. */
export function cut(line: string): string {
  return line.slice(0, MAX_REASON).toWellFormed();
}

/** The error of a run that was stopped by an unknown sender. */
export function interrupted(): AgentxError<"INTERRUPTED"> {
  return new AgentxError("INTERRUPTED", "Stopped", { details: { signal: "SIGINT" } });
}
