// The facts that figures are counted from: clarifications, questions to the human, issues, the log, the use of
// recalls, and commits. Pure.

import type { ClarificationRecord } from "../../clarify/schema.ts";
import type { LogLine } from "../../events/follower.ts";
import type { GateInteraction } from "../../gate/interaction.ts";
import type { SessionUse } from "../../memory/recall/displacement.ts";

/** The facts of a period, each with its date. */
export interface Facts {
  /** Clarifications that were asked. */
  clarifications: readonly ClarificationRecord[];
  /** Questions to the human. */
  questions: readonly GateInteraction[];
  log: readonly LogLine[];
  /** Captured sessions that had received a recall. */
  uses: readonly SessionUse[];
  closed: readonly ClosedIssue[];
  /** Completed and returned steps of issues. */
  steps: readonly DatedStep[];
  /** Changes of issues. */
  changes: readonly DatedIssue[];
  /** Null if there is no repository or no commit, or if git was not asked. */
  commits: readonly Commit[] | null;
}

/** A time, and the issue that it is about. */
export interface DatedIssue {
  issueNumber: number;
  /** ISO-8601. */
  time: string;
}

/** A closed issue. */
export interface ClosedIssue {
  /** From 1. */
  number: number;
  /** As the author wrote it. */
  title: string;
  /** ISO-8601, UTC. */
  closed: string;
  /** Milliseconds from its first start until it was closed; null if it never left its first column. */
  cycleMs: number | null;
  /** Milliseconds in each column until it was closed. */
  statusMs: Record<string, number>;
}

/** A step that was completed, or an issue that was sent back. */
export interface DatedStep extends DatedIssue {
  what: "done" | "returned";
  /** Null if a label sent the issue back. */
  step: string | null;
  by: string;
  /** Milliseconds since the claim of the step; null if no agent claimed it. */
  tookMs: number | null;
}

export interface Commit {
  /** ISO-8601. */
  time: string;
  /** Whether the message names an issue that this workspace knows. */
  namesIssue: boolean;
}

/** Returns the facts from `startMs` on and before `endMs`. */
export function factsWithin(facts: Facts, startMs: number, endMs: number): Facts {
  const isWithin = (time: string) => Date.parse(time) >= startMs && Date.parse(time) < endMs;
  const within = <T extends { time: string }>(all: readonly T[]) =>
    all.filter(({ time }) => isWithin(time));
  return {
    clarifications: facts.clarifications.filter(({ created }) => isWithin(created)),
    questions: facts.questions.filter(({ created }) => isWithin(created)),
    log: within(facts.log),
    uses: facts.uses.filter(({ timestamp }) => isWithin(timestamp)),
    closed: facts.closed.filter(({ closed }) => isWithin(closed)),
    steps: within(facts.steps),
    changes: within(facts.changes),
    commits: facts.commits === null ? null : within(facts.commits),
  };
}
