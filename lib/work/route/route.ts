// Finds the route of an issue: its workflow, the steps to take, and the agent that comes first (PRD US-1.1, "Primary
// Flow"). The route follows from labels, from rules for issues without labels, and from the workflow files. Pure.

import { normalizeAgentName } from "../../base/agent_names.ts";
import type { Workflow, WorkflowStep } from "../../config/workflow.ts";
import { enumerate, quote } from "../../base/quote.ts";
import { hasCode } from "../../base/errors.ts";
import { isOpen, type Issue } from "../issue/issue.ts";
import { complexityOf, type ReadIssue, type RuleFinding } from "./complexity.ts";
import { conditionHolds } from "./condition.ts";
import { NEEDS_CHANGES, type Size, sizeOf, typeOf } from "../issue/labels.ts";

/** The fields of an issue that its route depends on. */
export type RoutedIssue = Pick<Issue, "title" | "body" | "labels"> & Partial<Issue>;

/** Access to workflows and to the progress of an issue. */
export interface WorkflowSource {
  /** Reads the workflow for a type; throws if there is none. */
  readWorkflow: (type: string) => Workflow;
  /** Type of the workflow to use if neither a label nor a rule gives the type of the issue. */
  defaultWorkflow: string;
  /** Returns whether a role has finished a step. */
  isDone?: (step: string, role: string) => boolean;
  /** Returns the decision on an optional step of this issue. */
  decisionOn?: (step: string) => StepDecision | undefined;
}

/** The workflow of an issue, and the reason for the choice. */
export interface WorkflowChoice {
  workflow: Workflow;
  /** The labels of the issue, including those from rules. */
  labels: string[];
  /** One sentence for each label or rule that led to the choice. */
  why: string[];
}

/** One step of a route. */
export interface RouteStep {
  /** Id of the step. */
  step: string;
  /** Title for people. */
  title: string;
  /** Role of the agent that does the step. */
  agent: string;
  /** False if an optional step is skipped. */
  isTaken: boolean;
  /** Why the step is taken or skipped; null for a step that is always taken. */
  why: string | null;
  /** The decision on the step's condition, with the reason; null if there is none. */
  decision: string | null;
  /** Whether the condition is free text that nobody has decided on yet. */
  isUndecided: boolean;
}

/** The decision whether to take an optional step. */
export interface StepDecision {
  isTaken: boolean;
  /** Who decided. */
  by: string;
  /** The reason; null if an agent just claimed the step. */
  because: string | null;
}

/** The agents that work on an issue, step by step. */
export interface Route {
  /** Number of the issue; null if it has none. */
  issueNumber: number | null;
  /** The type from a label or a rule; null if neither gives one. */
  type: string | null;
  /** The size from a label or a rule; null if neither gives one. */
  size: Size | null;
  /** Type of the workflow. */
  workflow: string;
  /** The next steps, which agents may do at the same time; empty for a closed or finished issue. */
  first: Array<Pick<RouteStep, "step" | "title" | "agent">>;
  /** One sentence for each label or rule that led to the route. */
  why: string[];
  /** All steps of the workflow. */
  steps: RouteStep[];
  /** The route of the issues that this issue is split into; null if it is not split. */
  parts: { workflow: string; steps: RouteStep[] } | null;
}

/**
 * Chooses the workflow for the type of an issue, or the workflow for large issues of that type. If the issue has no
 * title, only labels count.
 *
 * @throws {AgentxError} `NOT_FOUND`, `INVALID_CONFIG`
 */
export function chooseWorkflow(
  issue: ReadIssue | undefined,
  source: WorkflowSource,
): WorkflowChoice {
  const { readWorkflow } = source;
  const { labels, decided } = complexityOf(issue ?? { labels: [] });
  const { workflow, why } = workflowOfType(typeOf({ labels }), decided, source);
  const { largeWorkflow } = workflow;
  if (largeWorkflow === null || sizeOf({ labels }) !== "large") {
    return { workflow, labels, why: [why] };
  }
  const size = decided.find(({ label }) => label.startsWith("size:"));
  const large = size === undefined ? "its size is large" : `${ruleNote(size)} size:large`;
  return {
    workflow: readWorkflow(largeWorkflow),
    labels,
    why: [why, `${large}: uses the workflow ${largeWorkflow}`],
  };
}

/** Reads the workflow of a type. If a rule guessed the type and no workflow exists for it, reads the default one. */
function workflowOfType(
  type: string | undefined,
  decided: readonly RuleFinding[],
  { readWorkflow, defaultWorkflow }: WorkflowSource,
): { workflow: Workflow; why: string } {
  const byDefault = (why: string) => {
    const workflow = readWorkflow(defaultWorkflow);
    return { workflow, why: `${why}: uses the default workflow, ${workflow.type}` };
  };
  if (type === undefined) return byDefault("no type: label, and no rule is sure of one");
  const rule = decided.find(({ label }) => label.startsWith("type:"));
  if (rule === undefined) {
    const workflow = readWorkflow(type);
    return { workflow, why: `type:${type} selects the workflow ${workflow.type}` };
  }
  const why = `no type: label, and ${ruleNote(rule)} ${rule.label}`;
  try {
    const workflow = readWorkflow(type);
    return { workflow, why: `${why}, which selects the workflow ${workflow.type}` };
  } catch (error) {
    if (!hasCode(error, "NOT_FOUND")) throw error;
    return byDefault(`${why}, which has no workflow`);
  }
}

function ruleNote({ rule, found }: RuleFinding): string {
  const words = (found ?? []).map((word) => quote(word.trim()));
  return `the rule "${rule}" finds ${words.join(", ")}:`;
}

/**
 * Finds the route of an issue (PRD US-1.1).
 *
 * @param given any issue with title, body and labels; if it has no state, it is treated as open
 * @param source the available workflows: `workspace.workflow` and `config.defaultWorkflow`
 * @throws {AgentxError} `NOT_FOUND`, `INVALID_CONFIG`
 */
export function routeOf(given: RoutedIssue, source: WorkflowSource): Route {
  const { workflow, labels, why } = chooseWorkflow(given, source);
  const issue = { ...given, labels };
  const { decisionOn = () => undefined } = source;
  const steps = workflow.steps.map((step) => toRouteStep(step, issue, decisionOn(step.id)));
  const first = firstSteps(workflow, steps, issue, source.isDone);
  const parts = workflow.partsWorkflow === null
    ? null
    : source.readWorkflow(workflow.partsWorkflow);
  return {
    issueNumber: issue.number ?? null,
    type: typeOf(issue) ?? null,
    size: sizeOf(issue),
    workflow: workflow.type,
    first: first.steps.map(({ step, title, agent }) => ({ step, title, agent })),
    why: [...why, first.why],
    steps,
    parts: parts && {
      workflow: parts.type,
      steps: parts.steps.map((step) => toRouteStep(step, { title: "", body: "", labels: [] })),
    },
  };
}

function toRouteStep(
  step: WorkflowStep,
  issue: RoutedIssue,
  decided?: StepDecision,
): RouteStep {
  const { id, title, agent, optional, condition } = step;
  const holds = condition === null ? undefined : conditionHolds(condition, issue);
  const taken = (isTaken: boolean, why: string | null, more: Partial<RouteStep> = {}) => {
    return { step: id, title, agent, isTaken, why, decision: null, isUndecided: false, ...more };
  };
  if (!optional && holds === undefined) return taken(true, null);
  const isUndecided = condition !== null && holds === undefined &&
    (decided?.because ?? null) === null;
  if (decided !== undefined) {
    const { isTaken, by, because } = decided;
    const decision = because === null
      ? `${by} has claimed it`
      : `${by} decided ${isTaken ? "to take it" : "to leave it out"}: ${because}`;
    return taken(isTaken, decision, { decision, isUndecided });
  }
  const asking = issue.labels.find((label) => {
    const wanted = /^needs:(.+)$/.exec(label)?.[1];
    return wanted !== undefined && (wanted === id || normalizeAgentName(wanted) === agent);
  });
  if (asking !== undefined) return taken(true, `${asking} asks for it`);
  if (holds !== undefined) {
    return taken(holds, `${condition} ${holds ? "holds" : "does not hold"}`);
  }
  if (sizeOf(issue) === "large") {
    return taken(true, "its size is large, so no step is left out");
  }
  const when = condition === null ? "" : ` (${condition})`;
  return taken(false, `optional${when}: needs:${id} asks for it`, { isUndecided });
}

/**
 * Returns the steps that are taken and wait for no unfinished step. A rejected issue starts again at its iterating
 * steps.
 */
function firstSteps(
  workflow: Workflow,
  steps: readonly RouteStep[],
  issue: RoutedIssue,
  isDone: (step: string, role: string) => boolean = () => false,
): { steps: RouteStep[]; why: string } {
  const { state = "open", status = "" } = issue;
  if (!isOpen({ state, status })) return { steps: [], why: "it is closed, so no step is next" };
  const taken = steps.filter(({ isTaken }) => isTaken);
  const byId = new Map(workflow.steps.map((step) => [step.id, step]));
  const again = taken.filter(({ step }) => byId.get(step)!.iterate);
  const isRejected = issue.labels.includes(NEEDS_CHANGES) && again.length > 0;
  const behind = downstreamOf(again.map(({ step }) => step), workflow);
  const wanted = isRejected
    ? taken.filter((step) => again.includes(step) || behind.has(step.step))
    : taken;
  const left = wanted.filter(({ step, agent }) => !isDone(step, agent));
  const later = downstreamOf(left.map(({ step }) => step), workflow);
  const first = left.filter(({ step }) => !later.has(step));
  if (wanted.length > 0 && left.length === 0) {
    return { steps: [], why: `${names(wanted)} ${wanted.length === 1 ? "is" : "are"} finished` };
  }
  if (isRejected && first.every((step) => again.includes(step))) {
    const why = `${NEEDS_CHANGES} sends it back to the step that iterates, ${names(first)}`;
    return { steps: first, why };
  }
  if (left.length < wanted.length) {
    const done = wanted.filter((step) => !left.includes(step));
    return { steps: first, why: `${names(done)} finished, and ${names(first)} next` };
  }
  if (first.length > 0) return { steps: first, why: firstNote(first) };
  return { steps: [steps[0]], why: `every step is optional, and ${steps[0].step} is the first` };
}

/** Returns the ids of all steps that come after any of the given steps. */
export function downstreamOf(ids: readonly string[], { steps }: Workflow): Set<string> {
  const waiters = new Map(steps.map(({ id }): [string, string[]] => [id, []]));
  for (const { id, needs } of steps) needs.forEach((need) => waiters.get(need)!.push(id));
  const later = new Set(ids.flatMap((id) => waiters.get(id)!));
  // Iterating over a set includes elements that are added meanwhile, so this is a breadth-first search.
  for (const id of later) waiters.get(id)!.forEach((waiter) => later.add(waiter));
  return later;
}

function firstNote(steps: readonly RouteStep[]): string {
  return steps.length === 1
    ? `${steps[0].step} is the first step`
    : `${names(steps)} are the first steps`;
}

function names(steps: readonly RouteStep[]): string {
  return enumerate(steps.map(({ step }) => step));
}
