/**
 * The one retry of a question. Of any number of processes one runs it; where that one dies, the retry is
 * owed again.
 *
 * @module
 */

import type { AgentInvoker } from "../agents/invoke.ts";
import type { Workflow } from "../config/workflow.ts";
import type { ClarificationLedger } from "./ledger.ts";
import { beingRun } from "./refusals.ts";
import type { Runs } from "./runs.ts";
import { type ClarificationRecord, parseClarificationId } from "./schema.ts";
import { scopeOf } from "./scope.ts";
import { type ClarificationOutcome, outcomeOf, type Target } from "./target.ts";
import { checkUnanswered, HUB, markRetried } from "./transitions.ts";

/** What it takes to retry. */
export interface RetryOptions {
  ledger: ClarificationLedger;
  target: Target;
  runs: Runs;
  workflowOf: (issueNumber: number) => Workflow;
  /** How to run an agent; undefined where nothing is configured. */
  invokerOf: (agent: string) => AgentInvoker | undefined;
  now: () => number;
  /** For whom it is run: the requester, or `serve`. */
  by: string;
  /** Stops waiting; the retry is owed again then. */
  signal?: AbortSignal;
  /** Hears that the retry begins. */
  onAsked?: (record: ClarificationRecord) => void;
}

/**
 * Runs the target once more on its open question.
 *
 * @param id such as `CLR-42-001`
 * @param options how
 * @returns whether the target was run, and how the clarification stands: a target that failed on a
 *   stale question is escalated
 * @throws {AgentxError} `NOT_FOUND`; `INVALID_TRANSITION` if it is not open or another process is on it
 */
export async function retryTarget(
  id: string,
  options: RetryOptions,
): Promise<ClarificationOutcome & { retried: boolean }> {
  const { ledger, target, runs, workflowOf, invokerOf, now, by, signal, onAsked } = options;
  const asked = ledger.getById(id);
  checkUnanswered(asked);
  if (invokerOf(asked.to) === undefined) {
    return { ...outcomeOf(asked, null), retried: false };
  }
  const workflow = workflowOf(parseClarificationId(id).issueNumber);
  const { slaMinutes } = scopeOf(workflow, asked.from);
  let record: ClarificationRecord | undefined;
  const begin = async () => {
    record = await ledger.change(id, HUB, (record) => markRetried(record, now(), slaMinutes));
    onAsked?.(record);
    return record;
  };
  try {
    const outcome = await target.ask(asked, { workflow, by, signal, begin });
    if (outcome === undefined) throw beingRun(asked, await runs.look(id, now()), now());
    return { ...outcome, retried: record !== undefined };
  } catch (error) {
    if (record === undefined) throw error;
    const { retriedAt } = record;
    await ledger.change(id, HUB, (record) => {
      if (record.retriedAt === retriedAt) record.retriedAt = null;
    }).catch(() => {}); // then it counts as run; why it did not end is the news
    throw error;
  }
}
