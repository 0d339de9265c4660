// Gets one answer from a target agent: by one run, and by a second one some time after a failure.

import type { AgentInvoker, AnsweredBy } from "../../agents/agent_call.ts";
import { type AgentAnswer, runForAnswer } from "../../agents/answer.ts";
import { failedRun } from "../../agents/failed_run.ts";
import type { RunFiles } from "../../agents/run_files.ts";
import { hasCode } from "../../base/errors.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { type ClarificationContext, clarificationPrompt } from "./prompt.ts";
import { type ClarificationRecord, lastEntry, MAX_BODY } from "../schema.ts";

export interface RunTargetOptions {
  invoke: AgentInvoker;
  /** The background of the question, besides its thread. */
  context: ClarificationContext;
  /** Pause before the second run, in milliseconds. */
  retryDelayMs?: number;
  /** Called with one sentence on why it waits. */
  notify: (message: string) => void;
  /** Keeps an answer that is too long for the thread. */
  keep: (answer: string) => void;
  /** The files of the runs, kept until the answer is in the ledger. */
  files: RunFiles;
  signal?: AbortSignal;
}

/**
 * Asks the target the last question of the record. Throws `AGENT_ERROR` after the last failure; `INTERRUPTED` if the
 * signal aborts.
 */
export async function runTarget(
  record: ClarificationRecord,
  options: RunTargetOptions,
): Promise<AgentAnswer> {
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
 * Runs the target once. An answer that is too long is kept, and the target is asked at once for a shorter one; if that
 * is too long as well, the run has failed.
 */
async function runOnce(
  record: ClarificationRecord,
  options: RunTargetOptions,
): Promise<AgentAnswer> {
  const { to } = record;
  const { signal, files } = options;
  let before = answererOf(record);
  const sent = await withoutSecrets({ record, context: options.context });
  let tooLong: number | undefined;
  for (let ask = 0; ask < 2; ask++) {
    const prompt = clarificationPrompt(sent.record, sent.context, tooLong);
    const answer = await runForAnswer({ agent: to, prompt, before, signal, files }, options);
    tooLong = [...answer.body].length;
    if (tooLong <= MAX_BODY) return answer;
    options.keep(answer.body);
    before = answer.answeredBy;
  }
  const reason = `its answer has ${tooLong} characters, and ${MAX_BODY} are allowed`;
  throw failedRun(to, reason, { next: "Tell the agent to answer in one or two paragraphs" });
}

/** Returns the preset and session of the last answer. The session is resumed if its host can do that. */
function answererOf(record: ClarificationRecord): AnsweredBy | undefined {
  const { runner, session = null } = lastEntry(record, "answer") ?? {};
  return runner === undefined ? undefined : { runner, session };
}
