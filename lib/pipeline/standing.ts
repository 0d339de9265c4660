/**
 * Where an issue stands in its workflow: which steps are done, running or ready, and what the others wait
 * for. It follows from the lines of the issue, the workflow and the artifacts as they are now, and from nothing else.
 *
 * What was validated stays done when its artifact is edited; but no further step begins on such a text until
 * it is validated again, or a person accepts it.
 *
 * @module
 */

import { outputOf, type Workflow, type WorkflowStep } from "../config/workflow.ts";
import type { FoldedIssue } from "../work/issue/fold.ts";
import { DONE, isOpen, type Issue } from "../work/issue/issue.ts";
import {
  chooseWorkflow,
  downstreamOf,
  type Route,
  routeOf,
  type WorkflowSource,
} from "../work/route/route.ts";
import { factsOf, type PipelineFacts, type StepFact } from "./facts.ts";

/** One step, as it stands. */
export interface StepStanding {
  step: string;
  /** For people. */
  title: string;
  /** Role of the agent at work. */
  agent: string;
  /** What the issue becomes when it begins; null where the workflow does not say. */
  statusOnStart: string | null;
  state: "done" | "running" | "ready" | "waiting" | "skipped";
  /** Who works on it, or had it validated or approved; null where nobody did. */
  by: string | null;
  /** ISO-8601, UTC: when it was done; null where it is not. */
  since: string | null;
  /** The file that it writes; null where it writes none. */
  artifact: string | null;
  /** What was validated or approved, by hash; null for a step that writes no file. */
  hashes: Array<string | null>;
  /** Whether its artifact is another text than any of these. */
  isChanged: boolean;
  /** One sentence each: why it waits, or is skipped. */
  why: string[];
}

/** An issue in its workflow. */
export interface Standing {
  issueNumber: number;
  /** Type of its workflow. */
  workflow: string;
  /** Whether a step was claimed by its role: then statuses are checked. */
  isBegun: boolean;
  /** How often it was sent back. */
  returns: number;
  /** In the order of the workflow. */
  steps: StepStanding[];
}

/** What the standing of an issue follows from, besides its lines. */
export interface StandingSources extends Omit<WorkflowSource, "isDone"> {
  /**
   * The hash of a step's artifact as it is now: undefined where there is none, null where that was not
   * looked at.
   */
  hashOf?: (step: WorkflowStep) => string | null | undefined;
  /** Whether a role has ended its work on the issue; that counts until the first step is claimed. */
  isFinished?: (role: string) => boolean;
}

/** @returns how an issue stands, and the route that it takes */
export function standingOf(
  known: Pick<FoldedIssue, "issue" | "lines" | "undone">,
  sources: StandingSources,
): { standing: Standing; route: Route } {
  const { issue } = known;
  const { hashOf = () => null, isFinished = () => false } = sources;
  const { workflow } = chooseWorkflow(issue, sources);
  const said = factsOf(known);
  const done = doneIn(said, workflow, issue.reopened);
  const isDone = (step: string, role: string) =>
    done.has(step) || !said.isBegun && isFinished(role);
  const route = routeOf(issue, { ...sources, isDone });
  const byId = new Map(workflow.steps.map((step) => [step.id, step]));
  const behind = new Map(workflow.steps.map(({ id }) => [id, downstreamOf([id], workflow)]));
  const running = holdersIn(issue, said);
  const first = new Set(route.first.map(({ step }) => step));
  const changed = workflow.steps.map(({ id }) => id).filter((id) => {
    const facts = done.get(id) ?? [];
    const hash = facts.length === 0 ? null : hashOf(byId.get(id)!);
    // What a person has said to be done is so, whatever its text.
    const fits = (fact: DoneFact) => fact.hash === null || fact.hash === hash;
    return hash !== null && facts.length > 0 && !facts.some(fits);
  });
  const left = route.steps.filter(({ step, agent, isTaken }) => isTaken && !isDone(step, agent));
  const steps = route.steps.map(({ step, title, agent, isTaken, why }): StepStanding => {
    const { statusOnStart } = byId.get(step)!;
    const artifact = outputOf(byId.get(step)!, issue.number);
    const isChanged = changed.includes(step);
    const facts = done.get(step) ?? [];
    const hashes = facts.map(({ hash }) => hash);
    const about = { step, title, agent, statusOnStart, artifact, hashes, isChanged };
    const base = { ...about, by: null, since: null, why: [] };
    const { by = null, time: since = null } = facts.at(-1) ?? {};
    if (isDone(step, agent)) return { ...base, state: "done", by, since };
    const runner = running.get(step);
    if (runner !== undefined) return { ...base, state: "running", by: runner };
    const isFirst = first.has(step);
    if (!isTaken && !isFirst) return { ...base, state: "skipped", why: why === null ? [] : [why] };
    const edited = changed.filter((id) => behind.get(id)!.has(step))
      .map((id) => `${outputOf(byId.get(id)!, issue.number)} was edited after ${id} was done`);
    if (isFirst && edited.length === 0) return { ...base, state: "ready" };
    const before = left.filter((other) => behind.get(other.step)!.has(step));
    const waits = before.filter((other) =>
      !before.some((mid) => behind.get(other.step)!.has(mid.step))
    )
      .map((other) => `waits for ${other.step}`);
    const reasons = isOpen(issue) ? [...edited, ...waits] : [];
    // Of a closed issue, and of one that was sent back, the steps before are not asked for any more.
    if (reasons.length === 0) return { ...base, state: "skipped", why: [route.why.at(-1)!] };
    return { ...base, state: "waiting", why: reasons };
  });
  const isNext = new Set(
    steps.filter(({ state }) => state === "ready" || state === "running").map(({ step }) => step),
  );
  const { isBegun, returns } = said;
  return {
    standing: { issueNumber: issue.number, workflow: workflow.type, isBegun, returns, steps },
    route: { ...route, first: route.first.filter(({ step }) => isNext.has(step)) },
  };
}

/**
 * @param status that an issue is to get
 * @returns the steps that would have to be done: for the last status all that are taken, for any other that a
 *   step leads to, one of these
 */
export function lackingFor(
  status: string,
  { steps }: Standing,
  workflow: Workflow,
): StepStanding[] {
  const isLeft = ({ state }: StepStanding) => state !== "done" && state !== "skipped";
  if (status === DONE) return steps.filter(isLeft);
  const leading = workflow.steps.filter(({ statusOnComplete }) => statusOnComplete === status);
  const own = steps.filter(({ step }) => leading.some(({ id }) => id === step));
  return own.some(({ state }) => state === "done") ? [] : own.filter(isLeft);
}

type DoneFact = Exclude<StepFact, { op: "returned" }>;

/** What was said of each step that is done, and not sent back since, the earliest first. */
function doneIn(
  { facts }: PipelineFacts,
  workflow: Workflow,
  reopened = "",
): Map<string, DoneFact[]> {
  const again = workflow.steps.filter(({ iterate }) => iterate).map(({ id }) => id);
  const voided = new Map<string, string>();
  const sendBack = (ids: readonly string[], time: string) => {
    for (const id of [...ids, ...downstreamOf(ids, workflow)]) {
      if ((voided.get(id) ?? "") < time) voided.set(id, time);
    }
  };
  sendBack(again.length > 0 ? again : workflow.steps.map(({ id }) => id), reopened);
  const ids = new Set(workflow.steps.map(({ id }) => id));
  for (const { op, step, time } of facts) {
    if (op === "returned" && ids.has(step)) sendBack([step], time);
  }
  const done = new Map<string, DoneFact[]>();
  for (const fact of facts) {
    const isVoid = fact.time <= (voided.get(fact.step) ?? "");
    if (fact.op === "returned" || isVoid || !ids.has(fact.step)) continue;
    done.set(fact.step, [...done.get(fact.step) ?? [], fact]);
  }
  return done;
}

/** Who has claimed which step, as far as it is still theirs. */
function holdersIn(
  { assignee, stepClaims = [] }: Issue,
  { claimed }: PipelineFacts,
): Map<string, string> {
  const holders = new Map(stepClaims.map(({ step, agent }) => [step, agent]));
  const step = assignee === null ? undefined : claimed.get(assignee);
  return step === undefined ? holders : holders.set(step, assignee!);
}
