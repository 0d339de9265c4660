// Runs the steps of an issue, side by side where the workflow allows, until it is done or needs a person. All
// state is in the issue and the kept runs: after a kill, the same call continues.

import { AgentxError, hasCode } from "../base/errors.ts";
import type { Workflow } from "../config/workflow.ts";
import { isRestart } from "../work/issue/change.ts";
import { isOpen, type Issue } from "../work/issue/issue.ts";
import { familyOf } from "../work/issue/parents.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import { iterationLimit } from "../work/iterations/loop_state.ts";
import type { ReadyQueue } from "../work/queue/claim.ts";
import { downstreamOf } from "../work/route/route.ts";
import { Budget } from "./budget.ts";
import { factsOf, roundOf } from "./facts.ts";
import { runStep, type StepOutcome } from "./run_step.ts";
import type { BudgetedParts, StepParts, StepTask } from "./step_task.ts";
import type { Standing, StepStanding } from "./standing.ts";
import { changeLines } from "./step_change.ts";
import { type StoppedSteps, waitingAmong } from "./stopped_steps.ts";

/** What runs a workflow. */
export interface WorkflowParts extends StepParts {
  issues: IssueStore;
  ready: Pick<ReadyQueue, "claim" | "list" | "noteEnd" | "release">;
  standing: (known: KnownIssue) => Promise<{ standing: Standing }>;
  workflowOf: (issueNumber: number) => Workflow;
  /** Where steps wait for a person. */
  stopped: Pick<StoppedSteps, "add" | "list">;
  /** How long an agent may take, with its second run. */
  leaseMs: (role: string) => number;
}

/** Options of {@linkcode runWorkflow}. */
export interface RunWorkflowOptions {
  /** The last step to run. */
  until?: string;
  /**
   * How many steps of the issue or of its parts run side by side.
   *
   * @default {2}
   */
  parallel?: number;
  /** Limit of tokens; none by default. */
  budget?: number;
  /** Whether the requirements engineer looks at it before its first step. */
  clarifyFirst?: boolean;
  /** Called with each step that begins. */
  onStart?: (task: StepTask) => void;
}

/**
 * @returns what became of each step, as they end
 * @throws {AgentxError} `NOT_FOUND`, `INVALID_INPUT`; `AGENT_ERROR`, `UNTRUSTED` where an agent cannot be run;
 *   `INTERRUPTED`
 */
export async function* runWorkflow(
  issueNumber: number,
  { until, parallel = 2, budget, onStart = () => {}, ...options }: RunWorkflowOptions,
  parts: WorkflowParts,
): AsyncGenerator<StepOutcome> {
  const budgeted = { ...parts, budget: new Budget(budget) };
  if (options.clarifyFirst) {
    const { clarifyFirst } = await import("./clarify_first.ts");
    const clarified = await clarifyFirst(parts.issues.getKnown(issueNumber), parts);
    if (clarified !== undefined) yield clarified;
    if (clarified?.outcome === "not done") return;
  }
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
  for (;;) {
    const tasks = failed === undefined ? await nextTasks(issueNumber, until, parts) : [];
    for (const task of tasks) {
      const key = keyOf(task.known.issue.number, task.step.id);
      if (over.has(key) || running.has(key) || running.size - waiting.size >= parallel) {
        continue;
      }
      onStart(task);
      const run = runClaimed(task, { ...budgeted, whileWaiting: whileWaiting(key) });
      running.set(key, run.then((outcome) => ({ key, outcome }), (error) => ({ key, error })));
    }
    if (running.size === 0) break;
    const woken = new Promise<undefined>((resolve) => wake = () => resolve(undefined));
    const ended = await Promise.race([...running.values(), woken]);
    if (ended === undefined) continue;
    running.delete(ended.key);
    if ("error" in ended) {
      failed ??= ended;
      continue;
    }
    const { outcome } = ended.outcome;
    if (["not done", "waits", "elsewhere"].includes(outcome)) over.add(ended.key);
    yield ended.outcome;
  }
  if (failed !== undefined) throw failed.error;
}

type Ended = { key: string } & ({ outcome: StepOutcome } | { error: unknown });

function keyOf(issueNumber: number, step: string): string {
  return `${issueNumber} ${step}`;
}

/**
 * @param until the last step that is wanted
 * @returns the steps that can be run now, of an issue or of its parts: nobody else has them
 */
export async function nextTasks(
  issueNumber: number,
  until: string | undefined,
  parts: WorkflowParts,
): Promise<StepTask[]> {
  const { issues, workflowOf } = parts;
  const numbers = await openParts(issueNumber, parts);
  const steps = numbers.flatMap((number) => workflowOf(number).steps.map(({ id }) => id));
  if (until !== undefined && numbers.length > 0 && !steps.includes(until)) {
    throw new AgentxError(
      "INVALID_INPUT",
      `Cannot run #${issueNumber} until "${until}": no such step`,
      {
        details: { field: "--until", value: until },
        next: `Use one of: ${[...new Set(steps)].join(", ")}`,
      },
    );
  }
  const tasks = await Promise.all(
    numbers.map((number) => tasksOf(issues.getKnown(number), until, parts)),
  );
  return tasks.flat();
}

/** An issue with parts is worked on through those that do not wait. */
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
  const { waiting } = await ready.list();
  const blocked = waiting.filter(({ reasons }) =>
    reasons.some(({ kind }) => BLOCKS.includes(kind))
  );
  return wanted.map(({ number }) => number)
    .filter((number) => blocked.every((other) => other.number !== number));
}

const BLOCKS: readonly string[] = ["dependency", "clarification", "parts"];

async function tasksOf(
  known: KnownIssue,
  until: string | undefined,
  { standing, workflowOf, stopped }: Pick<WorkflowParts, "standing" | "workflowOf" | "stopped">,
): Promise<StepTask[]> {
  const workflow = workflowOf(known.issue.number);
  const { steps } = (await standing(known)).standing;
  const wanted = (id: string) =>
    until === undefined || id === until || downstreamOf([id], workflow).has(until);
  const { facts } = factsOf(known);
  const isToDecide = (of: StepStanding) => of.isUndecided && of.state === "skipped";
  // Nothing behind a step begins before it is known whether that is taken.
  const behind = downstreamOf(steps.filter(isToDecide).map(({ step }) => step), workflow);
  const waiting = waitingAmong(stopped.list(), known, workflow).map(({ step }) => step);
  return steps.flatMap((of): StepTask[] => {
    const { step: id, agent, state, by, isUndecided } = of;
    const isOurs = state === "ready" || state === "running" && by === agent || isToDecide(of);
    if (!isOurs || !wanted(id) || behind.has(id)) return [];
    const step = workflow.steps.find((each) => each.id === id)!;
    const last = facts.findLast((fact) => fact.step === id);
    const because = last?.op === "returned" ? [last.because] : [];
    const isAgain = last !== undefined && isRestart(last);
    const round = roundOf(id, known, workflow);
    const isStopped = waiting.includes(id);
    return [{ known, workflow, step, because, round, isUndecided, isStopped, isAgain }];
  });
}

/** A step that its agent cannot do goes to the inbox. */
async function runClaimed(
  task: StepTask,
  parts: WorkflowParts & BudgetedParts,
): Promise<StepOutcome> {
  const { step: { id: step, agent }, workflow, known } = task;
  const { number } = known.issue;
  // Its agent could not mend that it may not be checked.
  for (const argv of task.step.evidence) await parts.trust().checkCommand(argv);
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

const STOPS = ["AGENT_ERROR", "NOT_READY", "UNTRUSTED", "IO_ERROR"] as const;

/** A step that has been done and sent back too often is not run again. */
async function runWithin(task: StepTask, parts: BudgetedParts): Promise<StepOutcome> {
  const { step: { id: step, agent, maxIterations }, round, known: { issue } } = task;
  const most = iterationLimit({ steps: [{ iterate: true, maxIterations }] }, issue.labels);
  if (round <= 2 * most) return await runStep(task, parts);
  const reasons = [`it was done or sent back ${round} times, and ${most} iterations are allowed`];
  const issueNumber = task.known.issue.number;
  return { issueNumber, step, agent, outcome: "not done", reasons, ...NOT_RUN };
}

const NOT_RUN = { attempts: 0, durationMs: 0 };
