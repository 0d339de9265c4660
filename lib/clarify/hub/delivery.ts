// Writes the outcome of a question: its answer, or an escalation where the target failed. It counts only
// if the question is still open.

import { HUB } from "../../base/agent_names.ts";
import type { AnsweredBy } from "../../agents/agent_call.ts";
import { type ErrorDetails, hasCode } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import type { HubParts } from "./hub_parts.ts";
import { type ClarificationOutcome, isJustAnswered, outcomeOf } from "./outcome.ts";
import { answeredAlready, overtaken } from "./refusals.ts";
import { type ClarificationRecord, issueNumberOf, isUnanswered } from "../schema.ts";
import { addAnswer, markEscalated } from "../rules/transitions.ts";

/** How often the ledger is asked to take an answer, 5 seconds each. */
const LOCK_TRIES = 6;

/** An answer that is given. */
export interface GivenAnswer {
  by: string;
  body: string;
  /** The round of the question; left out where the answer was not asked for by a run. */
  round?: number;
  /** The round of a question that a session read without a run that asks for the answer. */
  readRound?: number;
  verified?: boolean;
  login?: string;
  attachments?: readonly string[];
  answeredBy?: AnsweredBy;
}

/**
 * Writes an answer; the result says whether it came in time. Throws `INVALID_TRANSITION` for
 * somebody else's question, for an unasked second answer, and where another question than the one
 * that was read is the last.
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

/** An answer has cost time and money: it is not given up for a lock that is busy for a while. */
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

/** Does nothing where a human answered or decided while the target failed. */
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
