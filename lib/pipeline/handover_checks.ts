// Checks whether a role's work on an issue can be handed over: each of its steps passes its checks, and the loop of a
// step that iterates is complete (PRD "Pre-handoff validation").

import { stepOutput, type Workflow, type WorkflowStep } from "../config/workflow.ts";
import { AgentxError } from "../base/errors.ts";
import type { Issue } from "../work/issue/issue.ts";
import type { LoopGate } from "../work/iterations/loop_gate.ts";
import type { DoneChange } from "./finish_step.ts";
import { emptyWork } from "./empty_work.ts";
import { changedSince } from "../guard/changes.ts";
import { roleOf } from "../base/agent_names.ts";
import { type CheckPlace, checkStep, type StepCheck } from "./check_step.ts";

/** The work to hand over. */
export interface HandOver extends CheckPlace {
  /** The issue as kept here; absent if it is not kept here. */
  kept?: Issue;
  /** The role that hands over, without a worker. */
  role: string;
  /** The loop to check if a step iterates. */
  loop: Pick<LoopGate, "checkLoopGate">;
}

/** The check of one step. */
export interface CheckedStep extends StepCheck {
  /** Id of the step. */
  step: string;
  /** The artifact, relative to the repository; null if the step writes none. */
  artifact: string | null;
  /** The template of the artifact, as the step names it; null if the step names none. */
  template: string | null;
}

/** Whether work may be handed over. */
export interface Validation {
  /** The number of the issue. */
  issueNumber: number;
  /** The role that hands over. */
  role: string;
  /** Type of the workflow. */
  workflow: string;
  /** Whether the work can be handed over: there are no `reasons` against it. */
  isReady: boolean;
  /** The steps of the role. */
  steps: CheckedStep[];
  /** The missing parts, one sentence each. */
  reasons: string[];
}

/**
 * Checks the work that a role hands over: its artifacts, their headings and checklists.
 *
 * @param workflow the workflow of the issue: `workspace.workflowOf(issue)`
 * @param handOver the issue, the role and the place of the work
 * @returns whether the work is ready, and the missing parts
 * @throws {AgentxError} `INVALID_INPUT` if the workflow has no step of the role; `CORRUPT_STATE`
 */
export async function validateHandOver(
  workflow: Workflow,
  handOver: HandOver,
): Promise<Validation> {
  const { issue, kept, role, loop } = handOver;
  const steps = workflow.steps.filter(({ agent }) => agent === role);
  if (steps.length === 0) throw noStep(workflow, handOver);
  const checked: CheckedStep[] = [];
  for (const step of steps) {
    const { id, template } = step;
    const artifact = stepOutput(step, issue.number);
    const check = await checkStep(step, handOver);
    const empty = kept && await emptyCheckout(step, kept, handOver.tree);
    const reasons = [...check.reasons, ...empty === undefined ? [] : [empty]];
    checked.push({ step: id, artifact, template, ...check, reasons });
  }
  const reasons = checked.flatMap(({ reasons }) => reasons);
  const refusal = steps.some(({ iterate }) => iterate)
    ? loop.checkLoopGate(issue.number)
    : undefined;
  if (refusal !== undefined) reasons.push(`${refusal.details.reasons[0]}. ${refusal.next}`);
  return {
    issueNumber: issue.number,
    role,
    workflow: workflow.type,
    isReady: reasons.length === 0,
    steps: checked,
    reasons,
  };
}

/** Returns why a step counts as empty work in the checkout of its role; undefined if the role has done something. */
export async function emptyCheckout(
  step: WorkflowStep,
  issue: Issue,
  tree: string,
): Promise<string | undefined> {
  if (step.output !== null) return undefined;
  const since = claimedSince(issue, step.agent) ?? issue.created;
  return emptyWork(step, await changedSince(tree, since), tree);
}

/** Returns when a role claimed an issue or a step of it; null if it has not. */
export function claimedSince(
  { assignee, claimed, stepClaims }: Issue,
  role: string,
): string | null {
  const isOwn = (agent: string) => roleOf(agent) === role;
  if (isOwn(assignee ?? "")) return claimed;
  return stepClaims?.find(({ agent }) => isOwn(agent))?.claimed ?? null;
}

/** Returns the changes to record for the steps that passed; none if something else than a step failed. */
export function doneSteps({ steps, reasons }: Validation): DoneChange[] {
  const isRefused = reasons.length > steps.flatMap(({ reasons }) => reasons).length;
  return (isRefused ? [] : steps).filter(({ reasons }) => reasons.length === 0)
    .map(({ step, hash, evidence }) => ({ op: "validated", step, hash, evidence }));
}

function noStep(
  { type, steps }: Workflow,
  { issue, role }: HandOver,
): AgentxError<"INVALID_INPUT"> {
  const why = `workflow "${type}" has no step for that role`;
  return new AgentxError(
    "INVALID_INPUT",
    `Cannot validate #${issue.number} for "${role}": ${why}`,
    {
      details: { field: "ROLE", value: role },
      next: `Use one of: ${[...new Set(steps.map(({ agent }) => agent))].join(", ")}`,
    },
  );
}
