/**
 * Asking the target of a clarification and writing what comes of it: its answer, or an escalation.
 *
 * No agent is awaited under a lock. What it says is written under a fresh one, and counts only if the
 * question that it was asked is still open.
 *
 * @module
 */

import type { AgentInvoker } from "../agents/invoke.ts";
import type { Workflow } from "../config/workflow.ts";
import { AgentxError, type ErrorDetails, hasCode } from "../errors.ts";
import type { AgentEventBus } from "../events/bus.ts";
import { consult } from "./ask_target.ts";
import type { Attachments } from "./attachments.ts";
import type { ClarificationLedger } from "./ledger.ts";
import type { ClarificationContext } from "./prompt.ts";
import type { Announcer } from "./publish.ts";
import type { Runs } from "./runs.ts";
import {
  type ClarificationRecord,
  type ClarificationStatus,
  isUnanswered,
  parseClarificationId,
} from "./schema.ts";
import type { AgentStatusStore } from "./status.ts";
import { addAnswer, HUB, markEscalated } from "./transitions.ts";

/** How often the ledger is asked to take an answer, 5 seconds each. */
const LOCK_TRIES = 6;

/** What became of a question. */
export interface ClarificationOutcome {
  /** Such as `CLR-42-001`. */
  clarificationId: string;
  /** How it stands now. */
  status: ClarificationStatus;
  /** The current round. */
  round: number;
  /** The answer to this question; null while there is none. */
  answer: string | null;
  /** The whole thread. */
  clarification: ClarificationRecord;
}

/** What it takes to ask a target. */
export interface TargetOptions {
  ledger: ClarificationLedger;
  events: AgentEventBus;
  announcer: Announcer;
  status: AgentStatusStore;
  /** Keeps answers that are too long. */
  attachments: Attachments;
  /** Shows others who is on it. */
  runs: Runs;
  /** How to run an agent; undefined where nothing is configured. */
  invokerOf: (agent: string) => AgentInvoker | undefined;
  /** What the target should know besides the thread. */
  contextOf: (clarification: ClarificationRecord, workflow: Workflow) => ClarificationContext;
  retryDelayMs: number;
  notify: (message: string) => void;
  now: () => number;
  wait: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** One asking of a target. */
export interface Asking {
  /** Whose rules apply. */
  workflow: Workflow;
  /** For whom it is run: the requester, or `serve`. */
  by: string;
  /** Stops waiting; the question stays open. */
  signal?: AbortSignal;
  /**
   * Called once nobody else is on it, and gives the record to ask.
   *
   * @default {the record as it is then, if its question is still open}
   */
  begin?: () => Promise<ClarificationRecord>;
}

/** The targets of clarifications, as the hub sees them. */
export class Target {
  readonly #options: TargetOptions;

  constructor(options: TargetOptions) {
    this.#options = options;
  }

  /**
   * Runs the target on the open question of a record: once, and once more where that failed. A stale
   * question has only one run left.
   *
   * @param record with an open question
   * @param asking whose rules apply, for whom, and what ends it
   * @returns the answer, also where another process got it meanwhile; or the record as it is where it is
   *   foreign, no invoker is configured, or the user has not agreed to it; escalated where the target
   *   failed; undefined where another process is on it
   */
  async ask(
    record: ClarificationRecord,
    asking: Asking,
  ): Promise<ClarificationOutcome | undefined> {
    const { invokerOf, ledger, runs, notify } = this.#options;
    const { id, round } = record;
    const { begin, by, workflow, signal } = asking;
    const invoke = invokerOf(record.to);
    if (record.foreign) {
      notify(`No agent is run for ${id}: git tracks its ledger. See: agentx doctor`);
    }
    if (record.foreign || invoke === undefined) return outcomeOf(record, null);
    const run = await runs.hold(id, by, async () => {
      const current = await begin?.() ?? ledger.getToRun(id);
      const isDue = begin !== undefined || isUnanswered(current) && current.round === round;
      if (!isDue) return outcomeOf(current, answerOf(current, round));
      const isLast = (begin === undefined ? record : current).status === "stale";
      return await this.#ask(current, { invoke, workflow, signal, isLast });
    });
    return run?.value;
  }

  async #ask(
    record: ClarificationRecord,
    how: { invoke: AgentInvoker; workflow: Workflow; signal?: AbortSignal; isLast: boolean },
  ): Promise<ClarificationOutcome> {
    const attachments: string[] = [];
    const keep = (answer: string) =>
      void attachments.push(this.#options.attachments.add(record, answer));
    try {
      const body = await this.#run(record, { ...how, keep });
      return await this.#keepAnswer(record, { body, attachments });
    } catch (error) {
      if (hasCode(error, "UNTRUSTED")) {
        this.#options.notify(error.oneLine);
        return outcomeOf(record, null);
      }
      if (!hasCode(error, "AGENT_ERROR")) throw error;
      return await this.#escalate(record, { ...error.details, isLast: how.isLast }, attachments);
    }
  }

  async #run(
    record: ClarificationRecord,
    { invoke, workflow, keep, signal, isLast }: {
      invoke: AgentInvoker;
      workflow: Workflow;
      keep: (answer: string) => void;
      signal?: AbortSignal;
      isLast: boolean;
    },
  ): Promise<string> {
    const { contextOf, wait, notify } = this.#options;
    const context = contextOf(record, workflow);
    const retryDelayMs = isLast ? undefined : this.#options.retryDelayMs;
    return await consult(record, { invoke, context, retryDelayMs, wait, notify, keep, signal });
  }

  /** An answer has cost time and money: it is not given up for a lock that is busy for a while. */
  async #keepAnswer(
    { id, to, round }: ClarificationRecord,
    answer: { body: string; attachments: readonly string[] },
  ): Promise<ClarificationOutcome> {
    for (let left = LOCK_TRIES - 1;; left--) {
      try {
        return await this.takeAnswer(id, { by: to, round, ...answer });
      } catch (error) {
        if (!hasCode(error, "LOCK_TIMEOUT") || left === 0) throw error;
        this.#options.notify(
          `${error.summary}; the answer of ${to} is kept, trying again`,
        );
      }
    }
  }

  /**
   * Writes an answer.
   *
   * @param id of the clarification
   * @param answer who answers what; the round of the question, or none where it is given unasked: then
   *   the round that was read may be said
   * @returns what became of it, and whether it came in time
   * @throws {AgentxError} `INVALID_TRANSITION` for somebody else's question, for an unasked second
   *   answer, and where another question than the one that was read is the last
   */
  async takeAnswer(
    id: string,
    { round, readRound, ...answer }: {
      by: string;
      body: string;
      round?: number;
      readRound?: number;
      verified?: boolean;
      attachments?: readonly string[];
    },
  ): Promise<ClarificationOutcome & { inTime: boolean }> {
    const { ledger, announcer, now } = this.#options;
    let inTime = false;
    const record = await ledger.change(id, answer.by, (record) => {
      if ((readRound ?? record.round) !== record.round) throw overtaken(record, readRound);
      if (round === undefined && record.status === "answered") throw answeredAlready(record);
      inTime = addAnswer(record, { ...answer, nowMs: now() }, round);
    });
    if (inTime) {
      await announcer.announce(
        "clarification-answered",
        record,
        () => this.#noteRun(answer.by, id, false),
      );
    }
    return { ...outcomeOf(record, answerOf(record, round ?? record.round)), inTime };
  }

  /** A human may have answered or decided while the target failed: then nothing is to be done. */
  async #escalate(
    { id, to, round }: ClarificationRecord,
    { reason, final, stdout, stderr, isLast }: ErrorDetails["AGENT_ERROR"] & { isLast: boolean },
    attachments: readonly string[],
  ): Promise<ClarificationOutcome> {
    const { ledger, events, announcer, now } = this.#options;
    const { issueNumber } = parseClarificationId(id);
    events.emit("agent-error", { agent: to, error: reason, issueNumber, timestamp: now() });
    let isDue = false;
    const record = await ledger.change(id, HUB, (record) => {
      isDue = record.round === round && isUnanswered(record);
      if (!isDue) return;
      const failed = isLast
        ? "failed when it was run again"
        : final === undefined
        ? "failed twice"
        : `failed and was not run again, since ${final}`;
      const body = `${to} ${failed}: ${reason}`;
      const action = { by: HUB, body, nowMs: now(), attachments };
      markEscalated(record, action, { stdout, stderr });
    });
    if (isDue) {
      await announcer.announce(
        "clarification-escalated",
        record,
        () => this.#noteRun(to, id, true),
      );
    }
    return outcomeOf(record, answerOf(record, round));
  }

  async #noteRun(agent: string, id: string, failed: boolean): Promise<void> {
    const { issueNumber: issue } = parseClarificationId(id);
    await this.#options.status.noteRun(agent, { failed, issue });
  }
}

/**
 * @param record as it is now
 * @param answer to its last question; null while there is none
 */
export function outcomeOf(
  record: ClarificationRecord,
  answer: string | null,
): ClarificationOutcome {
  const { id, status, round } = record;
  return { clarificationId: id, status, round, answer, clarification: record };
}

/**
 * @param record as it is now
 * @param ofRound a round of it
 * @returns the answer to the question of that round; null while there is none
 */
export function answerOf({ thread }: ClarificationRecord, ofRound: number): string | null {
  const answer = thread.find(({ type, round }) => type === "answer" && round === ofRound);
  return answer?.body ?? null;
}

function overtaken(
  { id, status, round }: ClarificationRecord,
  readRound: number | undefined,
): AgentxError<"INVALID_TRANSITION"> {
  const why = `its last question is that of round ${round}, not ${readRound}`;
  return new AgentxError("INVALID_TRANSITION", `Cannot answer ${id}: ${why}`, {
    details: { clarificationId: id, status, action: "answer" },
    next: `Read it with: agentx clarify ${id}`,
  });
}

function answeredAlready({ id, status }: ClarificationRecord): AgentxError<"INVALID_TRANSITION"> {
  const details = { clarificationId: id, status, action: "answer" };
  return new AgentxError("INVALID_TRANSITION", `Cannot answer ${id}: it is answered already`, {
    details,
    next: `The requester asks again with: agentx clarify ask ${id} QUESTION`,
  });
}
