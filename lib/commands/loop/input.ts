/**
 * What the commands of the loop have in common: their input, the limit of an issue, and how a loop
 * looks.
 *
 * @module
 */

import * as z from "zod/mini";
import { MAX_BODY } from "../../clarify/schema.ts";
import { argument } from "../../cli/arguments.ts";
import { issueNumber, text } from "../../cli/inputs.ts";
import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { NEEDS_ITERATION } from "../../work/issue/labels.ts";
import { iterationLimit, type LoopState } from "../../work/loop/loop_state.ts";
import type { Workspace } from "../../workspace/open.ts";

/** `--issue N`, or else the number alone. */
export const loopIssue = {
  issue: z.optional(argument(issueNumber, "Number of the issue")),
  number: z.optional(argument(issueNumber, "Number of the issue, without the flag")),
};

/** `--summary`. */
export const summary = z.optional(
  argument(text(MAX_BODY), "What was done", { short: "m" }),
);

/** `--extended`. */
export const extended = argument(
  z.boolean(),
  "Twice as many iterations; so does the label needs:iteration",
);

/**
 * @param workspace for the issue and its workflow
 * @param issueNumber from 1; an issue that is kept elsewhere has no labels
 * @param isExtended whether it was asked for
 * @returns the limit of the iterations
 */
export function limitOf(
  { issues, workflowOf }: Workspace,
  { issueNumber, isExtended }: { issueNumber: number; isExtended: boolean },
): number {
  const labels = issues.findReadable(issueNumber)?.labels ?? [];
  const needsMore = isExtended || labels.includes(NEEDS_ITERATION);
  return iterationLimit(workflowOf(issueNumber), { isExtended: needsMore });
}

const STATUS_STYLE = { active: "yellow", complete: "green", cancelled: "red" } as const;

/** @returns one line, and what was said last */
export function renderLoop(loop: LoopState, { style, width }: RenderView): string {
  const { issueNumber, status, iteration, maxIterations, history } = loop;
  const said = history.at(-1);
  const mark = style[STATUS_STYLE[status]](status);
  const head = `  ${
    style.bold(`#${issueNumber}`)
  } ${mark}, iteration ${iteration} of ${maxIterations}`;
  if (said === undefined) return head;
  const line = `    ${said.iteration}: ${said.summary}`;
  return [head, style.dim(terminalLine(line, width))].join("\n");
}
