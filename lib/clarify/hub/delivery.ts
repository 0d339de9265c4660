// Writes the outcome of a question: its answer, or an escalation if the target failed. The outcome takes effect only if
// the question is still open.

import { HUB } from "../../base/agent_names.ts";
import type { AnsweredBy } from "../../agents/agent_call.ts";
import { type ErrorDetails, hasCode } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import type { HubParts } from "./hub_parts.ts";
import { type ClarificationOutcome, isJustAnswered, outcomeOf } from "./outcome.ts";
import { answeredAlready, overtaken } from "./refusals.ts";
import { type ClarificationRecord, issueNumberOf, isUnanswered } from "../schema.ts";
import { addAnswer, markEscalated } from "../rules/transitions.ts";

/** Number of attempts to write an answer to the ledger. Each attempt waits up to 5 seconds for the lock. */
const LOCK_TRIES = 6;

/** An answer to write, with its author and origin. */
export interface GivenAnswer {
  by: string;
  body: string;
  /** The round of the question that a run answered; absent if no run asked for the answer. */
  round?: number;
  /** The round of the question that a session read before it answered on its own, outside of a run. */
  readRound?: number;
  verified?: boolean;
  login?: string;
  attachments?: readonly string[];
  answeredBy?: AnsweredBy;
}

/**
 * Writes an answer; `inTime` in the result tells whether the question was still open. Throws `INVALID_TRANSITION` if
 * the question is for another agent, if it is answered already and no run asked for this answer, or if the last
 * question is not the one in `readRound`.
 */
export async function takeAnswer(
  id: string,
  { round, readRound, ...answer }: GivenAnswer,
  { ledger, publish }: HubParts,
): Promise<ClarificationOutcome & { inTime: boolean }> {
  const record = await ledger.change(id, answer.by, (record) => {
    if ((readRound ?? record.round) !== record.round) throw overtaken(record, readRound);
    if (round === undefined && record.status === "answered") throw answeredAlready(record);
    addAnswer(record, { ...answer, nowMs: sys.now() }, round);
  });
  const inTime = isJustAnswered(record);
  if (inTime) {
    const activity = { agent: answer.by, did: "answer", issue: issueNumberOf(record.id) } as const;
    await publish("clarification-answered", [record], activity);
  }
  return { ...outcomeOf(record, round ?? record.round), inTime };
}

/** Writes an answer that a run brought. The answer has cost time and money, so a busy lock is tried several times. */
export async function keepAnswer(
  { id, to, round }: ClarificationRecord,
  answer: Pick<GivenAnswer, "body" | "attachments" | "answeredBy">,
  parts: HubParts,
): Promise<ClarificationOutcome> {
  for (let left = LOCK_TRIES - 1;; left--) {
    try {
      return await takeAnswer(id, { by: to, round, ...answer }, parts);
    } catch (error) {
      if (!hasCode(error, "LOCK_TIMEOUT") || left === 0) throw error;
      parts.notify(`${error.summary}; the answer of ${to} is kept, trying again`);
    }
  }
}

/**
 * Escalates a question that its target failed to answer. Does nothing if the question was answered or decided while the
 * target ran.
 */
export async function escalateFailure(
  { id, to, round }: ClarificationRecord,
  { reason, final, stdout, stderr, isLast, attachments }: ErrorDetails["AGENT_ERROR"] & {
    isLast: boolean;
    attachments: readonly string[];
  },
  { ledger, publish }: HubParts,
): Promise<ClarificationOutcome> {
  const failed = isLast
    ? "failed when it was run again"
    : final === undefined
    ? "failed twice"
    : `failed and was not run again, since ${final}`;
  const record = await ledger.changeIf(id, HUB, (record) => {
    if (record.round !== round || !isUnanswered(record)) return false;
    const action = { by: HUB, body: `${to} ${failed}: ${reason}`, nowMs: sys.now(), attachments };
    markEscalated(record, action, { stdout, stderr, hasFailed: true });
    return true;
  });
  if (record === undefined) return outcomeOf(ledger.getById(id), round);
  const activity = { agent: to, did: "fail", issue: issueNumberOf(record.id) } as const;
  await publish("clarification-escalated", [record], activity);
  return outcomeOf(record, round);
}
