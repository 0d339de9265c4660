// Gets the answer of an agent in a form that may be written: without secrets and private parts, and never empty.

import { AgentxError, hasCode } from "../base/errors.ts";
import { cutting, withoutSecrets } from "../redact/border.ts";
import type { AgentCall, AgentInvoker, AnsweredBy } from "./agent_call.ts";
import { failedRun } from "./failed_run.ts";

/** An agent's answer. */
export interface AgentAnswer {
  /** The text, without private parts and secrets. */
  body: string;
  /** The preset that gave the answer; undefined if no preset did. */
  answeredBy?: AnsweredBy;
  /** Number of tokens read and written; undefined if unknown. */
  tokens?: number;
}

/**
 * Runs an agent, and returns the part of its reply that may be written. Secrets are also cut from an error, because a
 * failing agent may quote its input.
 */
export async function runForAnswer(
  call: AgentCall,
  { invoke, notify }: { invoke: AgentInvoker; notify: (message: string) => void },
): Promise<AgentAnswer> {
  const { agent } = call;
  try {
    const { text, ...more } = await called(invoke, call);
    const options = { what: `the answer of ${agent}`, notify };
    return { body: await cutting((cut) => cut("answer", text), options), ...more };
  } catch (error) {
    if (!hasCode(error, "AGENT_ERROR") && !hasCode(error, "INVALID_INPUT")) throw error;
    const { summary, next } = error;
    const details = hasCode(error, "AGENT_ERROR") ? error.details : { agent, reason: summary };
    const said = await withoutSecrets({ summary, next, details });
    throw new AgentxError("AGENT_ERROR", said.summary, said);
  }
}

/** Returns the kept reply, or calls the agent. An empty reply counts as a failed run. */
async function called(
  invoke: AgentInvoker,
  call: AgentCall,
): Promise<Omit<AgentAnswer, "body"> & { text: string }> {
  const { agent, files } = call;
  const reply = files?.takeReply() ?? await invoke(call);
  files?.keep(reply);
  const { text, tokens, ...answeredBy } = typeof reply === "object" ? reply : { text: reply };
  if (typeof text !== "string" || text.trim() === "") {
    throw failedRun(agent, "its answer is empty");
  }
  const isKnown = "runner" in answeredBy;
  return { text: text.toWellFormed(), answeredBy: isKnown ? answeredBy : undefined, tokens };
}
