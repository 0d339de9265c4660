/**
 * Who runs the target of a question, and when: the process that asked it, a runner, or a later retry.
 *
 * @module
 */

import { roleOf } from "../agent_names.ts";
import type { AgentInvoker } from "../agents/invoke.ts";
import type { Workflow } from "../config/workflow.ts";
import { AgentxError } from "../errors.ts";
import type { ClarificationLedger } from "./ledger.ts";
import { tooManyRuns } from "./refusals.ts";
import { retryTarget } from "./retry.ts";
import { type NextRun, runLimitReached } from "./run_limits.ts";
import type { Runs } from "./runs.ts";
import {
  askerOf,
  type ClarificationRecord,
  isLookedAfter,
  isUnanswered,
  parseClarificationId,
} from "./schema.ts";
import { answerOf, type ClarificationOutcome, outcomeOf, type Target } from "./target.ts";

/** So many questions that were asked without waiting are run along with the next one. */
const MAX_LEFT = 4;

/** How often it is looked for an answer that somebody else gets. */
const POLL_MS = 100;

/** Hears of a question when it is written, before its target is asked. */
export type OnAsked = (record: ClarificationRecord) => void;

/** How a question is run again. */
export interface RetryHow {
  /**
   * Type of the workflow whose rules apply.
   *
   * @default {the workflow of the issue}
   */
  workflow?: string;
  /** Stops waiting for the target; the retry is owed again then. */
  signal?: AbortSignal;
  /**
   * Hears that it begins.
   *
   * @default {() => {}}
   */
  onAsked?: OnAsked;
}

/** What it takes to get a question answered. */
export interface DispatcherOptions {
  ledger: ClarificationLedger;
  target: Target;
  runs: Runs;
  workflowOf: (issueNumber: number, type?: string) => Workflow;
  /** How to run an agent; undefined where nothing is configured. */
  invokerOf: (agent: string) => AgentInvoker | undefined;
  notify: (message: string) => void;
  now: () => number;
  wait: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Has questions answered. */
export class Dispatcher {
  readonly #options: DispatcherOptions;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /**
   * Refuses what would run one agent too many; where none would be run, people may ask on.
   *
   * @param to the target
   * @param next the run that would begin
   * @throws {AgentxError} `GATE_REFUSED`
   */
  checkRuns(to: string, next: NextRun): void {
    const { ledger, invokerOf, now } = this.#options;
    const canRun = (role: string) => invokerOf(role) !== undefined;
    if (!canRun(roleOf(to))) return;
    const records = ledger.scan().ledgers.flatMap(({ clarifications }) => clarifications);
    const why = runLimitReached(records, next, { canRun, nowMs: now() });
    if (why !== undefined) throw tooManyRuns(to, { issueNumber: next.issueNumber, why });
  }

  /**
   * Runs the target once more.
   *
   * @param id such as `CLR-42-001`
   * @param how whose rules apply, what stops it, and who hears that it begins
   * @param by for whom; left out, for its requester
   * @returns whether it was run, and how the clarification stands
   */
  async retry(id: string, how: RetryHow, by?: string) {
    const record = this.#options.ledger.getToRun(id);
    const from = askerOf(record);
    this.checkRuns(record.to, { from, issueNumber: parseClarificationId(id).issueNumber, id });
    const workflowOf = (issue: number) => this.#options.workflowOf(issue, how.workflow);
    const options = { ...this.#options, workflowOf, by: by ?? from };
    return await retryTarget(id, { ...options, signal: how.signal, onAsked: how.onAsked });
  }

  /**
   * Asks the target of a question that was just written.
   *
   * @param record with that question
   * @param workflow whose rules apply
   * @param how who hears that it begins, and what stops waiting
   * @returns the answer, or how the clarification stands without one
   */
  async ask(
    record: ClarificationRecord,
    workflow: Workflow,
    { onAsked = () => {}, signal }: { onAsked?: OnAsked; signal?: AbortSignal },
  ): Promise<ClarificationOutcome> {
    onAsked(record);
    const own = this.#untilAnswered(record, workflow, signal);
    const left = this.#askLeft(record, signal);
    try {
      return await own;
    } finally {
      await left;
    }
  }

  /** Where a runner is at work, or another process is on it, that one is waited for. */
  async #untilAnswered(
    record: ClarificationRecord,
    workflow: Workflow,
    signal?: AbortSignal,
  ): Promise<ClarificationOutcome> {
    const { invokerOf, now, runs } = this.#options;
    const { to, foreign } = record;
    const by = askerOf(record);
    while (true) {
      if (invokerOf(to) === undefined || foreign || !await runs.isServed(to, now())) {
        const outcome = await this.#options.target.ask(record, { workflow, by, signal });
        if (outcome !== undefined) return outcome;
      }
      const outcome = await this.#lookLater(record, signal);
      if (outcome !== undefined) return outcome;
    }
  }

  /** Whether somebody else has answered, or time is over. */
  async #lookLater(
    { id, round }: ClarificationRecord,
    signal?: AbortSignal,
  ): Promise<ClarificationOutcome | undefined> {
    const { ledger, now, wait } = this.#options;
    await wait(POLL_MS, signal);
    const current = ledger.getById(id);
    if (!isUnanswered(current) || current.round !== round) {
      return outcomeOf(current, answerOf(current, round));
    }
    return now() > Date.parse(current.staleAfter) ? outcomeOf(current, null) : undefined;
  }

  /**
   * Waits until somebody else has answered the open question of a clarification.
   *
   * @param id such as `CLR-42-001`
   * @param signal stops waiting
   * @returns how it stands then; with its question open where that has waited too long
   * @throws {AgentxError} `NOT_FOUND`, `INTERRUPTED`
   */
  async untilAnswered(id: string, signal?: AbortSignal): Promise<ClarificationOutcome> {
    const record = this.#options.ledger.getById(id);
    while (true) {
      const outcome = await this.#lookLater(record, signal);
      if (outcome !== undefined) return outcome;
    }
  }

  /**
   * Runs the target of an open question that nobody is on, as a runner does it: for the first time, or
   * as the retry that is owed.
   *
   * @param id such as `CLR-42-001`
   * @param how for whom it is run, and what stops it
   * @returns how it stands then; undefined where another process is on it
   * @throws {AgentxError} `NOT_FOUND`, `INVALID_TRANSITION`, `GATE_REFUSED`, `INTERRUPTED`
   */
  async runOpen(
    id: string,
    { by, signal }: { by: string; signal?: AbortSignal },
  ): Promise<ClarificationOutcome | undefined> {
    const { ledger, workflowOf } = this.#options;
    const record = ledger.getToRun(id);
    if (record.status !== "pending" || record.retriedAt) {
      const { retried: _, ...outcome } = await this.retry(id, { signal }, by);
      return outcome;
    }
    const { issueNumber } = parseClarificationId(id);
    this.checkRuns(record.to, { from: askerOf(record), issueNumber, id });
    const asking = { workflow: workflowOf(issueNumber), by, signal };
    return await this.#options.target.ask(record, asking);
  }

  /** What an agent asked without waiting is answered along with its next question. */
  async #askLeft(asked: ClarificationRecord, signal?: AbortSignal): Promise<void> {
    const { ledger, workflowOf, notify } = this.#options;
    const from = askerOf(asked);
    const left = ledger.scan().ledgers.flatMap(({ clarifications }) => clarifications)
      .filter((record) => askerOf(record) === from && record.id !== asked.id)
      .filter((record) => isLookedAfter(record) && !record.blocking && record.status === "pending");
    await Promise.all(
      left.slice(0, MAX_LEFT).map(async ({ id }) => {
        try {
          const record = ledger.getToRun(id);
          const { issueNumber } = parseClarificationId(id);
          this.checkRuns(record.to, { from, issueNumber, id });
          await this.#options.target.ask(record, {
            workflow: workflowOf(issueNumber),
            by: from,
            signal,
          });
        } catch (error) {
          if (!(error instanceof AgentxError)) throw error;
          if (!signal?.aborted) notify(`${id} stays open: ${error.summary}`);
        }
      }),
    );
  }
}
