// The outcome of a question. Pure.

import { HUMAN } from "../../base/agent_names.ts";
import { allowsMoreRounds } from "../rules/escalation.ts";
import type { Unreached } from "../reach.ts";
import {
  type ClarificationRecord,
  type ClarificationStatus,
  isAskedAgain,
  lastEntry,
  type ThreadEntry,
} from "../schema.ts";
import type { Deadlock } from "../monitor/wait_graph.ts";

/** The state of a clarification after a question was asked, continued or retried. */
export interface ClarificationOutcome {
  /** The id, such as `CLR-42-001`. */
  clarificationId: string;
  /** The current status. */
  status: ClarificationStatus;
  /** The current round, from 1. */
  round: number;
  /** The answer to this question; null while there is none. */
  answer: string | null;
  /** The whole thread. */
  clarification: ClarificationRecord;
  /** The deadlock that this question closed, if the question was escalated for it. */
  deadlock?: Deadlock;
  /** Set if the same question was answered before, and the outcome has that earlier answer. */
  isReused?: true;
  /** Similar questions of the same issue to the same agent, with their answers. */
  similar?: { clarificationId: string; question: string; answer: string }[];
  /** The party that answers instead of a run; absent if an agent is run. */
  reach?: Unreached;
}

/** Returns the outcome of the question of a round; `ofRound` is null for an outcome without an answer. */
export function outcomeOf(
  record: ClarificationRecord,
  ofRound: number | null,
): ClarificationOutcome {
  const { id, status, round } = record;
  const answer = ofRound === null ? null : answerOf(record, ofRound)?.body ?? null;
  return { clarificationId: id, status, round, answer, clarification: record };
}

/** Whether the last entry is the answer to the current round. An answer that came late changes no status. */
export function isJustAnswered(record: ClarificationRecord): boolean {
  const { status, round, thread } = record;
  return status === "answered" && answerOf(record, round) === thread.at(-1);
}

/** The text of a resolution that states no conclusion. */
export const NO_CONCLUSION = "Resolved.";

/**
 * Returns the settled answer: a human's decision, or else the first answer to the last answered round. Undefined if no
 * answer came in time, or if a human only allowed more rounds.
 */
export function settledAnswer(record: ClarificationRecord): ThreadEntry | undefined {
  const { status, thread } = record;
  if (status !== "answered" && status !== "resolved") return undefined;
  const end = lastEntry(record, "resolution");
  if (end?.from === HUMAN && end.body !== NO_CONCLUSION) {
    return allowsMoreRounds(end.body) ? undefined : end;
  }
  if (lastEntry(record, "escalation")?.round === record.round) return undefined;
  const inTime = { ...record, thread: thread.slice(0, end && thread.indexOf(end)) };
  const last = lastEntry(inTime, "answer");
  return last && answerOf(inTime, last.round);
}

/** Marks, in place, earlier settled clarifications of the same question as replaced by this one. */
export function supersedeRecords(
  record: ClarificationRecord,
  all: readonly ClarificationRecord[],
): void {
  if (settledAnswer(record) === undefined) return;
  for (const other of all) {
    const isSettled = other !== record && !other.supersededBy && settledAnswer(other);
    if (isSettled && isAskedAgain(record, other)) other.supersededBy = record.id;
  }
}

/** Returns the first answer to the question of a round; all later answers to it came too late. */
function answerOf({ thread }: ClarificationRecord, ofRound: number): ThreadEntry | undefined {
  return thread.find(({ type, round }) => type === "answer" && round === ofRound);
}
