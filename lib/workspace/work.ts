// The parts of a workspace for issues, the queue, and iterative loops. They are separate from the parts that ask and
// answer, so that a hook at the start of a session need not load those.

import { originOf } from "./state_origin.ts";
import { readWorkflow, type Workflow, type WorkflowStep } from "../config/workflow.ts";
import { roleOf } from "../base/agent_names.ts";
import { orElse } from "../base/errors.ts";
import { stepTree } from "../git/step_names.ts";
import { artifactHash } from "../pipeline/artifact_hash.ts";
import { factsOf } from "../pipeline/facts.ts";
import {
  type IssueStanding,
  lackingFor,
  standingOf,
  type StepStanding,
} from "../pipeline/standing.ts";
import {
  CLARIFY_FIRST,
  type StoppedStep,
  StoppedSteps,
  waitingAmong,
} from "../pipeline/stopped_steps.ts";
import { IN_PROGRESS, IN_REVIEW, isOpen, type Issue } from "../work/issue/issue.ts";
import type { StepChange } from "../work/issue/change.ts";
import { endLease, endStepClaims } from "../work/queue/lease.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import { typeOf } from "../work/issue/labels.ts";
import { hasFinished, iterationLimit } from "../work/iterations/loop_state.ts";
import { LoopGate } from "../work/iterations/loop_gate.ts";
import { ReadyQueue, type Routes } from "../work/queue/ready_queue.ts";
import { chooseWorkflow, type Route } from "../work/route/route.ts";
import { issueElsewhere } from "./linked_projects.ts";
import type { WorkspaceState } from "./state.ts";
import { type DoneChange, type HandedOn, handOn as handOnSteps } from "../pipeline/finish_step.ts";

type StandingIssue = Pick<KnownIssue, "issue" | "lines" | "undone">;

export interface Work {
  readonly issues: IssueStore;
  /** The queue of issues that can be claimed. */
  readonly ready: ReadyQueue;
  /** The iterative loops, which act as a gate. */
  readonly loop: LoopGate;
  /** The steps that wait for a person. */
  readonly stopped: StoppedSteps;
  /** Returns the state of an issue in its workflow, based on the current artifacts. */
  standing(known: KnownIssue): Promise<{ standing: IssueStanding; route: Route }>;
  /** Records that steps are done, and hands the issue on. */
  handOn(issueNumber: number, said: readonly DoneChange[], by: string): Promise<HandedOn>;
  /** Returns the steps that an issue still needs for a status; none if its steps are not enforced. */
  lacking(issueNumber: number, status: string): StepStanding[];
  /** Records that a step and the steps after it must be done again, or that an optional step is taken or skipped. */
  noteStep(issueNumber: number, fact: StepChange, by: string): Promise<void>;
  /**
   * Ends a role's work on an issue. Its steps that are complete are handed on.
   *
   * @param agent with or without a worker
   * @param shown the steps that commands have shown to be done
   * @returns what the steps still lack, one sentence each
   */
  finish(issueNumber: number, agent: string, shown?: readonly DoneChange[]): Promise<string[]>;
}

export async function openWork(state: WorkspaceState): Promise<Work> {
  const { root, tree, config, notify } = state;
  const { locks, events, ledger, status } = state.records();
  const issues = await state.issueStore();
  const loop = new LoopGate(`${root}/.agentx/state/loop-state.json`, locks, {
    isRequired: config.loop.required,
    origin: originOf(root),
    uidOf: (issue) => issues.findReadable(issue)?.uid,
    notify,
  });
  const standings = () => standingsOf({ root, config, loop });
  const stopped = new StoppedSteps(`${root}/.agentx`, locks);
  const routes = () => routesOf(issues, { ...standings(), stopped });
  const isClosedElsewhere = (ref: string) => issueElsewhere(ref).state === "closed";
  const workflowOf = (issue: number) =>
    chooseWorkflow(issues.findReadable(issue), standings().source).workflow;
  const isActive = (issue: number) => loop.status(issue)?.status === "active";
  const onClaim = async (issueNumber: number, agent: string) => {
    const known = issues.getKnown(issueNumber);
    const workflow = orElse(undefined, () => workflowOf(issueNumber));
    const claimed = factsOf(known).claimed.get(agent);
    const iterates = workflow?.steps.some(({ id, iterate }) => id === claimed && iterate);
    if (!iterates || isActive(issueNumber)) return;
    const maxIterations = iterationLimit(workflow!, known.issue.labels);
    await loop.start(issueNumber, { maxIterations });
  };
  const ready = new ReadyQueue({
    issues,
    ledger,
    status,
    routes,
    isClosedElsewhere,
    onClaim,
    notify,
    machines: state.claims,
  });
  const handOn: Work["handOn"] = async (issueNumber, said, by) => {
    const standingOf = (known: StandingIssue) => standings().standing(known).standing;
    const parts = { issues, events, standingOf, workflowOf };
    const handed = await handOnSteps(issueNumber, { said, by }, parts);
    const { steps } = workflowOf(issueNumber);
    const isOver = steps.some(({ id, iterate }) => iterate && handed.recorded.includes(id));
    if (isOver && isActive(issueNumber)) await loop.complete(issueNumber);
    return handed;
  };
  return {
    issues,
    ready,
    loop,
    stopped,
    handOn,
    lacking(issueNumber, status) {
      const known = issues.getKnown(issueNumber);
      const { enforce } = config.pipeline;
      if (known.issue.status === status || !hasRoute(known)) return [];
      const { standing } = standings().standing(known);
      const isEnforced = enforce === "all" || enforce === "begun" && standing.isBegun;
      return isEnforced ? lackingFor(status, standing, workflowOf(issueNumber)) : [];
    },
    async noteStep(issueNumber, fact, by) {
      const facts = [fact];
      const edit = (issue: Issue) => {
        if (issue.assignee === by) endLease(issue);
        endStepClaims(issue, ({ agent }) => agent === by);
      };
      await issues.say(issueNumber, by, () => ({ facts, edit }));
    },
    async finish(issueNumber, agent, shown = []) {
      const role = roleOf(agent);
      const issue = issues.findReadable(issueNumber);
      const known = issue && issues.getKnown(issueNumber);
      const workflow = workflowOf(issueNumber);
      const isBegun = known !== undefined && factsOf(known).isBegun;
      // The steps of an issue without a type are not required, so only missing documents count.
      const own = workflow.steps.filter(({ agent, output }) =>
        agent === role && known !== undefined && (hasRoute(known) || output !== null)
      );
      const missing: string[] = [];
      if (known !== undefined && own.length > 0) {
        const { doneSteps, validateHandOver } = await import("../pipeline/handover_checks.ts");
        // A hook runs no commands. Steps with evidence are validated by `agentx issue validate`.
        const steps = own.map((step) => ({
          ...step,
          evidence: [],
          completionCriteria: step.evidence.length > 0 ? null : step.completionCriteria,
        }));
        const place = { ...state, issue: known.issue, kept: known.issue, role, loop };
        const checked = await validateHandOver({ ...workflow, steps }, place);
        const unshown = workflow.steps.filter(({ id, evidence }) =>
          evidence.length > 0 && shown.every(({ step }) => step !== id)
        ).map(({ id }) => id);
        const others = doneSteps(checked).filter(({ step }) =>
          !unshown.includes(step) && shown.every((each) => each.step !== step)
        );
        const { notRecorded } = isBegun
          ? await handOn(issueNumber, [...others, ...shown], agent)
          : { notRecorded: [] };
        const open = checked.steps.some(({ step }) => unshown.includes(step))
          ? [`its commands show that it is done: agentx issue validate ${issueNumber} ${role}`]
          : [];
        missing.push(...checked.reasons, ...notRecorded, ...open);
        for (const why of missing) notify(`#${issueNumber}: ${why}`);
      }
      await loop.finish(issueNumber, role);
      return missing;
    },
    async standing(known) {
      const { issue } = known;
      const { source, standing } = standings();
      const { workflow } = chooseWorkflow(issue, source);
      const hashes = new Map<string, string | null | undefined>();
      for (const step of workflow.steps) {
        const here = await artifactHash(tree, step, issue.number);
        // Another checkout may have begun the step. Its document appears here once it is merged.
        const hash = here !== undefined
          ? here
          : await artifactHash(stepTree(root, issue.number, step.id).path, step, issue.number);
        hashes.set(step.id, hash);
      }
      return standing(known, ({ id }) => hashes.get(id));
    },
  };
}

/** Returns functions that compute the current state of issues. Each workflow is read once. */
function standingsOf(
  { root, config: { defaultWorkflow }, loop }: Pick<WorkspaceState, "root" | "config"> & {
    loop: LoopGate;
  },
) {
  const finished = loop.finished();
  const workflows = new Map<string, Workflow>();
  const readOnce = (type: string) => {
    const workflow = workflows.get(type) ?? readWorkflow(`${root}/.agentx/workflows`, type);
    workflows.set(type, workflow);
    return workflow;
  };
  const source = { readWorkflow: readOnce, defaultWorkflow };
  const isFinished = (issue: Issue, role: string) =>
    hasFinished(issue, finished.get(issue.number), role);
  const standing = (
    known: StandingIssue,
    hashOf?: (step: WorkflowStep) => string | null | undefined,
  ) => {
    const of = (role: string) => isFinished(known.issue, role);
    return standingOf(known, { ...source, hashOf, isFinished: of });
  };
  return { source, finished, isFinished, standing };
}

/** Returns whether an issue has a route: by its type, or because some of its steps have begun. */
function hasRoute(known: StandingIssue): boolean {
  return typeOf(known.issue) !== undefined || factsOf(known).isBegun;
}

/** Returns the routes of issues. If a route cannot be read, the issue is treated as one without a route. */
function routesOf(
  issues: IssueStore,
  { finished, isFinished, standing, source, stopped }: ReturnType<typeof standingsOf> & {
    stopped: StoppedSteps;
  },
): Routes {
  let allStopped: StoppedStep[] | undefined;
  const { byUid } = issues.view(); // read once for all issues
  const standingNow = (issue: Issue) => {
    const known = byUid.get(issue.uid);
    if (known === undefined || !hasRoute(known)) return undefined;
    return orElse(undefined, () => standing({ ...known, issue }).standing);
  };
  const nextSteps = (issue: Issue) =>
    standingNow(issue)?.steps.filter(({ state, isUndecided }) =>
      state === "ready" || state === "running" || isUndecided
    );
  const factsNow = ({ uid }: Issue) => {
    const known = byUid.get(uid);
    return known && factsOf(known);
  };
  const isOver = (issue: Issue) => {
    const isUntouched = factsNow(issue)?.facts.length === 0 && !finished.has(issue.number);
    if (isUntouched) return false; // a shortcut for most issues
    const steps = standingNow(issue)?.steps ?? [];
    const isDone = steps.some(({ state }) => state === "done");
    return isDone && steps.every(({ state }) => state === "done" || state === "skipped");
  };
  const isBegun = (issue: Issue) => factsNow(issue)?.isBegun === true;
  const stoppedSteps = (issue: Issue) => {
    allStopped ??= orElse([], () => stopped.list()); // the inbox reports an unreadable file
    const own = allStopped.filter(({ issueUid }) => issueUid === issue.uid);
    const known = byUid.get(issue.uid);
    if (own.length === 0 || known === undefined) return [];
    const { workflow } = chooseWorkflow(issue, source);
    const steps = waitingAmong(own, known, workflow).map(({ step }) => step);
    const isFree = ({ step }: { step: string }) => !steps.includes(step);
    return !steps.includes(CLARIFY_FIRST) && nextSteps(issue)?.some(isFree) ? [] : steps;
  };
  return { nextSteps, isBegun, stoppedSteps, isFinished, isOver };
}

/** Roles that execute what other roles have planned. */
const EXECUTING = ["engineer", "reviewer", "tester", "devops-engineer"];

/** Returns why an issue is past planning, whatever its agent says; undefined if it may still be in planning. */
export function executionOf(
  issueNumber: number,
  { issues, loop }: Pick<Work, "issues" | "loop">,
): string | undefined {
  const issue = issues.findReadable(issueNumber);
  if (issue !== undefined && !isOpen(issue)) return `issue #${issueNumber} is closed`;
  if (issue?.status === IN_REVIEW) return `issue #${issueNumber} is in review`;
  const worker = issue?.status === IN_PROGRESS ? issue.assignee : null;
  if (worker !== null && EXECUTING.includes(roleOf(worker))) {
    return `${worker} has claimed issue #${issueNumber}`;
  }
  const claims = issue === undefined ? [] : factsOf(issues.getKnown(issueNumber)).claimed;
  const beside = issue?.stepClaims?.map(({ agent, step }) => [agent, step] as const) ?? [];
  for (const [agent, step] of [...claims, ...beside]) {
    if (EXECUTING.includes(roleOf(agent))) return `${agent} has begun ${step} of #${issueNumber}`;
  }
  const iterations = loop.status(issueNumber);
  if (iterations?.status !== "active") return undefined;
  return `the iterative loop of #${issueNumber} is active (iteration ${iterations.iteration})`;
}
