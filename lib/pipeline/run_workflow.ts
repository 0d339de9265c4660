// Runs the steps of an issue, in parallel if the workflow allows it, until the issue is done or needs a person. All
// state is in the issue and the kept runs: after a kill, the same call continues.

import { AgentxError, hasCode } from "../base/errors.ts";
import { checkStepName, type Workflow } from "../config/workflow.ts";
import { checkoutOf } from "../git/step_tree.ts";
import { isRestart } from "../work/issue/change.ts";
import { isOpen, type Issue } from "../work/issue/issue.ts";
import { familyOf } from "../work/issue/parents.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import { iterationLimit } from "../work/iterations/loop_state.ts";
import type { ReadyQueue } from "../work/queue/ready_queue.ts";
import { downstreamOf } from "../work/route/route.ts";
import { Budget } from "./budget.ts";
import { factsOf, roundOf } from "./facts.ts";
import { runStep, type StepOutcome } from "./run_step.ts";
import type { BudgetedParts, StepParts, StepTask } from "./step_task.ts";
import { type IssueStanding, stepsLeft, type StepStanding } from "./standing.ts";
import { changeLines } from "./step_change.ts";
import { type StoppedSteps, waitingAmong } from "./stopped_steps.ts";
import { NOT_RUN, openQuestions, untilAnswered } from "./waits.ts";

/** The parts that run a workflow. */
export interface WorkflowParts extends StepParts {
  issues: IssueStore;
  ready: Pick<ReadyQueue, "claim" | "list" | "noteEnd" | "noteRunEnd" | "release">;
  standing: (known: KnownIssue) => Promise<{ standing: IssueStanding }>;
  workflowOf: (issueNumber: number) => Workflow;
  /** The list of steps that wait for a person. */
  stopped: Pick<StoppedSteps, "add" | "list">;
  /** Returns why no agent can do the work of a role, and the next step; undefined if an agent can. */
  whyNoWork: (role: string) => Promise<{ reason: string; next: string } | undefined>;
  /** Returns how long an agent may take for a step, with its second run. */
  leaseMs: (role: string) => number;
}

/** Options of {@linkcode runWorkflow}. */
export interface RunWorkflowOptions {
  /** The last step to run. */
  until?: string;
  /**
   * Number of steps of the issue or of its parts that run in parallel.
   *
   * @default {2}
   */
  parallel?: number;
  /** Limit of tokens; none by default. */
  budget?: number;
  /** Whether the requirements engineer reads the issue before its first step. */
  clarifyFirst?: boolean;
  /** Called with each step after it is claimed, before it begins. */
  onStart?: (task: StepTask) => void | Promise<void>;
}

/**
 * Runs the workflow of an issue.
 *
 * @returns the outcome of each step, as soon as the step ends
 * @throws {AgentxError} `NOT_FOUND`, `INVALID_INPUT`; `NOT_READY`, `UNTRUSTED`, before the first step, if the agent of
 *   a later step cannot do it; `GATE_REFUSED` if the budget is used up; `AGENT_ERROR`; `INTERRUPTED`
 */
export async function* runWorkflow(
  issueNumber: number,
  { until, parallel = 2, budget, onStart, ...options }: RunWorkflowOptions,
  parts: WorkflowParts,
): AsyncGenerator<StepOutcome> {
  const budgeted = { ...parts, budget: new Budget(budget), onStart };
  const known = parts.issues.getKnown(issueNumber);
  if (options.clarifyFirst) {
    const { clarifyFirst } = await import("./clarify_first.ts");
    const clarified = await clarifyFirst(known, parts);
    if (clarified !== undefined) yield clarified;
    if (clarified?.outcome === "not done") return;
  } else {
    const asked = openQuestions(known, parts);
    if (asked !== undefined) {
      yield asked;
      return;
    }
  }
  await proveWay(issueNumber, until, parts);
  const over = new Set<string>();
  const running = new Map<string, Promise<Ended>>();
  const waiting = new Set<string>();
  let wake = () => {};
  const whileWaiting = (key: string): BudgetedParts["whileWaiting"] => async (wait) => {
    waiting.add(key);
    wake();
    try {
      return await wait();
    } finally {
      waiting.delete(key);
    }
  };
  let failed: { error: unknown } | undefined;
  const interrupted: StepTask[] = [];
  for (;;) {
    const tasks = failed === undefined ? await nextTasks(issueNumber, until, parts) : [];
    for (const task of tasks) {
      const key = keyOf(task.known.issue.number, task.step.id);
      if (over.has(key) || running.has(key) || running.size - waiting.size >= parallel) {
        continue;
      }
      const run = runClaimed(task, { ...budgeted, whileWaiting: whileWaiting(key) });
      running.set(
        key,
        run.then((outcome) => ({ key, outcome }), (error) => ({ key, error, task })),
      );
    }
    if (running.size === 0) break;
    const woken = new Promise<undefined>((resolve) => wake = () => resolve(undefined));
    const ended = await Promise.race([...running.values(), woken]);
    if (ended === undefined) continue;
    running.delete(ended.key);
    if ("error" in ended) {
      failed ??= ended;
      if (hasCode(ended.error, "INTERRUPTED")) interrupted.push(ended.task);
      continue;
    }
    const { outcome } = ended.outcome;
    if (["not done", "waits", "elsewhere"].includes(outcome)) over.add(ended.key);
    yield ended.outcome;
  }
  for (const { known, step } of interrupted) {
    await parts.ready.release(known.issue.number, step.agent);
  }
  if (failed !== undefined) throw failed.error;
}

/**
 * Finds problems that would stop a later step, before the first step costs money.
 *
 * @throws {AgentxError} `NOT_READY`, `UNTRUSTED`, `IO_ERROR`
 */
export async function proveWay(
  issueNumber: number,
  until: string | undefined,
  parts: WorkflowParts,
): Promise<void> {
  const roles = new Map<string, string>();
  const commands: (readonly string[])[] = [];
  for (const number of await openParts(issueNumber, parts)) {
    const workflow = parts.workflowOf(number);
    const { steps } = (await parts.standing(parts.issues.getKnown(number))).standing;
    const left = new Set(stepsLeft(steps).map(({ step }) => step));
    for (const { id, agent, evidence } of workflow.steps) {
      if (!left.has(id) || !isWanted(id, until, workflow)) continue;
      roles.set(agent, id);
      commands.push(...evidence);
    }
  }
  const found = await Promise.all(
    Array.from(
      roles,
      async ([agent, step]) => ({ agent, step, why: await parts.whyNoWork(agent) }),
    ),
  );
  const lacking = found.flatMap(({ why, ...of }) => why === undefined ? [] : [{ ...of, ...why }]);
  if (lacking.length > 0) {
    const reasons = lacking.map(({ step, agent, reason }) => `${step} (${agent}): ${reason}`);
    throw new AgentxError("NOT_READY", `Cannot run #${issueNumber}: ${reasons.join("; ")}`, {
      details: { issueNumber, reasons },
      next: `Nothing was run. Say how it is run: ${lacking[0].next}`,
    });
  }
  checkoutOf(parts.root);
  await (await parts.trust()).checkGit();
  for (const argv of commands) await (await parts.trust()).checkCommand(argv);
}

function isWanted(id: string, until: string | undefined, workflow: Workflow): boolean {
  return until === undefined || id === until || downstreamOf([id], workflow).has(until);
}

type Ended = { key: string } & ({ outcome: StepOutcome } | { error: unknown; task: StepTask });

function keyOf(issueNumber: number, step: string): string {
  return `${issueNumber} ${step}`;
}

/**
 * Finds the steps of an issue or of its parts that can be run now and that no other agent has claimed.
 *
 * @param until the last step that is wanted
 */
export async function nextTasks(
  issueNumber: number,
  until: string | undefined,
  parts: WorkflowParts,
): Promise<StepTask[]> {
  const { issues, workflowOf } = parts;
  const numbers = await openParts(issueNumber, parts);
  const steps = numbers.flatMap((number) => workflowOf(number).steps);
  if (until !== undefined && numbers.length > 0) checkStepName(until, steps, "--until");
  const tasks = await Promise.all(
    numbers.map((number) => tasksOf(issues.getKnown(number), until, parts)),
  );
  return tasks.flat();
}

/** Returns the numbers of the issues to work on: the issue itself, or its open parts that are not blocked. */
async function openParts(
  issueNumber: number,
  { issues, ready }: Pick<WorkflowParts, "issues" | "ready">,
): Promise<number[]> {
  const issue = issues.get(issueNumber);
  const { issues: all } = issues.scan();
  const { partsOf } = familyOf(all);
  const leaves = (of: Issue): Issue[] => {
    const below = partsOf.get(of.uid);
    return below === undefined ? [of] : below.filter(isOpen).flatMap(leaves);
  };
  const wanted = leaves(issue);
  if (wanted[0] === issue) return [issueNumber];
  const blocked = await blockedIssues({ ready });
  return wanted.map(({ number }) => number).filter((number) => !blocked.has(number));
}

/** Returns the blocked issues, by number, with the reasons. */
export async function blockedIssues(
  { ready }: Pick<WorkflowParts, "ready">,
): Promise<Map<number, string[]>> {
  const { waiting } = await ready.list();
  return new Map(waiting.flatMap(({ number, reasons }): Array<[number, string[]]> => {
    const blocks = reasons.filter(({ kind }) => BLOCKS.includes(kind)).map(({ text }) => text);
    return blocks.length === 0 ? [] : [[number, blocks]];
  }));
}

const BLOCKS: readonly string[] = ["dependency", "clarification", "parts"];

async function tasksOf(
  known: KnownIssue,
  until: string | undefined,
  { standing, workflowOf, stopped }: Pick<WorkflowParts, "standing" | "workflowOf" | "stopped">,
): Promise<StepTask[]> {
  const workflow = workflowOf(known.issue.number);
  const { steps } = (await standing(known)).standing;
  const { facts } = factsOf(known);
  const isToDecide = (of: StepStanding) => of.isUndecided && of.state === "skipped";
  // No step begins while it is undecided whether an earlier step is taken.
  const behind = downstreamOf(steps.filter(isToDecide).map(({ step }) => step), workflow);
  const waiting = waitingAmong(stopped.list(), known, workflow).map(({ step }) => step);
  return steps.flatMap((of): StepTask[] => {
    const { step: id, agent, state, by, isUndecided } = of;
    const isOurs = state === "ready" || state === "running" && by === agent || isToDecide(of);
    if (!isOurs || !isWanted(id, until, workflow) || behind.has(id)) return [];
    const step = workflow.steps.find((each) => each.id === id)!;
    const last = facts.findLast((fact) => fact.step === id);
    const because = last?.op === "returned" ? [last.because] : [];
    const isAgain = last !== undefined && isRestart(last);
    const round = roundOf(id, known, workflow);
    const isStopped = waiting.includes(id);
    return [{ known, workflow, step, because, round, isUndecided, isStopped, isAgain }];
  });
}

/** Claims a step and runs it. If its agent cannot do the step, it goes to the inbox. */
async function runClaimed(
  task: StepTask,
  { onStart, ...parts }: WorkflowParts & BudgetedParts & Pick<RunWorkflowOptions, "onStart">,
): Promise<StepOutcome> {
  const { step: { id: step, agent }, workflow, known } = task;
  const { number } = known.issue;
  const waits = untilAnswered(task, parts);
  if (waits !== undefined) return waits;
  // Check the consent first: the agent could do nothing about commands that may not run.
  for (const argv of task.step.evidence) await (await parts.trust()).checkCommand(argv);
  try {
    const leaseMs = parts.leaseMs(agent);
    await parts.ready.claim(agent, { issueNumber: number, leaseMs, step });
  } catch (error) {
    if (!hasCode(error, "NOT_READY")) throw error;
    const { reasons } = error.details;
    return { issueNumber: number, step, agent, outcome: "not done", reasons, ...NOT_RUN };
  }
  const stop = async (
    { reasons, change, said }: Pick<StepOutcome, "reasons" | "change" | "said">,
  ) => {
    const changed = change && changeLines(change).join("\n");
    await parts.stopped.add(known, workflow, { step, agent, reasons, changed, said });
    await parts.ready.release(number, agent);
  };
  try {
    await onStart?.(task);
    const ended = await runWithin(task, parts);
    if (ended.outcome === "not done") await stop(ended);
    else if (ended.outcome === "waits" || ended.outcome === "asked") {
      await parts.ready.release(number, agent);
    } else if (ended.outcome !== "elsewhere") await parts.ready.noteEnd(number, agent);
    return ended;
  } catch (error) {
    if (STOPS.some((code) => hasCode(error, code))) {
      const { summary, next } = error as AgentxError;
      await stop({ reasons: [summary, ...next === undefined ? [] : [next]] });
    }
    throw error;
  }
}

const STOPS = ["AGENT_ERROR", "GATE_REFUSED", "NOT_READY", "UNTRUSTED", "IO_ERROR"] as const;

/** Runs a step, unless it has been done or sent back too often. */
async function runWithin(task: StepTask, parts: BudgetedParts): Promise<StepOutcome> {
  const { step: { id: step, agent, maxIterations }, round, known: { issue } } = task;
  const most = iterationLimit({ steps: [{ iterate: true, maxIterations }] }, issue.labels);
  if (round <= 2 * most) return await runStep(task, parts);
  const reasons = [`it was done or sent back ${round} times, and ${most} iterations are allowed`];
  const issueNumber = task.known.issue.number;
  return { issueNumber, step, agent, outcome: "not done", reasons, ...NOT_RUN };
}
