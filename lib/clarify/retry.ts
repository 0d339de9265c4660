/**
 * The one retry of a question: it is marked under the lock before the target runs, so that of any
 * number of processes one runs it.
 *
 * @module
 */

import type { AgentInvoker } from "../agents/invoke.ts";
import type { Workflow } from "../workflow.ts";
import type { ClarificationLedger } from "./ledger.ts";
import { isUnanswered, parseClarificationId } from "./schema.ts";
import { scopeOf } from "./scope.ts";
import { type ClarificationOutcome, outcomeOf, type Target } from "./target.ts";
import { HUB, markRetried } from "./transitions.ts";

/** What it takes to retry. */
export interface RetryOptions {
  ledger: ClarificationLedger;
  target: Target;
  workflowOf: (issueNumber: number) => Workflow;
  /** How to run an agent; undefined where nothing is configured. */
  invokerOf: (agent: string) => AgentInvoker | undefined;
  now: () => number;
  /** Stops waiting; the retry is owed again then. */
  signal?: AbortSignal;
}

/**
 * Runs the target once more on its open question.
 *
 * @param id such as `CLR-42-001`
 * @param options how
 * @returns whether the target was run, and how the clarification stands: a target that failed on a
 *   stale question is escalated
 * @throws {AgentxError} `NOT_FOUND`; `INVALID_TRANSITION` if it is not open or was retried before
 */
export async function retryTarget(
  id: string,
  options: RetryOptions,
): Promise<ClarificationOutcome & { retried: boolean }> {
  const { ledger, target, workflowOf, invokerOf, now, signal } = options;
  const asked = ledger.getById(id);
  if (isUnanswered(asked) && invokerOf(asked.to) === undefined) {
    return { ...outcomeOf(asked, null), retried: false };
  }
  const workflow = workflowOf(parseClarificationId(id).issueNumber);
  const { slaMinutes } = scopeOf(workflow, asked.from);
  const record = await ledger.change(id, HUB, (record) => markRetried(record, now(), slaMinutes));
  try {
    return { ...await target.ask(record, workflow, signal), retried: true };
  } catch (error) {
    const { retriedAt } = record;
    await ledger.change(id, HUB, (record) => {
      if (record.retriedAt === retriedAt) record.retriedAt = null;
    }).catch(() => {}); // then it counts as run; why it did not end is the news
    throw error;
  }
}
