/**
 * Decides which process runs the target of a question, and when: the one that asked, a runner, or a later
 * retry.
 *
 * @module
 */

import { roleOf } from "../agent_names.ts";
import type { Workflow } from "../config/workflow.ts";
import { AgentxError } from "../errors.ts";
import { sys } from "../sys/mod.ts";
import { askTarget, type OnAsked, type RetryHow, retryTarget } from "./ask_target.ts";
import { breakDeadlock } from "./deadlock.ts";
import type { HubParts } from "./hub_parts.ts";
import { type ClarificationOutcome, outcomeOf } from "./outcome.ts";
import { tooManyRuns } from "./refusals.ts";
import { type NextRun, runLimitReached } from "./run_limits.ts";
import {
  askerOf,
  type ClarificationRecord,
  isLookedAfter,
  issueNumberOf,
  isUnanswered,
} from "./schema.ts";

/** So many questions that were asked without waiting are run along with the next one. */
const MAX_LEFT = 4;

/** How often the ledger is read for an answer that another process gets. */
const POLL_MS = 100;

/** Has questions answered. */
export class Dispatcher {
  readonly #parts: HubParts;

  constructor(parts: HubParts) {
    this.#parts = parts;
  }

  /**
   * Refuses what would run one agent too many; where none would be run, people may ask on.
   *
   * @param to the target
   * @param next the run that would begin
   * @throws {AgentxError} `GATE_REFUSED`
   */
  checkRuns(to: string, next: NextRun): void {
    const { ledger, invokerOf } = this.#parts;
    const canRun = (role: string) => invokerOf(role) !== undefined;
    if (!canRun(roleOf(to))) return;
    const why = runLimitReached(ledger.scan().clarifications, next, { canRun, nowMs: sys.now() });
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
    const record = this.#parts.ledger.getToRun(id);
    const from = askerOf(record);
    this.checkRuns(record.to, { from, issueNumber: issueNumberOf(id), id });
    return await retryTarget(record, { ...how, by: by ?? from }, this.#parts);
  }

  /**
   * Asks the target of a question that was just written.
   *
   * @param record with that question
   * @param workflow whose rules apply
   * @param how who hears that it begins, and what stops waiting
   * @returns the answer, or how the clarification stands without one: escalated at once, where the
   *   question closes a deadlock and is the one to be given up
   */
  async ask(
    record: ClarificationRecord,
    workflow: Workflow,
    { onAsked = () => {}, signal }: { onAsked?: OnAsked; signal?: AbortSignal },
  ): Promise<ClarificationOutcome> {
    const deadlocked = await this.#givenUp(record);
    if (deadlocked !== undefined) return deadlocked;
    onAsked(record);
    const own = this.#untilAnswered(record, workflow, signal);
    const left = this.#askLeft(record, signal);
    try {
      return await own;
    } finally {
      await left;
    }
  }

  /** Whether it is given up to break a deadlock. A failure leaves that to the next monitor. */
  async #givenUp(record: ClarificationRecord): Promise<ClarificationOutcome | undefined> {
    const { ledger, notify } = this.#parts;
    try {
      const deadlock = await breakDeadlock(record, this.#parts);
      if (!deadlock?.escalated.includes(record.id)) return undefined;
      const current = ledger.getById(record.id);
      return current.status === "escalated" ? { ...outcomeOf(current, null), deadlock } : undefined;
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      notify(`${record.id} is asked, and not checked for a deadlock: ${error.summary}`);
      return undefined;
    }
  }

  /** Where a runner is at work, or another process is on it, that one is waited for. */
  async #untilAnswered(
    record: ClarificationRecord,
    workflow: Workflow,
    signal?: AbortSignal,
  ): Promise<ClarificationOutcome> {
    const { invokerOf, runs } = this.#parts;
    const { to, foreign } = record;
    const by = askerOf(record);
    while (true) {
      if (invokerOf(to) === undefined || foreign || !await runs.isServed(to)) {
        const outcome = await askTarget(record, { workflow, by, signal }, this.#parts);
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
    const { ledger } = this.#parts;
    await sys.wait(POLL_MS, signal);
    const current = ledger.getById(id);
    if (!isUnanswered(current) || current.round !== round) {
      return outcomeOf(current, round);
    }
    return sys.now() > Date.parse(current.staleAfter) ? outcomeOf(current, null) : undefined;
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
    const record = this.#parts.ledger.getById(id);
    while (true) {
      const outcome = await this.#lookLater(record, signal);
      if (outcome !== undefined) return outcome;
    }
  }

  /**
   * Runs the target of an open question that nobody is on, as a runner does it: for the first time, or
   * as the retry that is due.
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
    const record = this.#parts.ledger.getToRun(id);
    if (record.status !== "pending" || record.retriedAt) {
      const { retried: _, ...outcome } = await this.retry(id, { signal }, by);
      return outcome;
    }
    return await this.#askFirst(record, by, signal);
  }

  async #askFirst(record: ClarificationRecord, by: string, signal?: AbortSignal) {
    const { id, to } = record;
    const issueNumber = issueNumberOf(id);
    this.checkRuns(to, { from: askerOf(record), issueNumber, id });
    const asking = { workflow: this.#parts.workflowOf(issueNumber), by, signal };
    return await askTarget(record, asking, this.#parts);
  }

  /** What an agent asked without waiting is answered along with its next question, or by a runner. */
  async #askLeft(asked: ClarificationRecord, signal?: AbortSignal): Promise<void> {
    const { ledger, notify, runs } = this.#parts;
    const from = askerOf(asked);
    const left = ledger.scan().clarifications
      .filter((record) => askerOf(record) === from && record.id !== asked.id)
      .filter((record) => isLookedAfter(record) && !record.blocking && record.status === "pending");
    await Promise.all(
      left.slice(0, MAX_LEFT).map(async ({ id }) => {
        try {
          const record = ledger.getToRun(id);
          if (await runs.isServed(record.to)) return;
          await this.#askFirst(record, from, signal);
        } catch (error) {
          if (!(error instanceof AgentxError)) throw error;
          if (!signal?.aborted) notify(`${id} stays open: ${error.summary}`);
        }
      }),
    );
  }
}
