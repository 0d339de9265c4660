// Whether a role's work on an issue can be handed over: each of its steps passes its checks, and the loop
// of a step that iterates is complete (PRD "Pre-handoff validation").

import { outputOf, type Workflow } from "../config/workflow.ts";
import { AgentxError } from "../base/errors.ts";
import type { LoopGate } from "../work/iterations/loop_gate.ts";
import type { DoneChange } from "./finish_step.ts";
import { type CheckPlace, checkStep, type StepCheck } from "./check_step.ts";

/** What is to be handed over. */
export interface HandOver extends CheckPlace {
  /** The role that hands over, without a worker. */
  role: string;
  /** Asked if a step iterates. */
  loop: Pick<LoopGate, "checkLoopGate">;
}

/** The check of one step. */
export interface CheckedStep extends StepCheck {
  /** Id of the step. */
  step: string;
  /** The artifact, relative to the repository; null where the step writes none. */
  artifact: string | null;
  /** Its template, relative to the repository; null where the step names none. */
  template: string | null;
}

/** Whether work may be handed over. */
export interface Validation {
  /** The issue. */
  issueNumber: number;
  /** The role that hands over. */
  role: string;
  /** Type of the workflow. */
  workflow: string;
  /** True if there are no problems. */
  isReady: boolean;
  /** The steps of the role. */
  steps: CheckedStep[];
  /** What is missing, one sentence each. */
  reasons: string[];
}

/**
 * Checks the work that a role hands over: its artifacts, their headings and checklists.
 *
 * @param workflow the workflow of the issue: `workspace.workflowOf(issue)`
 * @param handOver issue, role and where to look
 * @returns whether it is ready, and what is missing
 * @throws {AgentxError} `INVALID_INPUT` if the workflow has no step of that role; `CORRUPT_STATE`
 */
export async function validateHandOver(
  workflow: Workflow,
  handOver: HandOver,
): Promise<Validation> {
  const { issue, role, loop } = handOver;
  const steps = workflow.steps.filter(({ agent }) => agent === role);
  if (steps.length === 0) throw noStep(workflow, handOver);
  const checked: CheckedStep[] = [];
  for (const step of steps) {
    const { id, template } = step;
    const artifact = outputOf(step, issue.number);
    checked.push({ step: id, artifact, template, ...await checkStep(step, handOver) });
  }
  const reasons = checked.flatMap(({ reasons }) => reasons);
  const refusal = steps.some(({ iterate }) => iterate)
    ? loop.checkLoopGate(issue.number)
    : undefined;
  if (refusal !== undefined) reasons.push(...refusal.details.reasons);
  return {
    issueNumber: issue.number,
    role,
    workflow: workflow.type,
    isReady: reasons.length === 0,
    steps: checked,
    reasons,
  };
}

/** What to record about the steps that passed. */
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
