// Shared by the commands of the iterative loop: the same input, and the same line of output.

import { MAX_BODY } from "../../clarify/schema.ts";
import { defineCommand } from "../../cli/command.ts";
import { issueNumber, text } from "../../cli/inputs.ts";
import { flag, optional } from "../../cli/spec.ts";
import { AgentxError } from "../../base/errors.ts";
import type { WorkflowStep } from "../../config/workflow.ts";
import type { DoneChange } from "../../pipeline/finish_step.ts";
import { factsOf } from "../../pipeline/facts.ts";
import type { RenderView } from "../../text/view.ts";
import { NEEDS_ITERATION } from "../../work/issue/labels.ts";
import { iterationLimit, type LoopState } from "../../work/iterations/loop_state.ts";
import type { Workspace } from "../../workspace/open.ts";
import { terminalLine } from "../../text/text.ts";

export const summary = optional(text(MAX_BODY), "What was done, or the reason to end", {
  short: "m",
});

export const extended = flag("Allow twice as many iterations; so does the label needs:iteration");

export const render = ({ loop }: { loop: LoopState }, view: RenderView) => renderLoop(loop, view);

export function endCommand(how: "complete" | "cancel", why: string) {
  return defineCommand({
    kind: "loop",
    examples: [`agentx loop ${how} 42 -m "${why}"`],
    input: { issue: issueNumber, summary },
    positional: ["issue"],
    async run(context, { issue, summary }) {
      const workspace = await context.openWorkspace();
      const { loop, finish } = workspace;
      if (how === "cancel") return { output: { loop: await loop.cancel(issue, { summary }) } };
      loop.checkActive(issue, how); // before the tests run, since they take time
      const step = workspace.workflowOf(issue).steps.find(({ iterate }) => iterate);
      const shown = step && await shownDone(step, issue, { ...workspace, signal: context.signal });
      const output = { loop: await loop.complete(issue, { summary }) };
      if (step !== undefined) await finish(issue, step.agent, shown);
      return { output };
    },
    render,
  });
}

/** Checks that a step is done, with the commands that the step names. Throws `NOT_READY` if it is not. */
async function shownDone(
  step: WorkflowStep,
  number: number,
  place: Workspace & { signal: AbortSignal },
): Promise<DoneChange[]> {
  const { issues, tree } = place;
  const kept = issues.findReadable(number);
  const isBegun = kept !== undefined && factsOf(issues.getKnown(number)).isBegun;
  if (step.evidence.length === 0 && !isBegun) return [];
  const { checkStep } = await import("../../pipeline/check_step.ts");
  const { emptyCheckout } = await import("../../pipeline/handover_checks.ts");
  const issue = { number, body: kept?.body ?? "" };
  const { reasons, hash, evidence } = await checkStep(step, { ...place, issue });
  const empty = isBegun ? await emptyCheckout(step, kept, tree) : undefined;
  if (empty !== undefined) reasons.push(empty);
  if (reasons.length === 0) return [{ op: "validated", step: step.id, hash, evidence }];
  throw new AgentxError(
    "NOT_READY",
    `Cannot complete the loop of #${number}: ${reasons.join("; ")}`,
    {
      details: { issueNumber: number, reasons },
      next: `Mend it, and note that with: agentx loop iterate ${number} -m TEXT`,
    },
  );
}

/** Returns the iteration limit of an issue. An issue that is kept elsewhere has no labels. */
export function limitOf(
  issueNumber: number,
  { issues, workflowOf }: Workspace,
  isExtended: boolean,
): number {
  const labels = isExtended ? [NEEDS_ITERATION] : issues.findReadable(issueNumber)?.labels;
  return iterationLimit(workflowOf(issueNumber), labels);
}

const STATUS_STYLE = { active: "yellow", complete: "green", cancelled: "red" } as const;

/** Renders a loop on one line, with its last summary below. */
export function renderLoop(loop: LoopState, { style, width }: RenderView): string {
  const { issueNumber, status, iteration, maxIterations, history } = loop;
  const said = history.at(-1);
  const number = style.bold(`#${issueNumber}`);
  const mark = style[STATUS_STYLE[status]](status);
  const head = `  ${number} ${mark}, iteration ${iteration} of ${maxIterations}`;
  if (said === undefined) return head;
  const line = `    ${said.iteration}: ${said.summary}`;
  return [head, style.dim(terminalLine(line, width))].join("\n");
}
