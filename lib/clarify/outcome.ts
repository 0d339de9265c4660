/**
 * What became of a question. Pure.
 *
 * @module
 */

import type { Unreached } from "./reach.ts";
import type { ClarificationRecord, ClarificationStatus, ThreadEntry } from "./schema.ts";
import type { Deadlock } from "./wait_graph.ts";

/** What became of a question. */
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
  /** Who waits for whom: only of a question that was escalated because it closed that circle. */
  deadlock?: Deadlock;
  /** Set where the same question was answered before, and that answer is given again. */
  isReused?: true;
  /** Questions of the same issue to the same agent that are much like it, and what was answered. */
  similar?: { clarificationId: string; question: string; answer: string }[];
  /** Why no agent was run for its open question; left out where one is. */
  reach?: Unreached;
}

/**
 * @param record as it is now
 * @param ofRound the round of the question; null for how it stands without an answer
 */
export function outcomeOf(
  record: ClarificationRecord,
  ofRound: number | null,
): ClarificationOutcome {
  const { id, status, round } = record;
  const answer = ofRound === null ? null : answerOf(record, ofRound)?.body ?? null;
  return { clarificationId: id, status, round, answer, clarification: record };
}

/** @returns whether the last entry is the answer that counts: one that came late changes no status */
export function isJustAnswered(record: ClarificationRecord): boolean {
  const { status, round, thread } = record;
  return status === "answered" && answerOf(record, round) === thread.at(-1);
}

/** The first answer to the question of a round: any other came late. */
function answerOf({ thread }: ClarificationRecord, ofRound: number): ThreadEntry | undefined {
  return thread.find(({ type, round }) => type === "answer" && round === ofRound);
}
