/**
 * `agentx workflow run`: the agents of an issue, step by step.
 *
 * @module
 */

import { type Context, defineCommand, type Result } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { note } from "../../cli/note.ts";
import { flag, optional, word } from "../../cli/spec.ts";
import { stepsOf } from "../../cli/steps.ts";
import { EXIT_CODES } from "../../base/errors.ts";
import { stepTree } from "../../git/step_tree.ts";
import { nextTasks, runWorkflow } from "../../pipeline/run_workflow.ts";
import type { StepOutcome } from "../../pipeline/run_step.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { workflowParts } from "../../workspace/workflow_parts.ts";

/** What became of a step, or that it would be run. */
type StepLine = Omit<StepOutcome, "outcome"> & {
  issueNumber: number;
  outcome: StepOutcome["outcome"] | "would run";
};

export const command = defineCommand({
  kind: "workflow.step",
  examples: [
    "agentx workflow run 42",
    "agentx workflow run 42 --until architecture",
    "agentx workflow run 42 --dry-run",
  ],
  jsonLines: true,
  input: {
    issue: issueNumber,
    until: optional(word, "The last step to run", { placeholder: "STEP" }),
    dryRun: flag("Say what would be run next, and run nothing"),
  },
  positional: ["issue"],
  async *run(context: Context, { issue, until, dryRun }): AsyncGenerator<Result<StepLine>> {
    const workspace = await context.openWorkspace();
    const parts = workflowParts(workspace, context.signal);
    if (dryRun) {
      for (const { step: { id: step, agent } } of await nextTasks(issue, until, parts)) {
        const ended = { reasons: [], attempts: 0, durationMs: 0 };
        yield { output: { issueNumber: issue, step, agent, outcome: "would run", ...ended } };
      }
      return;
    }
    yield* stepsOf<Result<StepLine>>(async (show) => {
      for await (const outcome of runWorkflow(issue, { until }, parts)) {
        const isDone = outcome.outcome === "done" || outcome.outcome === "sent back";
        const exitCode = isDone ? 0 : EXIT_CODES.NOT_READY;
        show({ output: { issueNumber: issue, ...outcome }, exitCode });
      }
    });
    const { standing } = await workspace.standing(workspace.issues.getKnown(issue));
    const open = standing.steps.filter(({ state }) => state === "running" || state === "ready");
    if (open.length === 0) return;
    const { path, branch } = stepTree(workspace.root, issue, open[0].step);
    note(context.io, `${open[0].step} is open; its work is on ${branch}, in ${path}`);
  },
  render: renderStep,
});

/** @returns one line, and what is missing below it */
function renderStep(
  { step, agent, outcome, reasons, attempts, durationMs }: StepLine,
  { style, width }: RenderView,
): string {
  const took = attempts === 0 ? "" : `, ${(durationMs / 1000).toFixed(1)} s`;
  const tries = attempts > 1 ? `, ${attempts} runs` : "";
  const line = terminalLine(`  ${step} (${agent}): ${outcome}${tries}${took}`, width);
  const color = outcome === "done"
    ? style.green
    : outcome === "not done"
    ? style.red
    : style.yellow;
  return [
    color(line),
    ...reasons.flatMap((reason) => terminalBlock(reason, { indent: "    ", width })),
  ].join("\n");
}
