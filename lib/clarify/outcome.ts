// The outcome of a question. Pure.

import type { Unreached } from "./reach.ts";
import type { ClarificationRecord, ClarificationStatus, ThreadEntry } from "./schema.ts";
import type { Deadlock } from "./wait_graph.ts";

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
  /** Of a question that was escalated because it closed a circle: who waits for whom. */
  deadlock?: Deadlock;
  /** Set where the same question was answered before, and that answer is given again. */
  isReused?: true;
  /** Questions of the same issue to the same agent that are much like it, and what was answered. */
  similar?: { clarificationId: string; question: string; answer: string }[];
  /** Who answers its open question instead of a run; left out where one is run. */
  reach?: Unreached;
}

/** The outcome of the question of a round; `ofRound` is null where there is no answer. */
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

/** The first answer to the question of a round: any other came late. */
function answerOf({ thread }: ClarificationRecord, ofRound: number): ThreadEntry | undefined {
  return thread.find(({ type, round }) => type === "answer" && round === ofRound);
}
