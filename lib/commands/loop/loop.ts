/**
 * The commands of the iterative loop: they take the same input and show the same line.
 *
 * @module
 */

import { MAX_BODY } from "../../clarify/schema.ts";
import { defineCommand } from "../../cli/command.ts";
import { text } from "../../cli/inputs.ts";
import { flag, optional } from "../../cli/spec.ts";
import type { RenderView } from "../../text/view.ts";
import { NEEDS_ITERATION } from "../../work/issue/labels.ts";
import { iterationLimit, type LoopState } from "../../work/loop/loop_state.ts";
import { renderLoop } from "../../work/render/loop.ts";
import type { Workspace } from "../../workspace/open.ts";
import { chosenIssue, theIssue } from "../issue/input.ts";

const summary = optional(text(MAX_BODY), "What was done", { short: "m" });

const extended = flag("Twice as many iterations; so does the label needs:iteration");

const render = ({ loop }: { loop: LoopState }, view: RenderView) => renderLoop(loop, view);

/** Starts the iterative loop of an issue. */
export const start = defineCommand({
  kind: "loop",
  examples: ["agentx loop start 42", "agentx loop start --issue 42 --extended"],
  input: { ...chosenIssue, extended },
  positional: ["number"],
  async run(context, { extended, ...input }) {
    const issueNumber = theIssue(context.name, input);
    const workspace = await context.openWorkspace();
    const maxIterations = limitOf(issueNumber, workspace, extended);
    return { output: { loop: await workspace.loop.start(issueNumber, { maxIterations }) } };
  },
  render,
});

/** Shows the loop of an issue, or all loops. */
export const status = defineCommand({
  kind: "loop.list",
  examples: ["agentx loop status", "agentx loop status 42"],
  input: chosenIssue,
  positional: ["number"],
  async run(context, input) {
    const isForAll = input.issue === undefined && input.number === undefined;
    const issueNumber = isForAll ? undefined : theIssue(context.name, input);
    const { loop } = await context.openWorkspace();
    const loops = loop.list().filter((one) => isForAll || one.issueNumber === issueNumber);
    return { output: { loops } };
  },
  render({ loops }, view) {
    if (loops.length > 0) return loops.map((loop) => renderLoop(loop, view)).join("\n");
    const next = "Start one with: agentx loop start N";
    return ["  No loop was started.", view.style.dim(`  ${next}`)].join("\n");
  },
});

/** Goes on to the next iteration of a loop. */
export const iterate = defineCommand({
  kind: "loop",
  examples: ['agentx loop iterate 42 -m "Two tests still fail"'],
  input: { ...chosenIssue, summary, extended },
  positional: ["number"],
  async run(context, { summary, extended, ...input }) {
    const issueNumber = theIssue(context.name, input);
    const workspace = await context.openWorkspace();
    const maxIterations = limitOf(issueNumber, workspace, extended);
    const options = { summary, maxIterations };
    return { output: { loop: await workspace.loop.iterate(issueNumber, options) } };
  },
  render,
});

/** Ends a loop whose criteria are met. */
export const complete = endCommand("complete", "All tests pass, coverage 84%");

/** Gives a loop up. */
export const cancel = endCommand("cancel", "The design has to change");

function endCommand(how: "complete" | "cancel", why: string) {
  return defineCommand({
    kind: "loop",
    examples: [`agentx loop ${how} 42 -m "${why}"`],
    input: { ...chosenIssue, summary },
    positional: ["number"],
    async run(context, { summary, ...input }) {
      const issueNumber = theIssue(context.name, input);
      const { loop } = await context.openWorkspace();
      return { output: { loop: await loop[how](issueNumber, { summary }) } };
    },
    render,
  });
}

/** An issue that is kept elsewhere has no labels. */
function limitOf(
  issueNumber: number,
  { issues, workflowOf }: Workspace,
  isExtended: boolean,
): number {
  const labels = issues.findReadable(issueNumber)?.labels ?? [];
  const needsMore = isExtended || labels.includes(NEEDS_ITERATION);
  return iterationLimit(workflowOf(issueNumber), { isExtended: needsMore });
}
