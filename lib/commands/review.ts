import { NEEDS_HUMAN } from "../base/errors.ts";
import { defineCommand } from "../cli/command.ts";
import { issueNumber } from "../cli/inputs.ts";
import { flag } from "../cli/spec.ts";
import { type Change, changeIn } from "../pipeline/change_files.ts";
import { type Fixed, type Fixer, fixersFor, runFixers } from "../pipeline/fix.ts";
import { terminalBlock, terminalLine } from "../text/text.ts";
import type { RenderView } from "../text/view.ts";

/** What can be fixed, or what was. */
interface ReviewOutput {
  issueNumber: number;
  files: string[];
  fixers: Fixer[];
  /** Null if nothing was run. */
  fixed: Fixed | null;
}

export const command = defineCommand({
  kind: "review",
  examples: ["agentx review 42", "agentx review 42 --fix"],
  input: {
    issue: issueNumber,
    fix: flag("Run the fixers of its workflow on these files; nothing is committed"),
  },
  positional: ["issue"],
  async run({ openWorkspace, signal }, { issue, fix }) {
    const workspace = await openWorkspace();
    const { tree, workflowOf, trust } = workspace;
    await trust().checkGit();
    const change: Change = await changeIn(tree) ?? { head: null, files: [] };
    const fixers = fixersFor(workflowOf(issue), change.files);
    const fixed = fix ? await runFixers(fixers, change, { ...workspace, signal }) : null;
    const output: ReviewOutput = { issueNumber: issue, files: change.files, fixers, fixed };
    return { output, exitCode: fixed !== null && fixed.needsHuman.length > 0 ? NEEDS_HUMAN : 0 };
  },
  render: renderReview,
});

function renderReview(
  { issueNumber, files, fixers, fixed }: ReviewOutput,
  { style, width }: RenderView,
): string {
  const block = (text: string) => terminalBlock(text, { indent: "    ", width });
  if (fixed === null) {
    return [
      `  ${files.length} files are changed for #${issueNumber}`,
      ...files.flatMap(block),
      ...fixers.length === 0
        ? [style.dim("  Its workflow has no fixer for them (fixers, in .agentx/workflows/)")]
        : [`  Fix what can be fixed with: agentx review ${issueNumber} --fix`],
    ].join("\n");
  }
  const { ran, changed, needsHuman } = fixed;
  return [
    ...ran.map(({ command, exitCode }) =>
      `  ${terminalLine(command.join(" "), width - 24)}: exit code ${exitCode ?? "none"}`
    ),
    changed.length === 0 ? "  Nothing was changed" : style.green("  Changed, and not committed:"),
    ...changed.flatMap(block),
    ...needsHuman.length === 0 ? [] : [
      style.yellow("  Needs a person:"),
      ...needsHuman.flatMap((why) => block(`- ${why}`)),
    ],
  ].join("\n");
}
