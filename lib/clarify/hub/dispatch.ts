// Decides which process runs the target of a question, and when: the one that asked, a runner, or a later
// retry.

import { roleOf } from "../../base/agent_names.ts";
import type { Workflow } from "../../config/workflow.ts";
import { AgentxError } from "../../base/errors.ts";
import { askTarget, retryTarget } from "./ask_target.ts";
import type { OnAsked, RetryHow } from "./requests.ts";
import { findDeadlocks } from "../monitor/findings.ts";
import type { HubParts } from "./hub_parts.ts";
import { type ClarificationOutcome, outcomeOf } from "./outcome.ts";
import { tooManyRuns } from "./refusals.ts";
import { Remedies } from "../monitor/remedies.ts";
import { dayLimitReached, type NextRun, runLimitReached } from "../rules/limits.ts";
import {
  askerOf,
  type ClarificationRecord,
  isLookedAfter,
  issueNumberOf,
  isUnanswered,
} from "../schema.ts";
import { checkUnanswered } from "../rules/transitions.ts";
import { untilAnswered } from "./until_answered.ts";
import type { Deadlock } from "../monitor/wait_graph.ts";

/** Runs the targets of questions, or waits for the process that does. */
export class Dispatcher {
  readonly #parts: HubParts;

  constructor(parts: HubParts) {
    this.#parts = parts;
  }

  /**
   * Checks the limits on runs before a run of the agent `to` begins. Agents that cannot be run here have no limit.
   * Throws `GATE_REFUSED` if a limit is reached.
   */
  checkRuns(to: string, next: NextRun): void {
    const { ledger, invokerOf, runs, runsToday, maxRunsPerDay } = this.#parts;
    if (invokerOf(roleOf(to)) === undefined) return;
    const ids = runs.underWay();
    const why = runLimitReached(ids.flatMap((id) => ledger.findReadable(id) ?? []), next) ??
      dayLimitReached(runsToday(), maxRunsPerDay);
    if (why !== undefined) throw tooManyRuns(to, { issueNumber: next.issueNumber, why });
  }

  /** Runs the target once more, in the name of `by`; by default in the name of its requester. */
  async retry(id: string, how: RetryHow, by?: string) {
    const record = this.#parts.ledger.getToRun(id);
    const unreached = await this.unreached(record);
    if (unreached !== undefined) {
      checkUnanswered(record);
      return { ...unreached, retried: false };
    }
    const from = askerOf(record);
    this.checkRuns(record.to, { from, issueNumber: issueNumberOf(id), id });
    return await retryTarget(record, { ...how, by: by ?? from }, this.#parts);
  }

  /**
   * Asks the target of a question that was just written. If the question closes a deadlock and is the one to give up,
   * it is escalated at once instead.
   */
  async ask(
    record: ClarificationRecord,
    workflow: Workflow,
    { onAsked = () => {}, signal }: { onAsked?: OnAsked; signal?: AbortSignal },
  ): Promise<ClarificationOutcome> {
    const deadlocked = await this.#givenUp(record);
    if (deadlocked !== undefined) return deadlocked;
    const unreached = await this.unreached(record);
    onAsked(record, unreached?.reach);
    return unreached ?? await this.#runOrWait(record, workflow, signal);
  }

  /** Returns, without waiting, the outcome of a question that no agent can be run for; undefined if an agent is run. */
  async unreached(record: ClarificationRecord): Promise<ClarificationOutcome | undefined> {
    const reach = await this.#parts.runs.reach(record.to);
    const isReached = reach.by === "run" || reach.by === "machine" || record.foreign;
    return isReached ? undefined : { ...outcomeOf(record, null), reach };
  }

  /**
   * Escalates the question if that breaks a deadlock, and returns the outcome; undefined if the question goes on. If
   * the check fails, the next monitor makes it.
   */
  async #givenUp(record: ClarificationRecord): Promise<ClarificationOutcome | undefined> {
    const { ledger, notify } = this.#parts;
    try {
      const deadlock = await this.#breakDeadlock(record);
      if (!deadlock?.escalated.includes(record.id)) return undefined;
      const current = ledger.getById(record.id);
      return current.status === "escalated" ? { ...outcomeOf(current, null), deadlock } : undefined;
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      notify(`${record.id} is asked, and not checked for a deadlock: ${error.summary}`);
      return undefined;
    }
  }

  /**
   * If a new question completes a circle of waits, breaks this deadlock at once, without waiting for the monitor.
   * Several processes that do so at the same time choose the same clarifications, and only one escalates them.
   */
  async #breakDeadlock(asked: ClarificationRecord): Promise<Deadlock | undefined> {
    if (!asked.blocking || asked.foreign) return undefined;
    const { ledger, runs } = this.#parts;
    const others = ledger.scan().clarifications
      .filter((record) => isLookedAfter(record) && record.id !== asked.id);
    if (!others.some((record) => waitsFor(record, asked))) return undefined;
    // Use the question as it was written: another process may have escalated it for the same circle by now.
    const found = findDeadlocks([...others, asked]);
    const own = [...found].filter(([, { cycle }]) => cycle.includes(asked.id));
    const reachOf = (agent: string) => runs.reach(agent);
    await new Remedies({ ...this.#parts, reachOf }).breakDeadlocks(new Map(own));
    return own.at(0)?.[1];
  }

  /**
   * Runs the target of a question. While a runner or another process runs it, this process waits; it runs the target
   * itself once they stop.
   */
  async #runOrWait(
    record: ClarificationRecord,
    workflow: Workflow,
    signal?: AbortSignal,
  ): Promise<ClarificationOutcome> {
    const { ledger, invokerOf, runs, machines } = this.#parts;
    const { id, round, to, foreign } = record;
    const by = askerOf(record);
    const { by: answers } = await runs.reach(to);
    const isOwn = invokerOf(to) === undefined || foreign;
    let outcome: ClarificationOutcome | undefined;
    const whileOpen = async () => {
      if (answers === "machine") await machines?.hearAgain();
      else if (isOwn || !runs.isServed(to)) {
        outcome = await askTarget(record, { workflow, by, signal }, this.#parts);
      }
      return outcome !== undefined;
    };
    const current = await untilAnswered(ledger, id, {
      signal,
      round,
      untilOverdue: true,
      whileOpen,
    });
    return outcome ?? outcomeOf(current, round);
  }

  /**
   * Runs the target of an open question that no process is running, as a runner does: for the first time, or as its
   * unused retry. Returns undefined if another process is running it. Throws `NOT_FOUND`, `INVALID_TRANSITION`,
   * `GATE_REFUSED`, `INTERRUPTED`.
   */
  async runOpen(
    id: string,
    { by, signal }: { by: string; signal?: AbortSignal },
  ): Promise<ClarificationOutcome | undefined> {
    const record = this.#parts.ledger.getToRun(id);
    if (record.status !== "pending" || record.retriedAt) {
      const { retried: _, ...outcome } = await this.retry(id, { signal }, by);
      return outcome;
    }
    const issueNumber = issueNumberOf(id);
    this.checkRuns(record.to, { from: askerOf(record), issueNumber, id });
    const asking = { workflow: this.#parts.workflowOf(issueNumber), by, signal };
    return await askTarget(record, asking, this.#parts);
  }
}

/**
 * Whether a record waits for the asker of another one. This test is cheap and mostly false: then no deadlock is
 * possible.
 */
function waitsFor(record: ClarificationRecord, asked: ClarificationRecord): boolean {
  return record.blocking && isUnanswered(record) && roleOf(record.to) === roleOf(askerOf(asked));
}
