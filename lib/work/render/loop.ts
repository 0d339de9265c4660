/**
 * A loop as people read it. Pure.
 *
 * @module
 */

import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { LoopState } from "../loop/loop_state.ts";

const STATUS_STYLE = { active: "yellow", complete: "green", cancelled: "red" } as const;

/** @returns one line, and what was said last */
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
