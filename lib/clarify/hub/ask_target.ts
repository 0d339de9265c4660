// Asks the target of a clarification: for the first time, or as the one retry of its question.
//
// No agent is awaited under a lock of a ledger. Of any number of processes one runs a question; where
// that one dies, the question can be run again, and its retry is left again.

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

/** The requester of a target, and the workflow of its question. */
interface Asking {
  workflow: Workflow;
  /** For whom it is run: the requester, or `serve`. */
  by: string;
  /** Stops waiting; the question stays open. */
  signal?: AbortSignal;
}

/**
 * Runs the target on the open question of a record: once, and once more after a failure; a stale question has one run
 * left. Returns the record with the answer of any process; unchanged if nothing may run; escalated if the target
 * failed; undefined while another process runs it.
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
 * Runs the target once more on its open question. Where it fails on a stale one, that is escalated.
 * Throws `INVALID_TRANSITION` if it is not open or another process is running it.
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

/** Runs a question while no other machine does; undefined if one does. */
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

/** Nothing is run for what came with the repository. */
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
    if (answer === undefined && signal?.aborted) files.remove(); // it was killed with its run
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

/** Where that fails, the retry counts as used; the caller reports why the run did not end. */
async function oweAgain({ id, retriedAt }: ClarificationRecord, { ledger }: HubParts) {
  await ledger.changeIf(id, HUB, (record) => {
    if (record.retriedAt !== retriedAt) return false;
    record.retriedAt = null;
    return true;
  }).catch(() => {});
}
