// Asks the target of a clarification: for the first time, or as the one retry of its question.
//
// No code here waits for an agent while it holds a lock of a ledger. If several processes want to run a question, only
// one of them does. If that process dies, the question can be run again, and its retry is unused again.

import { HUB } from "../../base/agent_names.ts";
import type { AgentInvoker } from "../../agents/agent_call.ts";
import type { Workflow } from "../../config/workflow.ts";
import { AgentxError, hasCode } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import { addAttachment } from "../runs/attachments.ts";
import { escalateFailure, keepAnswer } from "./delivery.ts";
import type { HubParts } from "./hub_parts.ts";
import { type ClarificationOutcome, outcomeOf } from "./outcome.ts";
import type { RetryHow } from "./requests.ts";
import { beingRun } from "./refusals.ts";
import type { AgentAnswer } from "../../agents/answer.ts";
import { runTarget } from "../runs/run_target.ts";
import { type ClarificationRecord, issueNumberOf, isUnanswered } from "../schema.ts";
import { scopeOf } from "../rules/scope.ts";
import { checkUnanswered, markRetried } from "../rules/transitions.ts";

/** The party that runs a target, and the workflow of the question. */
interface Asking {
  workflow: Workflow;
  /** The party that the target is run for: the requester, or `serve`. */
  by: string;
  /** Aborts the wait for the answer; the question stays open. */
  signal?: AbortSignal;
}

/**
 * Runs the target on the open question of a record: once, and once more after a failure. A stale question gets only one
 * run. Returns the record with the answer, whichever process got it. Returns the record unchanged if no agent may be
 * run, escalated if the target failed, and undefined while another process runs the question.
 */
export async function askTarget(
  record: ClarificationRecord,
  asking: Asking,
  parts: HubParts,
): Promise<ClarificationOutcome | undefined> {
  const { id, round, status } = record;
  const invoke = invokerFor(record, parts);
  if (invoke === undefined) return outcomeOf(record, null);
  const run = await parts.runs.hold(id, asking.by, () =>
    inTurn(id, parts, async () => {
      const current = parts.ledger.getToRun(id);
      const isStillOpen = isUnanswered(current) && current.round === round;
      if (!isStillOpen) return outcomeOf(current, round);
      const { workflow, signal } = asking;
      return await runAndKeep(
        current,
        { invoke, workflow, signal, isLast: status === "stale" },
        parts,
      );
    }));
  return run?.value;
}

/**
 * Runs the target once more on its open question. A failure on a stale question escalates it. Throws
 * `INVALID_TRANSITION` if the question is not open or another process is running it.
 */
export async function retryTarget(
  record: ClarificationRecord,
  { by, workflow: type, signal, onAsked }: RetryHow & Pick<Asking, "by">,
  parts: HubParts,
): Promise<ClarificationOutcome & { retried: boolean }> {
  const { ledger, runs, workflowOf } = parts;
  const { id } = record;
  checkUnanswered(record);
  const invoke = invokerFor(record, parts);
  if (invoke === undefined) return { ...outcomeOf(record, null), retried: false };
  const workflow = workflowOf(issueNumberOf(id), type);
  const { slaMinutes } = scopeOf(workflow, record.from);
  const run = await runs.hold(id, by, () =>
    inTurn(id, parts, async () => {
      const current = await ledger.change(id, HUB, (record) => {
        markRetried(record, sys.now(), slaMinutes);
      });
      try {
        onAsked?.(current);
        const isLast = current.status === "stale";
        return await runAndKeep(current, { invoke, workflow, signal, isLast }, parts);
      } catch (error) {
        await oweAgain(current, parts);
        throw error;
      }
    }));
  if (run?.value === undefined) throw beingRun(record, runs.look(id), sys.now());
  return { ...run.value, retried: true };
}

/** Runs a question unless another machine is running it; returns undefined in that case. */
async function inTurn<T>(
  id: string,
  { machines }: HubParts,
  run: () => Promise<T>,
): Promise<T | undefined> {
  if (machines === undefined) return await run();
  const turn = await machines.takeTurn(id);
  try {
    return turn && await run();
  } finally {
    await turn?.end();
  }
}

/** Returns how to run the target. Returns undefined for a foreign question: agentx runs no agent for it. */
function invokerFor(
  { id, to, foreign }: ClarificationRecord,
  { invokerOf, notify }: HubParts,
): AgentInvoker | undefined {
  if (!foreign) return invokerOf(to);
  notify(`No agent is run for ${id}: it came from elsewhere. See: agentx doctor, agentx adopt`);
  return undefined;
}

async function runAndKeep(
  record: ClarificationRecord,
  { invoke, workflow, signal, isLast }: Omit<Asking, "by"> & {
    invoke: AgentInvoker;
    isLast: boolean;
  },
  parts: HubParts,
): Promise<ClarificationOutcome> {
  const { contextOf, notify, events } = parts;
  const attachments: string[] = [];
  const files = parts.runs.filesOf(record);
  const event = () => ({
    agent: record.to,
    issueNumber: issueNumberOf(record.id),
    timestamp: sys.now(),
  });
  const beganMs = sys.now();
  let isBegun = false;
  let answer: AgentAnswer | undefined;
  try {
    answer = await runTarget(record, {
      invoke: (call) => {
        if (!isBegun && files.left === undefined) events.emit("agent-started", event());
        isBegun = true;
        return invoke(call);
      },
      context: await contextOf(record, workflow),
      retryDelayMs: isLast ? undefined : parts.retryDelayMs,
      notify,
      keep: (answer) => void attachments.push(addAttachment(parts.attachments, record, answer)),
      files,
      signal,
    });
    const outcome = await keepAnswer(record, { ...answer, attachments }, parts);
    files.remove();
    events.emit("agent-completed", { ...event(), durationMs: sys.now() - beganMs });
    return outcome;
  } catch (error) {
    if (answer === undefined && error instanceof AgentxError) {
      const { reason } = hasCode(error, "AGENT_ERROR") ? error.details : { reason: error.summary };
      events.emit("agent-error", { ...event(), error: reason });
    }
    if (answer === undefined && signal?.aborted) files.remove(); // the agent died with its run
    if (hasCode(error, "UNTRUSTED")) {
      notify(error.oneLine);
      return outcomeOf(record, null);
    }
    if (!hasCode(error, "AGENT_ERROR")) throw error;
    const outcome = await escalateFailure(record, { ...error.details, isLast, attachments }, parts);
    files.remove();
    return outcome;
  }
}

/**
 * Makes the retry unused again after an error. If that fails, the retry counts as used; the caller reports the error.
 */
async function oweAgain({ id, retriedAt }: ClarificationRecord, { ledger }: HubParts) {
  await ledger.changeIf(id, HUB, (record) => {
    if (record.retriedAt !== retriedAt) return false;
    record.retriedAt = null;
    return true;
  }).catch(() => {});
}
