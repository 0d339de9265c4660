// The hub: every clarification goes through it (SPEC-1 section 3.3, ADR-1 decision 2).
//
// Each step is one write of the ledger under its lock, then the statuses, then the event; after that
// the target is asked (`ask_target.ts`). Nothing is written before the whole input is checked.

import { HUB, HUMAN, parseAgentName, roleOf } from "../../base/agent_names.ts";
import { type AgentxError, hasCode } from "../../base/errors.ts";
import { checkIssueNumber, checkText, invalidInput } from "../../base/input_checks.ts";
import { cutting } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { checkRequester } from "../rules/actor.ts";
import { takeAnswer } from "./delivery.ts";
import { Dispatcher } from "./dispatch.ts";
import type { ClarificationRouterOptions, HubParts } from "./hub_parts.ts";
import {
  type ClarificationOutcome,
  outcomeOf,
  settledAnswer,
  supersedeRecords,
} from "./outcome.ts";
import { publisher } from "../status/publish.ts";
import {
  checkKnown,
  checkTarget,
  maxRoundsExceeded,
  nobodyActsAsHub,
  turnsUsed,
} from "./refusals.ts";
import type {
  ClarificationAction,
  ClarificationFollowUp,
  ClarificationRequest,
  RetryHow,
} from "./requests.ts";
import {
  askerOf,
  type ClarificationRecord,
  type ClarificationStatus,
  isAskedAgain,
  isSameQuestion,
  issueNumberOf,
  isUnanswered,
  lastEntry,
  MAX_BODY,
  MAX_TOPIC,
} from "../schema.ts";
import { type NextRun, turnLimitReached } from "../rules/limits.ts";
import {
  checkMaxRounds,
  checkScope,
  type ClarificationScope,
  scopeOf,
  type ScopeRequest,
} from "../rules/scope.ts";
import { overlap, wordsOf } from "../../text/similarity.ts";
import { Sessions } from "./sessions.ts";
import {
  type Action,
  addQuestion,
  hasRoundLeft,
  markEscalated,
  markResolved,
  newRecord,
} from "../rules/transitions.ts";

/** Thrown by the edit of a ledger, so that nothing is written, if the same question is open. */
const ASKED_BEFORE = new Error("The same question is open");

/** Share of common words, 0 to 1, from which two questions count as similar. */
const SIMILAR_FROM = 0.5;
const MOST_SIMILAR = 2;

/** Routes clarifications between agents (SPEC-1 section 3.3). */
export class ClarificationRouter {
  readonly #parts: HubParts;
  readonly #dispatcher: Dispatcher;
  readonly #sessions: Sessions;

  /** Makes a router; `openWorkspace` gives a connected one. */
  constructor(options: ClarificationRouterOptions) {
    const publish = publisher(options);
    const { machines } = options;
    this.#parts = {
      ...options,
      publish: machines === undefined ? publish : async (...change) => {
        await publish(...change);
        await machines.hear();
      },
    };
    this.#dispatcher = new Dispatcher(this.#parts);
    this.#sessions = new Sessions(options);
  }

  /**
   * Asks the first question of a clarification, and runs its target if one is configured. A question that does not
   * block is only written; the caller or `serve` runs its target later. If the same agent has the same question open
   * already, it is not asked twice: its target is run only if no process runs it.
   *
   * @returns the outcome with the answer; `pending` at once if the question does not block, or if no agent can be run,
   *   as `reach` explains; `escalated` if the target failed
   * @throws {AgentxError} `INVALID_INPUT`, `SCOPE_VIOLATION`, `GATE_REFUSED` (too many runs; or too many turns: the
   *   question is then escalated, unless a human is asked already), `NOT_FOUND` (workflow), `LOCK_TIMEOUT`,
   *   `CORRUPT_STATE`, `IO_ERROR`, `INTERRUPTED`
   */
  async requestClarification(request: ClarificationRequest): Promise<ClarificationOutcome> {
    const { ledger, publish, workflowOf, knownAgents } = this.#parts;
    const issueNumber = checkIssueNumber(request.issueNumber);
    const from = checkKnown(request.fromAgent, knownAgents());
    const to = parseAgentName(request.toAgent);
    checkText("topic", request.topic, MAX_TOPIC);
    checkText("question", request.question, MAX_BODY);
    const { blocking } = request;
    if (typeof blocking !== "boolean") {
      const next = "Say whether the requester waits for the answer";
      throw invalidInput("blocking", blocking, "it must be true or false", next);
    }
    const workflow = workflowOf(issueNumber, request.workflow);
    checkTarget(to, knownAgents(), workflow);
    const scope = scopeOf(workflow, from);
    this.#checkScope(scope, { from, to, blocking, issueNumber });
    const limit = blocking ? scope.maxRounds.blocking : scope.maxRounds.nonBlocking;
    const maxRounds = checkMaxRounds(request.maxRounds ?? limit, limit);
    const { session } = request;
    await this.#sessions.checkName({ by: from, session });
    if (blocking) this.#dispatcher.checkRuns(to, { from, issueNumber });

    const { slaMinutes } = scope;
    const asked = newRecord(request, { from, to, maxRounds, slaMinutes, nowMs: sys.now() });
    const before = request.again ? {} : await this.#answeredBefore(issueNumber, asked);
    if (before.same !== undefined) return before.same;
    let same: ClarificationRecord | undefined;
    const record = await ledger.add(
      issueNumber,
      asked,
      (record, others) => {
        same = request.again
          ? undefined
          : others.find((other) =>
            other.foreign !== true && isWaiting(other) && isSameQuestion(other, record)
          );
        if (same !== undefined) throw ASKED_BEFORE;
        const body = this.#turnLimit(record, others);
        if (body !== undefined) markEscalated(record, { by: HUB, body, nowMs: sys.now() });
      },
    ).catch((error) => {
      if (error !== ASKED_BEFORE) throw error;
    });
    if (record === undefined) return await this.#askedBefore(same!.id, request);
    const activity = { agent: from, did: "ask", issue: issueNumber, session } as const;
    await publish("clarification-requested", [record], activity);
    if (record.status === "escalated") throw await this.#turnsUsed(record);
    const outcome = blocking
      ? await this.#dispatcher.ask(record, workflow, request)
      : await this.#dispatcher.unreached(record) ?? outcomeOf(record, null);
    return before.similar === undefined ? outcome : { ...outcome, similar: before.similar };
  }

  /** Looks for settled answers: that of the same question, if it still holds, or else those of similar questions. */
  async #answeredBefore(
    issueNumber: number,
    asked: Omit<ClarificationRecord, "id">,
  ): Promise<{ same?: ClarificationOutcome; similar?: ClarificationOutcome["similar"] }> {
    const { ledger, settled } = this.#parts;
    if (settled === undefined) return {};
    const record = { ...asked, id: "" };
    const words = wordsOf(asked.thread[0].body);
    const similar: ClarificationOutcome["similar"] = [];
    for (const other of ledger.getByIssue(issueNumber).toReversed()) {
      const answer = settledAnswer(other)?.body;
      if (other.foreign || other.to !== record.to || answer === undefined) continue;
      const isSame = isAskedAgain(record, other);
      const [{ body: question }] = other.thread;
      const isLike = isSame || overlap(words, wordsOf(question)) >= SIMILAR_FROM;
      if (!isLike || !await settled.holds(other)) continue;
      if (isSame) return { same: { ...outcomeOf(other, null), answer, isReused: true } };
      similar.push({ clarificationId: other.id, question, answer });
    }
    return similar.length === 0 ? {} : { similar: similar.slice(0, MOST_SIMILAR) };
  }

  /**
   * Returns the outcome of a question that is open already; runs its target if the request blocks and no process runs
   * it.
   */
  async #askedBefore(
    id: string,
    { blocking, signal, onAsked }: ClarificationRequest,
  ): Promise<ClarificationOutcome> {
    const record = this.#parts.ledger.getById(id);
    onAsked?.(record);
    const waits = isUnanswered(record) ? await this.#dispatcher.unreached(record) : undefined;
    if (waits !== undefined || !blocking || record.status !== "pending") {
      return waits ?? outcomeOf(record, null);
    }
    try {
      const run = await this.#dispatcher.runOpen(id, { by: askerOf(record), signal });
      if (run !== undefined) return run;
    } catch (error) {
      if (!hasCode(error, "INVALID_TRANSITION")) throw error; // another process took it
    }
    return outcomeOf(this.#parts.ledger.getById(id), record.round);
  }

  /** Throws `GATE_REFUSED` if one more run of an agent would exceed a limit. */
  checkRuns(to: string, next: NextRun): void {
    this.#dispatcher.checkRuns(to, next);
  }

  /**
   * Checks the agent that wants to ask the human, and returns its name with its alias replaced.
   *
   * @throws {AgentxError} `INVALID_INPUT` if the agent is not known here, or is the human or the hub
   */
  checkAsker(agent: string): string {
    const from = checkKnown(agent, this.#parts.knownAgents());
    if (roleOf(from) === HUB) throw nobodyActsAsHub(from);
    return from;
  }

  /**
   * Asks the next question of a clarification. If the last question is still open, its target is run first. If the new
   * question is the same as that open one, its answer is the result; a different question is asked after it.
   *
   * @returns as {@linkcode ClarificationRouter.requestClarification}
   * @throws {AgentxError} `NOT_FOUND`, `INVALID_TRANSITION`; `GATE_REFUSED` for too many runs or turns;
   *   `MAX_ROUNDS_EXCEEDED` if no round is left. The clarification is escalated, with the refused question, if no round
   *   is left, and also for too many turns unless a human is asked already
   */
  async followUp(followUp: ClarificationFollowUp): Promise<ClarificationOutcome> {
    const { ledger, publish, workflowOf } = this.#parts;
    const { clarificationId, session, callId } = followUp;
    const body = checkText("question", followUp.question, MAX_BODY);
    const issueNumber = issueNumberOf(clarificationId);
    const asked = ledger.getToRun(clarificationId);
    const { by = askerOf(asked) } = followUp;
    await this.#sessions.check(asked, "follow up", { by, session });
    checkRequester(asked, "follow up", { by, isGone: this.#sessions.isGone });
    if (isLeft(asked)) {
      const { retried, ...outcome } = await this.#dispatcher.retry(clarificationId, followUp);
      if (retried && body === lastEntry(asked, "question")?.body) return outcome;
    }
    this.#dispatcher.checkRuns(asked.to, { from: askerOf(asked), issueNumber });
    const workflow = workflowOf(issueNumber, followUp.workflow);
    const { slaMinutes } = scopeOf(workflow, asked.from);
    const record = await ledger.change(clarificationId, by, (record, all) => {
      const action = { by, body, nowMs: sys.now(), isGone: this.#sessions.isGone, callId };
      addQuestion(record, action, slaMinutes, this.#turnLimit(record, all));
    });
    if (record.status === "escalated" && hasRoundLeft(record)) throw await this.#turnsUsed(record);
    if (record.status === "escalated") {
      await publish("clarification-escalated", [record]);
      throw maxRoundsExceeded(record);
    }
    const activity = { agent: askerOf(record), did: "ask", issue: issueNumber, session } as const;
    await publish("clarification-requested", [record], by === HUMAN ? undefined : activity);
    return await this.#dispatcher.ask(record, workflow, followUp);
  }

  /**
   * Runs the target once more on its open question, as the one retry of a stale clarification (SPEC-1 sections 2.4 and
   * 3.4). This happens on request only; the monitor never does it.
   *
   * @returns whether the target was run (it is not if nothing is configured for it), and the clarification as it is now
   * @throws {AgentxError} `NOT_FOUND`; `INVALID_TRANSITION` if the question is not open, or another process is running
   *   it; `GATE_REFUSED` (too many runs); `INTERRUPTED`
   */
  async autoRetry(
    clarificationId: string,
    how: RetryHow = {},
  ): Promise<
    & { retried: boolean; newStatus: ClarificationStatus }
    & Pick<ClarificationOutcome, "clarification" | "reach">
  > {
    const { status: newStatus, retried, clarification, reach } = await this.#dispatcher.retry(
      clarificationId,
      how,
    );
    return { retried, newStatus, clarification, ...reach && { reach } };
  }

  /**
   * Records an answer that the target gives on its own, or that a human gives in its place. `round` is the round of the
   * question that the author read; by default the current one.
   *
   * @returns the round of the answer, the status, and whether the answer came in time: a late answer is kept in the
   *   thread and changes nothing else
   * @throws {AgentxError} `NOT_FOUND`, `INVALID_INPUT`, `INVALID_TRANSITION` (the question is for another agent, is
   *   answered already, or was followed by another question)
   */
  async answerClarification(
    answer: ClarificationAction & { answer: string; round?: number },
  ): Promise<ClarificationOutcome & { inTime: boolean }> {
    const { clarificationId, verified, login, round: readRound } = answer;
    const body = checkText("answer", answer.answer, MAX_BODY);
    const by = await this.#actor("answer", answer, ({ to }) => to);
    const given = { by, body, verified, login, readRound };
    return await takeAnswer(clarificationId, given, this.#parts);
  }

  /**
   * Ends a clarification.
   *
   * @throws {AgentxError} `NOT_FOUND`, `INVALID_TRANSITION`
   */
  async resolveClarification(
    resolution: ClarificationAction & { resolutionBody: string },
  ): Promise<{ status: "resolved"; clarification: ClarificationRecord }> {
    const body = checkText("resolution", resolution.resolutionBody, MAX_BODY);
    const by = await this.#actor("resolve", resolution);
    const clarification = await this.#change({ ...resolution, by, body }, markResolved);
    await this.#parts.publish("clarification-resolved", [clarification]);
    await this.#parts.settled?.remember(clarification);
    return { status: "resolved", clarification };
  }

  /**
   * Hands a clarification to a human.
   *
   * @throws {AgentxError} `NOT_FOUND`, `INVALID_TRANSITION`
   */
  async escalateClarification(
    escalation: ClarificationAction & { summary: string },
  ): Promise<{ status: "escalated"; clarification: ClarificationRecord }> {
    const { publish, notify } = this.#parts;
    const { clarificationId: what } = escalation;
    const summary = checkText("summary", escalation.summary, MAX_BODY);
    const body = await cutting((cut) => cut("summary", summary), { what, notify });
    const by = await this.#actor("escalate", escalation);
    const clarification = await this.#change({ ...escalation, by, body }, markEscalated);
    await publish("clarification-escalated", [clarification]);
    return { status: "escalated", clarification };
  }

  /** Returns the name of the actor, the requester by default, and checks that no other session has that name. */
  async #actor(
    action: string,
    { clarificationId, by, session }: ClarificationAction,
    byDefault: (record: ClarificationRecord) => string = (record) => askerOf(record),
  ): Promise<string> {
    const record = this.#parts.ledger.getById(clarificationId);
    const actor = by ?? byDefault(record);
    await this.#sessions.check(record, action, { by: actor, session });
    return actor;
  }

  async #change(
    { clarificationId, by, body, verified, login }: ClarificationAction & {
      by: string;
      body: string;
    },
    mark: (record: ClarificationRecord, action: Action) => void,
  ): Promise<ClarificationRecord> {
    const { isGone } = this.#sessions;
    return await this.#parts.ledger.change(clarificationId, by, (record, all) => {
      mark(record, { by, body, nowMs: sys.now(), verified, login, isGone });
      if (record.status === "resolved") supersedeRecords(record, all);
    });
  }

  /**
   * Returns why no agent may ask on the issue; undefined if one may. Throws if a human already has an escalation of the
   * issue to decide: one more question would not help.
   */
  #turnLimit(
    record: ClarificationRecord,
    all: readonly ClarificationRecord[],
  ): string | undefined {
    const { maxTurns } = this.#parts;
    const why = turnLimitReached(all, maxTurns);
    const waiting = all.find(({ status, id }) => status === "escalated" && id !== record.id);
    if (why === undefined || waiting === undefined) return why;
    throw turnsUsed(record, { maxTurns, waiting });
  }

  /** Publishes the escalation of a question that came after all turns were used, and returns the error for it. */
  async #turnsUsed(record: ClarificationRecord): Promise<AgentxError<"GATE_REFUSED">> {
    const { publish, maxTurns } = this.#parts;
    await publish("clarification-escalated", [record]);
    return turnsUsed(record, { maxTurns, waiting: record });
  }

  /** Checks the scope, and logs a refusal as a warning (PRD, use case of clarification, 6d). */
  #checkScope(scope: ClarificationScope, request: ScopeRequest & { issueNumber: number }): void {
    const { from, to, issueNumber } = request;
    try {
      checkScope(scope, request);
    } catch (error) {
      if (!hasCode(error, "SCOPE_VIOLATION")) throw error;
      this.#parts.events.emit("thinking-log", {
        agent: from,
        issueNumber,
        kind: "warning",
        label: "Clarification refused",
        detail: error.message,
        code: error.code,
        toAgent: to,
        timestamp: sys.now(),
      });
      throw error;
    }
  }

  /**
   * Runs the target of an open question that no process is running, as `serve` does: for the first time, or as its
   * unused retry.
   *
   * @returns the outcome; undefined if another process is running the question
   * @throws {AgentxError} `NOT_FOUND`, `INVALID_TRANSITION`, `GATE_REFUSED`, `INTERRUPTED`
   */
  async runOpen(
    id: string,
    how: { by: string; signal?: AbortSignal },
  ): Promise<ClarificationOutcome | undefined> {
    return await this.#dispatcher.runOpen(id, how);
  }
}

/** Whether a clarification waits for its target or for a human. */
function isWaiting(record: ClarificationRecord): boolean {
  return isUnanswered(record) || record.status === "escalated";
}

/** Whether the open question of a clarification has to be run before a follow-up is asked. */
function isLeft({ status, blocking }: ClarificationRecord): boolean {
  return status === "stale" || status === "pending" && !blocking;
}
