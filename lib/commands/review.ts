import { AgentxError, NEEDS_HUMAN } from "../base/errors.ts";
import { defineCommand, type Result } from "../cli/command.ts";
import { issueNumber } from "../cli/inputs.ts";
import { flag, optional, word } from "../cli/spec.ts";
import type { Diff } from "../git/diff.ts";
import { changeLines, issueChange, stepChange } from "../pipeline/step_change.ts";
import { type Change, changeIn, checkoutChange } from "../pipeline/change_files.ts";
import { type Fixed, type Fixer, fixersFor, runFixers } from "../pipeline/fix.ts";
import { terminalBlock, terminalLine } from "../text/text.ts";
import type { RenderView } from "../text/view.ts";

/** What an issue, or one step of it, changed. */
interface DiffOutput extends Diff {
  issueNumber: number;
  /** Null for the whole issue. */
  step: string | null;
}

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
  examples: [
    "agentx review 42",
    "agentx review 42 --diff",
    "agentx review 42 implement --diff",
    "agentx review 42 --fix",
  ],
  input: {
    issue: issueNumber,
    step: optional(word, "The step whose change is shown", { placeholder: "STEP" }),
    diff: flag("Show what its agents changed, file by file, also of a step that is not done"),
    fix: flag("Run the fixers of its workflow on these files; nothing is committed"),
  },
  positional: ["issue", "step"],
  needs: { step: ["diff"] },
  conflicts: { diff: ["fix"] },
  async run(
    { openWorkspace, signal },
    { issue, step, diff, fix },
  ): Promise<Result<ReviewOutput | DiffOutput>> {
    const workspace = await openWorkspace();
    const { root, tree, workflowOf, trust } = workspace;
    await trust().checkGit();
    if (diff) {
      const { steps } = workflowOf(workspace.issues.get(issue).number);
      const of = { root, tree, issueNumber: issue, signal };
      const change = step === undefined
        ? await issueChange(steps, of) ?? await checkoutChange(tree)
        : await stepChange(step, of);
      if (change === undefined) throw noChange(issue, step);
      return { kind: "review.diff", output: { issueNumber: issue, step: step ?? null, ...change } };
    }
    const change: Change = await changeIn(tree) ?? { head: null, files: [] };
    const fixers = fixersFor(workflowOf(issue), change.files);
    const fixed = fix ? await runFixers(fixers, change, { ...workspace, signal }) : null;
    const output: ReviewOutput = { issueNumber: issue, files: change.files, fixers, fixed };
    return { output, exitCode: fixed !== null && fixed.needsHuman.length > 0 ? NEEDS_HUMAN : 0 };
  },
  render(output: ReviewOutput | DiffOutput, view) {
    return "base" in output ? renderDiff(output, view) : renderReview(output, view);
  },
});

function noChange(issueNumber: number, step = "work"): AgentxError<"NOT_FOUND"> {
  const why = `no agent has begun it`;
  return new AgentxError("NOT_FOUND", `Cannot show ${step} of #${issueNumber}: ${why}`, {
    details: { kind: "step", id: step },
    next: `See where it stands with: agentx workflow ${issueNumber}`,
  });
}

function renderDiff(
  { issueNumber, step, ...change }: DiffOutput,
  { style, width }: RenderView,
): string {
  const [first, ...files] = changeLines(change);
  const of = step === null ? `#${issueNumber}` : `${step} of #${issueNumber}`;
  const colorOf = (line: string) =>
    line.startsWith("+") ? style.green(line) : line.startsWith("-") ? style.red(line) : line;
  return [
    terminalLine(`  ${of} changed ${first}`, width),
    ...files.map((line) => terminalLine(`  ${line}`, width)),
    ...change.files.flatMap(({ diff }) => ["", ...diff.trimEnd().split("\n")])
      .map((line) => colorOf(terminalLine(line))),
  ].join("\n");
}

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
