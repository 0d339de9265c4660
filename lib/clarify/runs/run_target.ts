// Gets one answer out of a target agent: by one run, and a second one some time after it failed.

import type { AgentCall, AgentInvoker, AnsweredBy } from "../../agents/agent_call.ts";
import { failedRun } from "../../agents/failed_run.ts";
import type { RunFiles } from "../../agents/run_files.ts";
import { AgentxError, hasCode } from "../../base/errors.ts";
import { cutting, withoutSecrets } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { type ClarificationContext, clarificationPrompt } from "./prompt.ts";
import { type ClarificationRecord, lastEntry, MAX_BODY } from "../schema.ts";

export interface RunTargetOptions {
  invoke: AgentInvoker;
  /** What the target should know besides the thread. */
  context: ClarificationContext;
  /** Pause before the second run, in milliseconds. */
  retryDelayMs?: number;
  /** Called with why it waits, in one sentence. */
  notify: (message: string) => void;
  /** Keeps an answer that is too long for the thread. */
  keep: (answer: string) => void;
  /** Where the runs are kept until their answer is in the ledger. */
  files: RunFiles;
  signal?: AbortSignal;
}

export interface TargetAnswer {
  /** Without private parts and secrets, 1 to 2000 characters. */
  body: string;
  /** Undefined where no preset gave it. */
  answeredBy?: AnsweredBy;
  /** Read and written; undefined where nothing says so. */
  tokens?: number;
}

/**
 * Asks the target the last question of the record. Throws `AGENT_ERROR` after the last failure;
 * `INTERRUPTED`.
 */
export async function runTarget(
  record: ClarificationRecord,
  options: RunTargetOptions,
): Promise<TargetAnswer> {
  const { retryDelayMs, notify, signal, files } = options;
  try {
    await files.settle(record.to, { notify, signal });
    return await runOnce(record, options);
  } catch (error) {
    if (!hasCode(error, "AGENT_ERROR") || retryDelayMs === undefined) throw error;
    if (error.details.final !== undefined) throw error;
    notify(`${error.summary}; trying once more in ${retryDelayMs / 1000} s`);
    await sys.wait(retryDelayMs, signal);
    return await runOnce(record, options);
  }
}

/**
 * An answer that is too long is kept and asked again at once, saying so; after that the run has failed.
 */
async function runOnce(
  record: ClarificationRecord,
  options: RunTargetOptions,
): Promise<TargetAnswer> {
  const { to } = record;
  const { signal, files } = options;
  let before = answererOf(record);
  const sent = await withoutSecrets({ record, context: options.context });
  let tooLong: number | undefined;
  for (let ask = 0; ask < 2; ask++) {
    const prompt = clarificationPrompt(sent.record, sent.context, tooLong);
    const answer = await replyOf({ agent: to, prompt, before, signal, files }, options);
    tooLong = [...answer.body].length;
    if (tooLong <= MAX_BODY) return answer;
    options.keep(answer.body);
    before = answer.answeredBy;
  }
  const reason = `its answer has ${tooLong} characters, and ${MAX_BODY} are allowed`;
  throw failedRun(to, reason, { next: "Tell the agent to answer in one or two paragraphs" });
}

/** Who answered before: its session is resumed, where that can be. */
function answererOf(record: ClarificationRecord): AnsweredBy | undefined {
  const { runner, session = null } = lastEntry(record, "answer") ?? {};
  return runner === undefined ? undefined : { runner, session };
}

/** The part of a reply that may be written; an agent that fails may quote what it was given. */
export async function replyOf(
  call: AgentCall,
  { invoke, notify }: Pick<RunTargetOptions, "invoke" | "notify">,
): Promise<TargetAnswer> {
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

/** Saying nothing is a failed run. */
async function called(
  invoke: AgentInvoker,
  call: AgentCall,
): Promise<Omit<TargetAnswer, "body"> & { text: string }> {
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
