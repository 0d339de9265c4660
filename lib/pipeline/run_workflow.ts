/**
 * Runs the steps of an issue, one after the other and side by side where the workflow lets them, until it needs
 * somebody or is done. All that it knows is in the issue and in the kept runs: after a kill the same call
 * continues.
 *
 * @module
 */

import { AgentxError, hasCode } from "../base/errors.ts";
import type { Workflow } from "../config/workflow.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import { MAX_ITERATIONS } from "../work/iterations/loop_state.ts";
import type { ReadyQueue } from "../work/queue/claim.ts";
import { downstreamOf } from "../work/route/route.ts";
import { factsOf, roundOf } from "./facts.ts";
import { runStep, type StepOutcome, type StepParts, type StepTask } from "./run_step.ts";
import type { Standing } from "./standing.ts";
import type { StoppedSteps } from "./stopped_steps.ts";

/** What runs a workflow. */
export interface WorkflowParts extends StepParts {
  issues: IssueStore;
  ready: Pick<ReadyQueue, "claim">;
  standing: (known: KnownIssue) => Promise<{ standing: Standing }>;
  workflowOf: (issueNumber: number) => Workflow;
  /** Where steps wait for a person. */
  stopped: Pick<StoppedSteps, "add">;
  /** How long an agent may take, with its second run. */
  leaseMs: (role: string) => number;
}

/** Options of {@linkcode runWorkflow}. */
export interface RunWorkflowOptions {
  /** The last step to run. */
  until?: string;
}

/**
 * @returns what became of each step, as they end
 * @throws {AgentxError} `NOT_FOUND`, `INVALID_INPUT`; `AGENT_ERROR`, `UNTRUSTED` where an agent cannot be run;
 *   `INTERRUPTED`
 */
export async function* runWorkflow(
  issueNumber: number,
  { until }: RunWorkflowOptions,
  parts: WorkflowParts,
): AsyncGenerator<StepOutcome> {
  const over = new Set<string>();
  const running = new Map<
    string,
    Promise<{ outcome: StepOutcome } | { step: string; error: unknown }>
  >();
  let failed: { error: unknown } | undefined;
  for (;;) {
    const tasks = failed === undefined ? await nextTasks(issueNumber, until, parts) : [];
    for (const task of tasks) {
      const { id } = task.step;
      if (over.has(id) || running.has(id)) continue;
      const beside = tasks.flatMap(({ step }) => step.id === id ? [] : [step.agent]);
      const run = runClaimed(task, beside, parts);
      running.set(id, run.then((outcome) => ({ outcome }), (error) => ({ step: id, error })));
    }
    if (running.size === 0) break;
    const ended = await Promise.race(running.values());
    if ("error" in ended) {
      running.delete(ended.step);
      failed ??= ended;
      continue;
    }
    const { step, outcome } = ended.outcome;
    running.delete(step);
    if (outcome === "not done" || outcome === "elsewhere") over.add(step);
    yield ended.outcome;
  }
  if (failed !== undefined) throw failed.error;
}

/**
 * @param until the last step that is wanted
 * @returns the steps that can be run now: nobody else has them
 */
export async function nextTasks(
  issueNumber: number,
  until: string | undefined,
  { issues, standing, workflowOf }: Pick<WorkflowParts, "issues" | "standing" | "workflowOf">,
): Promise<StepTask[]> {
  const known = issues.getKnown(issues.get(issueNumber).number);
  const workflow = workflowOf(issueNumber);
  const { steps } = (await standing(known)).standing;
  if (until !== undefined && !steps.some(({ step }) => step === until)) {
    throw new AgentxError(
      "INVALID_INPUT",
      `Cannot run #${issueNumber} until "${until}": no such step`,
      {
        details: { field: "--until", value: until },
        next: `Use one of: ${steps.map(({ step }) => step).join(", ")}`,
      },
    );
  }
  const wanted = (id: string) =>
    until === undefined || id === until || downstreamOf([id], workflow).has(until);
  const { facts } = factsOf(known);
  const round = (id: string) => roundOf(id, known, workflow);
  return steps.flatMap(({ step: id, agent, state, by }): StepTask[] => {
    const isOurs = state === "ready" || state === "running" && by === agent;
    if (!isOurs || !wanted(id)) return [];
    const step = workflow.steps.find((each) => each.id === id)!;
    const last = facts.findLast((fact) => fact.step === id);
    const because = last?.op === "returned" ? [last.because] : [];
    return [{ known, workflow, step, because, round: round(id) }];
  });
}

/**
 * What its agent cannot do is put before a person.
 *
 * @param beside the roles at work: one of them has the issue, and who works beside it needs no claim of its own
 */
async function runClaimed(
  task: StepTask,
  beside: readonly string[],
  parts: WorkflowParts,
): Promise<StepOutcome> {
  const { step: { id: step, agent }, workflow, known } = task;
  const { number } = known.issue;
  try {
    const leaseMs = parts.leaseMs(agent);
    await parts.ready.claim(agent, { issueNumber: number, leaseMs, step });
  } catch (error) {
    if (!hasCode(error, "NOT_READY")) throw error;
    if (!beside.includes(parts.issues.get(number).assignee ?? "")) {
      const { reasons } = error.details;
      return { step, agent, outcome: "not done", reasons, attempts: 0, durationMs: 0 };
    }
  }
  const stop = (reasons: string[]) => parts.stopped.add(known, workflow, { step, agent, reasons });
  try {
    const ended = await runWithin(task, parts);
    if (ended.outcome === "not done") await stop(ended.reasons);
    return ended;
  } catch (error) {
    if (STOPS.some((code) => hasCode(error, code))) {
      const { summary, next } = error as AgentxError;
      await stop([summary, ...next === undefined ? [] : [next]]);
    }
    throw error;
  }
}

const STOPS = ["AGENT_ERROR", "NOT_READY", "UNTRUSTED", "IO_ERROR"] as const;

/** A step that has been done and sent back too often is not run again. */
async function runWithin(task: StepTask, parts: WorkflowParts): Promise<StepOutcome> {
  const { step: { id: step, agent, maxIterations }, round } = task;
  const most = maxIterations ?? MAX_ITERATIONS;
  if (round <= 2 * most) return await runStep(task, parts);
  const reasons = [`it was done or sent back ${round} times, and ${most} iterations are allowed`];
  return { step, agent, outcome: "not done", reasons, attempts: 0, durationMs: 0 };
}
