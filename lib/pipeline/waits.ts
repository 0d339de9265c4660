// Finds work that waits for a person, before any agent begins.

import type { Workflow } from "../config/workflow.ts";
import { stepName } from "../git/step_names.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";
import { hasFailed, type StepOutcome } from "./run_step.ts";
import type { StepParts, StepTask } from "./step_task.ts";
import { CLARIFY_FIRST, type StoppedSteps, waitingAmong } from "./stopped_steps.ts";

/** The numbers for the outcome of a step that no agent began. */
export const NOT_RUN = { attempts: 0, durationMs: 0 } as const;

/** Returns the questions from before the first step that still wait for answers; undefined if there are none. */
export function openQuestions(
  known: KnownIssue,
  { stopped, workflowOf }: {
    stopped: Pick<StoppedSteps, "list">;
    workflowOf: (issueNumber: number) => Workflow;
  },
): StepOutcome | undefined {
  const issueNumber = known.issue.number;
  const asked = waitingAmong(stopped.list(), known, workflowOf(issueNumber))
    .find(({ step }) => step === CLARIFY_FIRST);
  if (asked === undefined) return undefined;
  const { id, step, agent } = asked;
  const reasons = [...asked.reasons, `Answer with: agentx answer ${id} TEXT`];
  return { issueNumber, step, agent, outcome: "waits", reasons, ...NOT_RUN };
}

/**
 * Returns the outcome of a step that its agent could not do and that waits for an answer: a new run would only fail
 * again. Undefined for other steps.
 */
export function untilAnswered(
  task: StepTask,
  parts: Pick<StepParts, "root">,
): StepOutcome | undefined {
  const { step: { id: step, agent }, known: { issue: { number: issueNumber } } } = task;
  if (!task.isStopped || !hasFailed(task, parts)) return undefined;
  const answer = `agentx answer STP-${stepName(issueNumber, step)} a|TEXT`;
  const reasons = ["waits for your answer in the inbox; nothing was run", answer];
  return { issueNumber, step, agent, outcome: "waits", reasons, ...NOT_RUN };
}
