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

/** The outcome of a question. */
export interface ClarificationOutcome {
  /** Such as `CLR-42-001`. */
  clarificationId: string;
  /** The current status. */
  status: ClarificationStatus;
  /** The current round. */
  round: number;
  /** The answer to this question; null while there is none. */
  answer: string | null;
  /** The whole thread. */
  clarification: ClarificationRecord;
  /** The circle of waits, if the question was escalated because it closed one. */
  deadlock?: Deadlock;
  /** Set where the same question was answered before, and that answer is given again. */
  isReused?: true;
  /** Similar questions of the same issue to the same agent, with their answers. */
  similar?: { clarificationId: string; question: string; answer: string }[];
  /** The party that answers instead of a run; left out where an agent is run. */
  reach?: Unreached;
}

/** The outcome of the question of a round; `ofRound` is null without an answer. */
export function outcomeOf(
  record: ClarificationRecord,
  ofRound: number | null,
): ClarificationOutcome {
  const { id, status, round } = record;
  const answer = ofRound === null ? null : answerOf(record, ofRound)?.body ?? null;
  return { clarificationId: id, status, round, answer, clarification: record };
}

/** Whether the last entry is the answer that counts: one that came late changes no status. */
export function isJustAnswered(record: ClarificationRecord): boolean {
  const { status, round, thread } = record;
  return status === "answered" && answerOf(record, round) === thread.at(-1);
}

/** The conclusion of who says none. */
export const NO_CONCLUSION = "Resolved.";

/**
 * The settled answer: a human's decision, or else the answer that counts. Undefined if no answer came in time, or a
 * human only allowed more rounds.
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

/** Notes on the same question, where it was settled before, that this answer replaced it, in place. */
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

/** The first answer to the question of a round: any other came late. */
function answerOf({ thread }: ClarificationRecord, ofRound: number): ThreadEntry | undefined {
  return thread.find(({ type, round }) => type === "answer" && round === ofRound);
}
