// Reads the facts about the steps of a workflow from the lines of an issue. Pure.

import { isRestart, type IssueLine, type StepChange } from "../work/issue/change.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";
import { NEEDS_CHANGES } from "../work/issue/labels.ts";
import type { Workflow } from "../config/workflow.ts";
import { downstreamOf, type StepDecision } from "../work/route/route.ts";

/** A recorded fact about a step. */
export type StepFact =
  & Exclude<StepChange, { op: "decided" }>
  & Pick<IssueLine, "id" | "time" | "by">;

/** The recorded facts about the steps of an issue. */
export interface PipelineFacts {
  /** The facts, the earliest first, without undone ones. */
  facts: StepFact[];
  /** The step that each agent claimed last, by its full name. */
  claimed: ReadonlyMap<string, string>;
  /** Number of times that the issue was sent back, by a review or with a label. */
  returns: number;
  /** Number of times that the issue was sent back with a label. */
  rejected: number;
  /** The last decision on each step. */
  decisions: ReadonlyMap<string, StepDecision>;
  /** Whether a role has claimed a step of the issue. From then on, changes of the status are checked. */
  isBegun: boolean;
}

/** Reads the facts from the lines of an issue. */
export function factsOf({ lines, undone }: Pick<KnownIssue, "lines" | "undone">): PipelineFacts {
  const facts: StepFact[] = [];
  const claimed = new Map<string, string>();
  const decisions = new Map<string, StepDecision>();
  let [returns, rejected] = [0, 0];
  for (const line of lines) {
    if (undone.has(line.id)) continue;
    if (line.op === "validated" || line.op === "approved" || line.op === "returned") {
      facts.push(line);
      if (line.op === "returned" && !isRestart(line)) returns++;
    } else if (line.op === "add" && line.values.includes(NEEDS_CHANGES)) {
      rejected++;
    } else if (line.op === "add" && typeof line.step === "string") {
      for (const agent of line.values) claimed.set(agent, line.step);
      const claim = { isTaken: true, by: line.by, because: null };
      if (!decisions.has(line.step)) decisions.set(line.step, claim);
    } else if (line.op === "decided") {
      decisions.set(line.step, line);
    }
  }
  return {
    facts,
    claimed,
    returns: returns + rejected,
    rejected,
    decisions,
    isBegun: claimed.size > 0,
  };
}

/**
 * Returns the round of a step: the number of times that it was done, decided about, or sent back, or had to begin again
 * because an earlier step did. A step runs anew in each round.
 */
export function roundOf(
  step: string,
  known: Pick<KnownIssue, "lines" | "undone">,
  workflow: Workflow,
): number {
  const { facts, rejected, decisions } = factsOf(known);
  const isDecided = (decisions.get(step)?.because ?? null) !== null;
  const ids = new Set(workflow.steps.map(({ id }) => id));
  const own = facts.filter((fact) =>
    fact.step === step ||
    fact.op === "returned" && ids.has(fact.step) && downstreamOf([fact.step], workflow).has(step)
  );
  return own.length + rejected + (isDecided ? 1 : 0);
}
