// Lets the requirements engineer read an issue before its first step. It asks a person all open questions at once. The
// answers, and the points that the repository settles, go to every later agent.

import type { Workflow } from "../config/workflow.ts";
import { readRequest, REQUIREMENTS_ENGINEER } from "./gate_run.ts";
import { sys } from "../sys/mod.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";
import { factsOf } from "./facts.ts";
import type { StepOutcome } from "./run_step.ts";
import type { StepParts } from "./step_task.ts";
import { CLARIFY_FIRST, type StoppedSteps } from "./stopped_steps.ts";

/**
 * Runs the clarification before the first step of an issue.
 *
 * @returns the outcome; undefined if the clarification was done before, or a step was claimed already
 * @throws {AgentxError} `AGENT_ERROR`, `UNTRUSTED`; `INTERRUPTED`
 */
export async function clarifyFirst(
  known: KnownIssue,
  parts: StepParts & {
    stopped: Pick<StoppedSteps, "add">;
    workflowOf: (issueNumber: number) => Workflow;
  },
): Promise<StepOutcome | undefined> {
  const { decisions, isBegun } = factsOf(known);
  if (isBegun || decisions.has(CLARIFY_FIRST)) return undefined;
  const { issue } = known;
  const { number: issueNumber, title, body } = issue;
  const [step, agent, startMs] = [CLARIFY_FIRST, REQUIREMENTS_ENGINEER, sys.now()];
  const { notify, signal, stopped, workflowOf, noteStep } = parts;
  const invoke = await parts.workerOf(agent);
  const { ambiguities, reply, attempts } = await readRequest(
    issueNumber,
    `${title}\n\n${body}`,
    { invoke, notify, signal },
  );
  const all = ambiguities ??
    [{ question: `Its reply is no list of questions: ${reply}`, settled: null }];
  const open = all.filter(({ settled }) => settled === null).map(({ question }) => question);
  const ended = { issueNumber, step, agent, attempts, durationMs: sys.now() - startMs };
  if (open.length > 0) {
    await stopped.add(known, workflowOf(issueNumber), { step, agent, reasons: open });
    return { ...ended, outcome: "not done", reasons: open };
  }
  const settled = all.map(({ question, settled }) => `${question} ${settled}`);
  const because = settled.length === 0 ? "nothing is ambiguous" : settled.join("\n");
  await noteStep(issueNumber, { op: "decided", step, isTaken: true, because }, agent);
  return { ...ended, outcome: "done", reasons: [] };
}
