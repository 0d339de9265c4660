// Whether work can be handed over, as people read it. Pure.

import { terminalBlock, terminalLine } from "../text/text.ts";
import type { RenderView } from "../text/view.ts";
import type { CheckedStep, Validation } from "./handover_checks.ts";

/** Shows at most this many lines that a command printed. */
const MAX_LINES = 12;

/** Yes with what was checked, or no with each reason. */
export function renderValidation(
  { issueNumber, role, isReady, reasons, steps }: Validation,
  { style, width }: RenderView,
): string {
  const head = `  #${issueNumber} ${isReady ? "can" : "cannot"} be handed over by ${role}`;
  if (isReady) {
    const seen = steps.flatMap(shownBy);
    const lines = seen.length === 0 ? ["no documents and no commands are required"] : seen;
    const indented = lines.flatMap((line) => terminalBlock(line, { indent: "    ", width }));
    return [style.green(head), ...indented.map((line) => style.dim(line))].join("\n");
  }
  const lines = reasons.flatMap((reason) => {
    const [first, ...rest] = terminalBlock(reason, { indent: "      ", width });
    return [`    - ${first.slice(6)}`, ...rest];
  });
  return [style.red(head), ...lines, ...steps.flatMap(endOfFailed)].join("\n");

  /** The end of what a failed command printed. */
  function endOfFailed({ evidence }: CheckedStep): string[] {
    return evidence.filter(({ exitCode, output }) => exitCode !== 0 && output !== "")
      .flatMap(({ command, output }) => [
        style.dim(`    ${terminalLine(command.join(" "), width - 5)}:`),
        ...output.split("\n").slice(-MAX_LINES)
          .map((line) => style.dim(`      ${terminalLine(line, width - 6)}`)),
      ]);
  }
}

/** The evidence of a step that is done. */
function shownBy({ artifact, evidence, coverage }: CheckedStep): string[] {
  return [
    ...artifact === null ? [] : [artifact],
    ...evidence.map(({ command }) => `${command.join(" ")}: exit code 0`),
    ...coverage === null ? [] : [`${Math.floor(coverage.percent)} % of lines are covered`],
  ];
}
