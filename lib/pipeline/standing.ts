// Derives where an issue stands in its workflow: which steps are done, running or ready, and which steps the others
// wait for. A pure function of the lines of the issue, the workflow and the current artifacts.
//
// A step stays done when its artifact is edited, but no later step begins until the edit is validated, or accepted by a
// person.

import { addTo } from "../base/groups.ts";
import { stepOutput, type Workflow, type WorkflowStep } from "../config/workflow.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";
import { DONE, isOpen, type Issue } from "../work/issue/issue.ts";
import {
  chooseWorkflow,
  downstreamOf,
  type Route,
  routeOf,
  type RouteStep,
  type WorkflowSource,
} from "../work/route/route.ts";
import { factsOf, type PipelineFacts, type StepFact } from "./facts.ts";

/** The state of one step. */
export interface StepStanding {
  step: string;
  /** The title of the step, for people. */
  title: string;
  /** The role of the step's agent. */
  agent: string;
  /** The status that the issue gets when the step begins; null if the workflow names none. */
  statusOnStart: string | null;
  state: "done" | "running" | "ready" | "waiting" | "skipped";
  /** The agent that works on the step or has done it; null if there is none. */
  by: string | null;
  /** ISO-8601, UTC: when the step was done; null if it is not done. */
  since: string | null;
  /** The file that the step writes; null if it writes none. */
  artifact: string | null;
  /** The hashes of validated or approved texts; null for a step that writes no file. */
  hashes: Array<string | null>;
  /** Whether the artifact was edited after the step was done. */
  isChanged: boolean;
  /** Whether the step has a condition in prose, and it is time to decide whether that holds. */
  isUndecided: boolean;
  /** The reasons why the step waits, is skipped, or is taken, one sentence each. */
  why: string[];
}

/** An issue in its workflow. */
export interface IssueStanding {
  issueNumber: number;
  /** The type of the workflow. */
  workflow: string;
  /** Whether a role has claimed a step of the issue. From then on, changes of the status are checked. */
  isBegun: boolean;
  /** Number of times that the issue was sent back. */
  returns: number;
  /** The steps, in the order of the workflow. */
  steps: StepStanding[];
}

/** The sources of an issue's standing, besides its lines. */
export interface StandingSources extends Omit<WorkflowSource, "isDone"> {
  /**
   * Returns the current hash of a step's artifact; undefined without an artifact, null if the artifact was not read.
   */
  hashOf?: (step: WorkflowStep) => string | null | undefined;
  /** Whether a role has ended its work on the issue. This counts only until the first step is claimed. */
  isFinished?: (role: string) => boolean;
}

/** Returns where an issue stands, and its route. */
export function standingOf(
  known: Pick<KnownIssue, "issue" | "lines" | "undone">,
  sources: StandingSources,
): { standing: IssueStanding; route: Route } {
  const { issue } = known;
  const { hashOf = () => null, isFinished = () => false } = sources;
  const { workflow } = chooseWorkflow(issue, sources);
  const said = factsOf(known);
  const done = doneIn(said, workflow, issue.reopened);
  const isDone = (step: string, role: string) =>
    done.has(step) || !said.isBegun && isFinished(role);
  const decisionOn = (step: string) => said.decisions.get(step);
  const route = routeOf(issue, { ...sources, isDone, decisionOn });
  const at = lookAt(known, { workflow, said, done, isDone, hashOf, route });
  const steps = asLongAsOpen(route.steps.map((step) => standingIn(step, at)), at);
  const isNext = new Set(
    steps.filter(({ state }) => state === "ready" || state === "running").map(({ step }) => step),
  );
  const { isBegun, returns } = said;
  return {
    standing: { issueNumber: issue.number, workflow: workflow.type, isBegun, returns, steps },
    route: { ...route, first: route.first.filter(({ step }) => isNext.has(step)) },
  };
}

/** The facts that decide the state of a step. */
interface Look {
  issue: Issue;
  route: Route;
  byId: ReadonlyMap<string, WorkflowStep>;
  /** All later steps that depend on each step. */
  behind: ReadonlyMap<string, ReadonlySet<string>>;
  done: ReadonlyMap<string, readonly DoneFact[]>;
  isDone: (step: string, role: string) => boolean;
  /** The holder of each running step. */
  running: ReadonlyMap<string, string>;
  first: ReadonlySet<string>;
  /** The steps with an artifact that was edited since they were done. */
  changed: readonly string[];
}

function lookAt(
  { issue }: Pick<KnownIssue, "issue">,
  { workflow, said, hashOf, ...known }:
    & Pick<Look, "done" | "isDone" | "route">
    & Required<Pick<StandingSources, "hashOf">>
    & { workflow: Workflow; said: PipelineFacts },
): Look {
  const changed = workflow.steps.filter((step) => {
    const facts = known.done.get(step.id) ?? [];
    const hash = facts.length === 0 ? null : hashOf(step);
    // A fact without a hash, such as a person's approval, holds for any text.
    const fits = (fact: DoneFact) => fact.hash === null || fact.hash === hash;
    return hash !== null && facts.length > 0 && !facts.some(fits);
  });
  return {
    ...known,
    issue,
    byId: new Map(workflow.steps.map((step) => [step.id, step])),
    behind: new Map(workflow.steps.map(({ id }) => [id, downstreamOf([id], workflow)])),
    running: holdersIn(issue, said),
    first: new Set(known.route.first.map(({ step }) => step)),
    changed: changed.map(({ id }) => id),
  };
}

type State = Pick<StepStanding, "state" | "why"> & Partial<Pick<StepStanding, "by" | "since">>;

/** The first match decides the state of a step. */
const STATES: ReadonlyArray<(step: RouteStep, at: Look) => State | undefined> = [
  function done({ step, agent }, { isDone, done }) {
    const { by = null, time: since = null } = done.get(step)?.at(-1) ?? {};
    return isDone(step, agent) ? { state: "done", by, since, why: [] } : undefined;
  },
  function running({ step }, { running }) {
    const by = running.get(step);
    return by === undefined ? undefined : { state: "running", by, why: [] };
  },
  function leftOut({ step, isTaken, why }, { first }) {
    if (isTaken || first.has(step)) return undefined;
    return { state: "skipped", why: why === null ? [] : [why] };
  },
  function ready({ step, decision }, at) {
    if (!at.first.has(step) || editedBefore(step, at).length > 0) return undefined;
    return { state: "ready", why: decision === null ? [] : [decision] };
  },
  function waiting({ step }, at) {
    const why = isOpen(at.issue) ? [...editedBefore(step, at), ...waitsOf(step, at)] : [];
    return why.length === 0 ? undefined : { state: "waiting", why };
  },
  // No longer needed: a step of a closed issue, or a step before the one that an issue was sent back to.
  function notAsked(_step, { route }) {
    return { state: "skipped", why: [route.why.at(-1)!] };
  },
];

function standingIn(taken: RouteStep, at: Look): StepStanding {
  const { step, title, agent, isUndecided } = taken;
  const of = at.byId.get(step)!;
  const state = STATES.map((look) => look(taken, at)).find((found) => found !== undefined)!;
  return {
    step,
    title,
    agent,
    statusOnStart: of.statusOnStart,
    artifact: stepOutput(of, at.issue.number),
    hashes: at.done.get(step)?.map(({ hash }) => hash) ?? [],
    isChanged: at.changed.includes(step),
    isUndecided,
    by: null,
    since: null,
    ...state,
  };
}

/** Limits `isUndecided` to the time for a decision: from when the earlier steps are done until a later step begins. */
function asLongAsOpen(
  steps: readonly StepStanding[],
  { byId, behind, issue }: Look,
): StepStanding[] {
  const stateOf = new Map(steps.map(({ step, state }) => [step, state]));
  const isIn = (step: string, ...states: StepStanding["state"][]) =>
    states.includes(stateOf.get(step)!);
  return steps.map((each) => {
    const { step, isUndecided } = each;
    const isTime = isOpen(issue) && isIn(step, "skipped", "running") &&
      byId.get(step)!.needs.every((need) => isIn(need, "done", "skipped")) &&
      ![...behind.get(step)!].some((later) => isIn(later, "done", "running"));
    return { ...each, isUndecided: isUndecided && isTime };
  });
}

function editedBefore(step: string, { changed, behind, byId, issue }: Look): string[] {
  return changed.filter((id) => behind.get(id)!.has(step))
    .map((id) => `${stepOutput(byId.get(id)!, issue.number)} was edited after ${id} was done`);
}

/** Returns a reason for each nearest earlier step that is taken and not done. */
function waitsOf(step: string, { route, behind, isDone }: Look): string[] {
  const before = route.steps.filter((other) =>
    other.isTaken && !isDone(other.step, other.agent) && behind.get(other.step)!.has(step)
  );
  return before
    .filter((other) => !before.some((mid) => behind.get(other.step)!.has(mid.step)))
    .map((other) => `waits for ${other.step}`);
}

/**
 * Returns the steps that have to be done before an issue may get a status. For the last status these are all taken
 * steps; for any other status that steps lead to, one of those steps.
 *
 * @param status the status that the issue is to get
 */
export function lackingFor(
  status: string,
  { steps }: IssueStanding,
  workflow: Workflow,
): StepStanding[] {
  if (status === DONE) return stepsLeft(steps);
  const leading = workflow.steps.filter(({ statusOnComplete }) => statusOnComplete === status);
  const own = steps.filter(({ step }) => leading.some(({ id }) => id === step));
  return own.some(({ state }) => state === "done") ? [] : stepsLeft(own);
}

/** Returns the steps that are neither done nor skipped. */
export function stepsLeft(steps: readonly StepStanding[]): StepStanding[] {
  return steps.filter(({ state }) => state !== "done" && state !== "skipped");
}

type DoneFact = Extract<StepFact, { op: "validated" | "approved" }>;

/** Returns the facts about each step that is done and was not sent back since, the earliest first. */
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
    if (fact.op !== "returned" && !isVoid && ids.has(fact.step)) addTo(done, fact.step, fact);
  }
  return done;
}

/** Returns the holder of each claimed step, if the claim still holds. */
function holdersIn(
  { assignee, stepClaims = [], ...claim }: Issue,
  { claimed }: PipelineFacts,
): Map<string, string> {
  const holders = new Map(stepClaims.map(({ step, agent }) => [step, agent]));
  // A claim that an undo brought back is over: its lease ends when it begins.
  const isOver = assignee === null || claim.claimed !== null && claim.claimed === claim.leaseUntil;
  const step = isOver ? undefined : claimed.get(assignee);
  return step === undefined ? holders : holders.set(step, assignee!);
}
