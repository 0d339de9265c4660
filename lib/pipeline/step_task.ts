/**
 * The task of a step, and the means to do it.
 *
 * @module
 */

import type { AgentInvoker } from "../agents/agent_call.ts";
import type { WorkLimits } from "../agents/working_form.ts";
import type { Runs } from "../clarify/runs/runs.ts";
import type { Workflow, WorkflowStep } from "../config/workflow.ts";
import type { AgentEventBus } from "../events/bus.ts";
import type { StepChange } from "../work/issue/change.ts";
import type { HumanGate } from "../gate/gate.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import type { LoopGate } from "../work/iterations/loop_gate.ts";
import type { ReadyQueue } from "../work/queue/ready_queue.ts";
import { downstreamOf } from "../work/route/route.ts";
import type { Budget } from "./budget.ts";
import type { EvidencePlace } from "./evidence.ts";
import type { DoneChange, HandedOn } from "./finish_step.ts";

/** The parts that run a step. */
export interface StepParts extends Omit<EvidencePlace, "timeoutMs"> {
  runs: Runs;
  issues: Pick<IssueStore, "getKnown">;
  /** The loops of steps that iterate. */
  loop: Pick<LoopGate, "iterate" | "status">;
  /**
   * Returns how to run the agent of a role: in a place to work, or only for an answer if no place is given. Throws
   * `AGENT_ERROR` if the agent cannot be run.
   */
  workerOf: (role: string, place?: { cwd: string; work?: WorkLimits }) => Promise<AgentInvoker>;
  /** Returns the names of the host programs that may do the work of a role; none if a function does it. */
  hostsOf: (role: string) => readonly string[];
  /** The gate to the human. */
  gate: () => Promise<HumanGate>;
  /** Returns the unconfirmed assumptions of agents about an issue, one sentence each. */
  assumed: (issueNumber: number) => Promise<string[]>;
  /** Returns the memory of earlier sessions. */
  recall: (role: string, issueNumber: number) => Promise<string>;
  handOn: (issueNumber: number, said: readonly DoneChange[], by: string) => Promise<HandedOn>;
  ready: Pick<ReadyQueue, "noteRunEnd">;
  /** Records that a step was sent back, or is left out. */
  noteStep: (issueNumber: number, fact: StepChange, by: string) => Promise<void>;
  /** The person or agent that runs the step, which is the author of repairs by hand. */
  by: string;
  events: AgentEventBus;
  notify: (message: string) => void;
}

/** The parts that run a step in parallel with other steps. */
export interface BudgetedParts extends StepParts {
  budget: Budget;
  /** Lets another step begin while this one waits for a person. */
  whileWaiting: <T>(wait: () => Promise<T>) => Promise<T>;
}

/** A step of an issue. */
export interface StepTask {
  known: KnownIssue;
  workflow: Workflow;
  step: WorkflowStep;
  /** The number of times that the step was done or sent back before. It runs anew each time. */
  round: number;
  /** Why the step was last sent back. */
  because: readonly string[];
  /** Whether the agent could not do the step, and a person was asked to mend it. */
  isStopped: boolean;
  /** Whether a person wants the agent to begin again. */
  isAgain: boolean;
  /** Whether the agent may find that the condition of the step does not hold. */
  isUndecided: boolean;
}

/** Whether a step is a review: it comes after a step without a document, and looks at the work of that step. */
export function isReview({ step, workflow }: Pick<StepTask, "step" | "workflow">): boolean {
  return returnsTo({ step, workflow }) !== undefined;
}

/** Returns the step that a review sends the work back to; undefined if the step is not a review. */
export function returnsTo(
  { step, workflow }: Pick<StepTask, "step" | "workflow">,
): string | undefined {
  return workflow.steps.findLast(({ id, output }) =>
    output === null && downstreamOf([id], workflow).has(step.id)
  )?.id;
}
