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
import { factsOf } from "./facts.ts";
import { runStep, type StepOutcome, type StepParts, type StepTask } from "./run_step.ts";
import type { Standing } from "./standing.ts";

/** What runs a workflow. */
export interface WorkflowParts extends StepParts {
  issues: IssueStore;
  ready: Pick<ReadyQueue, "claim">;
  standing: (known: KnownIssue) => Promise<{ standing: Standing }>;
  workflowOf: (issueNumber: number) => Workflow;
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
  for (;;) {
    const tasks = (await nextTasks(issueNumber, until, parts)).filter(({ step }) =>
      !over.has(step.id)
    );
    if (tasks.length === 0) return;
    const ended = await Promise.allSettled(tasks.map((task) => runClaimed(task, tasks, parts)));
    for (const each of ended) {
      if (each.status === "rejected") continue;
      const { step, outcome } = each.value;
      if (outcome === "not done" || outcome === "elsewhere") over.add(step);
      yield each.value;
    }
    const failed = ended.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }
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
  const { steps, returns } = (await standing(known)).standing;
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
  return steps.flatMap(({ step: id, agent, state, by }): StepTask[] => {
    const isOurs = state === "ready" || state === "running" && by === agent;
    if (!isOurs || !wanted(id)) return [];
    const step = workflow.steps.find((each) => each.id === id)!;
    const own = facts.filter((fact) => fact.step === id);
    const last = own.at(-1);
    const because = last?.op === "returned" ? [last.because] : [];
    return [{ known, workflow, step, because, round: own.length + returns }];
  });
}

/** One agent has the issue; who works beside it on another step needs no claim of its own. */
async function runClaimed(
  task: StepTask,
  beside: readonly StepTask[],
  parts: WorkflowParts,
): Promise<StepOutcome> {
  const { step, workflow, round, known: { issue: { number } } } = task;
  const { agent } = step;
  const most = step.maxIterations ?? MAX_ITERATIONS;
  if (round > 2 * most) {
    const reasons = [`it was done or sent back ${round} times, and ${most} iterations are allowed`];
    return { step: step.id, agent, outcome: "not done", reasons, attempts: 0, durationMs: 0 };
  }
  try {
    const leaseMs = parts.leaseMs(agent);
    await parts.ready.claim(agent, { issueNumber: number, leaseMs, step: step.id });
  } catch (error) {
    if (!hasCode(error, "NOT_READY")) throw error;
    const owner = parts.issues.get(number).assignee;
    if (!beside.some((other) => other.step.agent === owner && other !== task)) {
      const { reasons } = error.details;
      return { step: step.id, agent, outcome: "not done", reasons, attempts: 0, durationMs: 0 };
    }
  }
  return await runStep({ ...task, workflow }, parts);
}
