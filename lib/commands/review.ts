import { AgentxError, NEEDS_HUMAN } from "../base/errors.ts";
import { defineCommand, type Result } from "../cli/command.ts";
import { issueNumber } from "../cli/inputs.ts";
import { flag, optional, rule, word } from "../cli/spec.ts";
import { checkStepName } from "../config/workflow.ts";
import type { Diff } from "../git/diff.ts";
import {
  changeLines,
  type ChangeSummary,
  changeSummary,
  issueChange,
  landedChange,
  mergedChange,
  stepChange,
} from "../pipeline/step_change.ts";
import { type Change, changeIn, checkoutChange } from "../pipeline/change_files.ts";
import { type Fixed, type Fixer, fixersFor, runFixers } from "../pipeline/fix.ts";
import { terminalBlock, terminalLine } from "../text/text.ts";
import type { RenderView } from "../text/view.ts";
import { isOpen } from "../work/issue/issue.ts";

/** The changes of an issue, or of one step of it. */
interface DiffOutput extends Diff {
  issueNumber: number;
  /** Null for the whole issue. */
  step: string | null;
}

/** The possible fixes, or the result of one. */
interface ReviewOutput {
  issueNumber: number;
  /** The changes of the issue's agents that are not merged; null if there are none. */
  work: ChangeSummary | null;
  /** The files that are changed in this checkout. */
  files: string[];
  fixers: Fixer[];
  /** The result of the fixers; null if none was run. */
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
    diff: flag("Show the changes of the issue's agents, file by file, unfinished steps included"),
    context: optional(
      {
        ...rule((text) => /^\d{1,7}$/.test(text), "be a number of lines"),
        placeholder: "LINES",
        read: Number,
      },
      "Lines to show around each change (default: 3)",
    ),
    fix: flag("Run the workflow's fixers on the files that this checkout changed; commit nothing"),
  },
  positional: ["issue", "step"],
  needs: { step: ["diff"], context: ["diff"] },
  conflicts: { diff: ["fix"] },
  async run(
    { openWorkspace, signal },
    { issue, step, diff, context, fix },
  ): Promise<Result<ReviewOutput | DiffOutput>> {
    const workspace = await openWorkspace();
    const { root, tree, workflowOf, trust } = workspace;
    const isDone = !isOpen(workspace.issues.get(issue));
    await (await trust()).checkGit();
    const of = { root, tree, issueNumber: issue, context, signal };
    if (diff) {
      const change = step === undefined
        ? await issueChange(workflowOf(issue).steps, of) ??
          await landedChange(of, { isDone }) ??
          (isDone ? undefined : await checkoutChange(tree, context))
        : await stepChange(step, of) ?? await mergedChange(step, of);
      if (change === undefined && step !== undefined) {
        checkStepName(step, workflowOf(issue).steps, "STEP");
      }
      if (change === undefined) throw noChange(issue, step);
      return { kind: "review.diff", output: { issueNumber: issue, step: step ?? null, ...change } };
    }
    const change: Change = await changeIn(tree) ?? { head: null, files: [] };
    const workflow = workflowOf(issue);
    const work = await issueChange(workflow.steps, of);
    const fixers = fixersFor(workflow, change.files);
    const fixed = fix ? await runFixers(fixers, change, { ...workspace, signal }) : null;
    const output: ReviewOutput = {
      issueNumber: issue,
      work: work === undefined ? null : changeSummary(work),
      files: change.files,
      fixers,
      fixed,
    };
    return { output, exitCode: fixed !== null && fixed.needsHuman.length > 0 ? NEEDS_HUMAN : 0 };
  },
  render(output: ReviewOutput | DiffOutput, view) {
    return "base" in output ? renderDiff(output, view) : renderReview(output, view);
  },
});

function noChange(issueNumber: number, step = "work"): AgentxError<"NOT_FOUND"> {
  const why = "no agent works on it now, and no commit here names it";
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
  { issueNumber, work, files, fixers, fixed }: ReviewOutput,
  { style, width }: RenderView,
): string {
  const block = (text: string) => terminalBlock(text, { indent: "    ", width });
  if (fixed === null) {
    const [first, ...rest] = work === null ? [] : changeLines(work);
    const count = files.length === 1 ? "1 file is" : `${files.length} files are`;
    return [
      ...first === undefined ? [] : [
        `  The steps of #${issueNumber} changed ${first}; not merged yet`,
        ...rest.map((line) => terminalLine(`  ${line}`, width)),
        `  Read it with: agentx review ${issueNumber} --diff`,
      ],
      `  ${count} changed in this checkout`,
      ...files.flatMap(block),
      ...fixers.length === 0
        ? [
          style.dim(
            "  No fixer of its workflow takes them; a step names its own in [steps.fixers]",
          ),
        ]
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
