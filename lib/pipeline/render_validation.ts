/**
 * Whether work can be handed over, as people read it. Pure.
 *
 * @module
 */

import { terminalBlock } from "../text/text.ts";
import type { RenderView } from "../text/view.ts";
import type { Validation } from "./hand_over.ts";

/** @returns yes with what was asked for, or no with each reason */
export function renderValidation(
  { issueNumber, role, isReady, reasons, steps }: Validation,
  { style, width }: RenderView,
): string {
  const head = `  #${issueNumber} ${isReady ? "can" : "cannot"} be handed over by ${role}`;
  if (isReady) {
    const artifacts = steps.flatMap(({ artifact }) => artifact ?? []);
    const seen = artifacts.length === 0 ? "no artifacts are required" : artifacts.join(", ");
    const lines = terminalBlock(seen, { indent: "    ", width: width });
    return [style.green(head), ...lines.map((line) => style.dim(line))].join("\n");
  }
  const lines = reasons.flatMap((reason) => {
    const [first, ...rest] = terminalBlock(reason, {
      indent: "      ",
      width: width,
    });
    return [`    - ${first.slice(6)}`, ...rest];
  });
  return [style.red(head), ...lines].join("\n");
}
