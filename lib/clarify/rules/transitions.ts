// The state machine of a clarification (DESIGN section 6). Each function alters the given
// record, or throws `INVALID_TRANSITION` and alters nothing. Pure: time and actor are arguments.
//
// ```text
// pending  -> answered                          addAnswer
// answered -> pending                           addQuestion (the next round)
// escalated -> pending                          addQuestion, by a human, in the same words
// pending, answered, stale -> resolved          markResolved, by the requester
// pending, answered, stale -> escalated         markEscalated
// escalated -> resolved                         markResolved, by a human
// pending  -> stale                             markStale, when its time is over
// pending, stale -> the same                    markRetried, when its target is run again
// pending, answered, stale -> abandoned         markAbandoned, when its requester has moved on
// ```

import { HUB, HUMAN } from "../../base/agent_names.ts";
import type { AnsweredBy } from "../../agents/agent_call.ts";
import { isoTime } from "../../base/time.ts";
import { type Actor, checkAnswerer, checkParty, checkRequester, isOfRole } from "./actor.ts";
import {
  decideCommand,
  decisionOf,
  type EscalationReason,
  escalationSummary,
} from "./escalation.ts";
import { invalidTransition } from "./invalid_transition.ts";
import {
  askerOf,
  type ClarificationRecord,
  isOpenRecord,
  issueNumberOf,
  isUnanswered,
  lastEntry,
  type ThreadEntry,
  type ThreadEntryType,
} from "../schema.ts";

/** Maximum number of late answers that a thread keeps. */
export const MAX_LATE_ANSWERS = 10;

/** An action on a clarification: its actor, its text and its time. */
export interface Action extends Actor {
  body: string;
  nowMs: number;
  /** Whether `human` typed the text at a terminal. */
  verified?: boolean;
  /** The account of a human at another machine. */
  login?: string;
  /** Names of the files with answers that were too long for the thread. */
  attachments?: readonly string[];
  /** The preset that gave the answer, and its session. */
  answeredBy?: AnsweredBy;
  /** The id of the tool call that asked the question. */
  callId?: string;
}

/** The first question of a clarification. */
export interface FirstQuestion {
  topic: string;
  question: string;
  blocking: boolean;
  callId?: string;
}

/** The parties, the time and the limits of a question. */
export interface Terms {
  from: string;
  to: string;
  maxRounds: number;
  slaMinutes: number;
  nowMs: number;
}

/** Returns a pending clarification in its first round, without an id. */
export function newRecord(
  { topic, question, blocking, callId }: FirstQuestion,
  { from, to, maxRounds, slaMinutes, nowMs }: Terms,
): Omit<ClarificationRecord, "id"> {
  const created = isoTime(nowMs);
  const record: Omit<ClarificationRecord, "id"> = {
    from,
    to,
    topic,
    blocking,
    status: "pending",
    round: 1,
    maxRounds,
    created,
    staleAfter: isoTime(nowMs + slaMinutes * 60_000),
    resolvedAt: null,
    thread: [],
  };
  append(record, "question", { by: from, body: question, nowMs, callId });
  return record;
}

/**
 * Adds a follow-up of the requester, which begins the next round. Returns false if no round is left, or if
 * `limitReached` gives a reason against it; the record is then escalated, with the refused question.
 */
export function addQuestion(
  record: ClarificationRecord,
  action: Action,
  slaMinutes: number,
  limitReached?: string,
): boolean {
  checkRequester(record, "follow up", action);
  const isAskedAgain = record.status === "escalated" && action.by === HUMAN &&
    hasRoundLeft(record) && action.body === lastEntry(record, "question")?.body;
  if (record.status !== "answered" && !isAskedAgain) {
    const { id, status } = record;
    const next = isUnanswered(record)
      ? `Wait for the answer with: agentx clarify wait ${id}`
      : status === "escalated"
      ? `A human decides it first, with: ${decideCommand(record)}`
      : `Ask a new question: agentx ask --issue ${issueNumberOf(id)} ...`;
    throw invalidTransition(record, "follow up", `it is ${status}, not answered`, next);
  }
  const reason = hasRoundLeft(record)
    ? limitReached
    : `the limit of ${record.maxRounds} rounds is reached`;
  if (reason !== undefined) {
    escalate(record, { ...action, by: HUB }, { reason, refusedQuestion: action.body });
    return false;
  }
  record.round++;
  record.status = "pending";
  record.staleAfter = isoTime(action.nowMs + slaMinutes * 60_000);
  if (record.retriedAt) record.retriedAt = null;
  append(record, "question", {
    ...action,
    by: isOfRole(record, action.by) ? action.by : askerOf(record),
  });
  return true;
}

/** Whether the limit of rounds allows another question. Other limits are not checked. */
export function hasRoundLeft({ round, maxRounds }: ClarificationRecord): boolean {
  return round < maxRounds;
}

/**
 * Adds an answer of the target, by default to the current round. Returns whether it came in time. An answer is late if
 * the record is closed or another answer was faster; a late answer is kept in the thread and changes no other field.
 */
export function addAnswer(
  record: ClarificationRecord,
  action: Action,
  round: number = record.round,
): boolean {
  checkAnswerer(record, "answer", action);
  const isInTime = isUnanswered(record) && round === record.round;
  if (isInTime) record.status = "answered";
  else if (lateAnswers(record) >= MAX_LATE_ANSWERS) {
    const why = `${MAX_LATE_ANSWERS} late answers are kept in it already`;
    throw invalidTransition(record, "answer", why, "Say it in a new clarification");
  }
  append(record, "answer", action, round);
  return isInTime;
}

/** Counts all answers except the first one of each round. */
function lateAnswers(record: ClarificationRecord): number {
  const answers = record.thread.filter(({ type }) => type === "answer");
  return answers.length - new Set(answers.map(({ round }) => round)).size;
}

/** Ends a clarification: the requester has its answer, or a human has decided. */
export function markResolved(record: ClarificationRecord, action: Action): void {
  checkRequester(record, "resolve", action);
  if (record.status === "resolved" || record.status === "abandoned") {
    throw nothingLeft(record, "resolve", " already");
  }
  if (record.status === "escalated" && action.by !== HUMAN) {
    const why = `it is escalated, and ${action.by} is not a human`;
    const next = `A human decides it, with: ${decideCommand(record)}`;
    throw invalidTransition(record, "resolve", why, next);
  }
  const body = record.status === "escalated" ? decisionOf(record, action.body) : action.body;
  record.status = "resolved";
  record.resolvedAt = isoTime(action.nowMs);
  append(record, "resolution", { ...action, body });
}

/** Hands a clarification to a human. The body is the reason, without a final period. */
export function markEscalated(
  record: ClarificationRecord,
  action: Action,
  output: Omit<EscalationReason, "reason" | "refusedQuestion"> = {},
): void {
  checkParty(record, "escalate", action);
  if (!isOpenRecord(record)) throw nothingLeft(record, "escalate", " already");
  escalate(record, action, { reason: action.body, ...output });
}

/** Marks a question that is overdue for the first time as stale. It gets as much time again. */
export function markStale(record: ClarificationRecord, nowMs: number, slaMinutes: number): void {
  if (record.status !== "pending") throw nothingLeft(record, "mark as stale");
  record.status = "stale";
  record.staleAfter = isoTime(nowMs + slaMinutes * 60_000);
}

/**
 * Marks that the one retry of a question begins, or begins again after it was cut off. The question gets as much time
 * again.
 */
export function markRetried(record: ClarificationRecord, nowMs: number, slaMinutes: number): void {
  checkUnanswered(record);
  record.retriedAt = isoTime(nowMs);
  record.staleAfter = isoTime(nowMs + slaMinutes * 60_000);
}

/** Throws `INVALID_TRANSITION` unless the question is open, so that its target may be run again. */
export function checkUnanswered(record: ClarificationRecord): void {
  if (isUnanswered(record)) return;
  const why = `it is ${record.status}`;
  throw invalidTransition(record, "retry", why, "Only an open question can be retried");
}

/** Marks a clarification as abandoned: its requester works on something else and will not come back. */
export function markAbandoned(record: ClarificationRecord): void {
  if (!isOpenRecord(record)) throw nothingLeft(record, "abandon");
  record.status = "abandoned";
}

function nothingLeft(record: ClarificationRecord, action: string, already = "") {
  const why = `it is ${record.status}${already}`;
  return invalidTransition(record, action, why, "Nothing is left to do");
}

function escalate(record: ClarificationRecord, action: Action, why: EscalationReason): void {
  record.status = "escalated";
  append(record, "escalation", { ...action, body: escalationSummary(record, why) });
}

function append(
  record: Pick<ClarificationRecord, "round" | "thread">,
  type: ThreadEntryType,
  { by, body, nowMs, verified = false, login, attachments = [], answeredBy, callId }: Action,
  round = record.round,
): void {
  const entry: ThreadEntry = { round, from: by, type, body, timestamp: isoTime(nowMs) };
  if (by === HUMAN) entry.verified = verified;
  if (by === HUMAN && login !== undefined) entry.login = login;
  if (attachments.length > 0) entry.attachments = [...attachments];
  if (answeredBy !== undefined) entry.runner = answeredBy.runner;
  if (answeredBy?.session != null) entry.session = answeredBy.session;
  if (answeredBy?.model !== undefined) entry.model = answeredBy.model;
  if (callId !== undefined) entry.callId = callId;
  record.thread.push(entry);
}
