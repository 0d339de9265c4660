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
  /** How the agent of a role works, or answers where no place is given; throws `AGENT_ERROR` where nobody can run it. */
  workerOf: (role: string, place?: { cwd: string; work?: WorkLimits }) => Promise<AgentInvoker>;
  /** The hosts that may do the work of a role, by the names of their programs; none where that is a function. */
  hostsOf: (role: string) => readonly string[];
  /** The gate to the human. */
  gate: () => Promise<HumanGate>;
  /** Unconfirmed assumptions of agents about an issue, one sentence each. */
  assumed: (issueNumber: number) => Promise<string[]>;
  /** The memory of earlier sessions. */
  recall: (role: string, issueNumber: number) => Promise<string>;
  handOn: (issueNumber: number, said: readonly DoneChange[], by: string) => Promise<HandedOn>;
  ready: Pick<ReadyQueue, "noteRunEnd">;
  /** Writes down that a step was sent back, or is left out. */
  noteStep: (issueNumber: number, fact: StepChange, by: string) => Promise<void>;
  /** The person or agent that runs it: the author of repairs by hand. */
  by: string;
  events: AgentEventBus;
  notify: (message: string) => void;
}

/** The parts that run a step beside others. */
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
  /** How often it was done or sent back before: each time it is run anew. */
  round: number;
  /** Why it was sent back last. */
  because: readonly string[];
  /** Whether its agent could not do it, and a person was to mend it. */
  isStopped: boolean;
  /** Whether a person has its agent begin again. */
  isAgain: boolean;
  /** Whether its agent may find that its condition does not hold. */
  isUndecided: boolean;
}

/** A step behind one that iterates looks at its work. */
export function isReview({ step, workflow }: Pick<StepTask, "step" | "workflow">): boolean {
  return returnsTo({ step, workflow }) !== undefined;
}

/** The step that a review sends the work back to; undefined where it is no review. */
export function returnsTo(
  { step, workflow }: Pick<StepTask, "step" | "workflow">,
): string | undefined {
  return workflow.steps.findLast(({ id, output }) =>
    output === null && downstreamOf([id], workflow).has(step.id)
  )?.id;
}
