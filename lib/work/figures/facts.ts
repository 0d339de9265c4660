// What figures are counted from: clarifications, questions to the human, issues, the log, what recalls were
// worth, commits. Pure.

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
  /** Sessions that a recall was given to and that were captured. */
  uses: readonly SessionUse[];
  closed: readonly ClosedIssue[];
  /** The facts on steps of issues. */
  steps: readonly DatedStep[];
  /** Changes of issues. */
  changes: readonly DatedIssue[];
  /** Null where git has no commits here, or is not asked. */
  commits: readonly Commit[] | null;
}

/** A time, and the issue that it is about. */
export interface DatedIssue {
  issueNumber: number;
  /** ISO-8601. */
  time: string;
}

/** An issue that was closed. */
export interface ClosedIssue {
  /** From 1. */
  number: number;
  /** As it was written. */
  title: string;
  /** ISO-8601, UTC. */
  closed: string;
  /** From its first start until then, in milliseconds; null if it never stood in another column. */
  cycleMs: number | null;
  /** Milliseconds in each column until then. */
  statusMs: Record<string, number>;
}

/** A step that was done, or an issue that was sent back. */
export interface DatedStep extends DatedIssue {
  what: "done" | "returned";
  /** Null where a label sent the issue back. */
  step: string | null;
  by: string;
  /** Since it was claimed; null where nobody claimed it. */
  tookMs: number | null;
}

export interface Commit {
  /** ISO-8601. */
  time: string;
  /** Whether its message names an issue that is known here. */
  namesIssue: boolean;
}

/** The facts from a time on, and before another. */
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
