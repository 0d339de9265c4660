// `agentx workflow run`: runs the agents of an issue, step by step.

import { sys } from "../../sys/mod.ts";
import { actingAgent } from "../../cli/acting_agent.ts";
import { type Context, defineCommand, type Result } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { refuseAgents } from "../../cli/person.ts";
import { flag, optional, rule, type Spec, word } from "../../cli/spec.ts";
import { stepsOf } from "../../cli/steps.ts";
import { agentLabel } from "../../text/agent_label.ts";
import { AgentxError, EXIT_CODES, NEEDS_HUMAN } from "../../base/errors.ts";
import { stepTree } from "../../git/step_names.ts";
import { blockedIssues, nextTasks, proveWay, runWorkflow } from "../../pipeline/run_workflow.ts";
import { openQuestions, untilAnswered } from "../../pipeline/waits.ts";
import { promptTokens } from "../../pipeline/run_agent.ts";
import { changeLines, landedChange } from "../../pipeline/step_change.ts";
import type { StepOutcome } from "../../pipeline/run_step.ts";
import type { IssueStanding } from "../../pipeline/standing.ts";
import { waitingAmong } from "../../pipeline/stopped_steps.ts";
import type { StepTask } from "../../pipeline/step_task.ts";
import type { Issue } from "../../work/issue/issue.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { workflowParts } from "../../workspace/workflow_parts.ts";
import { whileServing } from "../serve/serving.ts";
import { noteAssumptions } from "../issue/assumptions.ts";
import { noteMerge } from "./merge_note.ts";
import { noteWay } from "../issue/way_note.ts";

/** The outcome of a step, or that it would be run. */
type StepLine = Omit<StepOutcome, "outcome"> & {
  outcome: StepOutcome["outcome"] | "would run";
  /** The estimated tokens of the prompt, if the step would be run. */
  tokens?: number;
};

const fromOne: Spec<number> = {
  ...rule(/^[1-9]\d{0,8}$/, "be a whole number from 1"),
  placeholder: "N",
  read: Number,
};

export const command = defineCommand({
  kind: "workflow.step",
  examples: [
    "agentx workflow run 42",
    "agentx workflow run 42 --until architecture",
    "agentx workflow run 42 --parallel 4",
    "agentx workflow run 42 --budget 200000",
    "agentx workflow run 42 --clarify-first",
    "agentx workflow run 42 --dry-run",
  ],
  jsonLines: true,
  input: {
    issue: issueNumber,
    until: optional(word, "The last step to run", { placeholder: "STEP" }),
    parallel: optional(fromOne, "How many steps run side by side (default: 2)"),
    budget: optional(fromOne, "Maximum number of tokens; a run that uses more is ended", {
      placeholder: "TOKENS",
    }),
    clarifyFirst: flag("Have the requirements engineer ask you, before the first step"),
    dryRun: flag("Show what would run next, with estimated tokens, and run nothing"),
  },
  positional: ["issue"],
  async *run(
    context: Context,
    { issue, until, parallel, budget, clarifyFirst, dryRun },
  ): AsyncGenerator<Result<StepLine>> {
    const workspace = await context.openWorkspace();
    if (!dryRun) {
      const next = `A person starts them: agentx workflow run ${issue}`;
      refuseAgents(context.io, `run the agents of #${issue}, which cost money`, {
        path: workspace.root,
        next,
      });
    }
    const parts = workflowParts(workspace, {
      signal: context.signal,
      by: actingAgent(context.io, undefined).name(),
    });
    const next = await nextTasks(issue, until, parts);
    await noteMerged(context, workspace, next);
    if (dryRun) {
      const asked = openQuestions(workspace.issues.getKnown(issue), parts);
      if (asked !== undefined && !clarifyFirst) return yield { output: asked };
      const stops = await proveWay(issue, until, parts).then(() => undefined, reasonsOf);
      const blocked = await blockedIssues(parts);
      for (const task of next) {
        const { step: { id: step, agent }, known: { issue: { number } } } = task;
        const of = { issueNumber: number, step, agent, attempts: 0, durationMs: 0 };
        const reasons = stops ?? blocked.get(number);
        const waits = stops === undefined ? untilAnswered(task, parts) : undefined;
        const output: StepLine = waits ??
          (reasons === undefined
            ? { ...of, outcome: "would run", reasons: [], tokens: await promptTokens(task, parts) }
            : { ...of, outcome: "not done", reasons });
        yield { output };
      }
      return;
    }
    const known = workspace.issues.getKnown(issue);
    const { standing: before } = await workspace.standing(known);
    noteWay(context.io, known.issue, before);
    noteNoText(context.io, known.issue, before);
    let count = 0;
    const onStart = async ({ step: { id, agent }, known: { issue: { number } } }: StepTask) => {
      await noteAssumptions(context.io, workspace, number);
      note(context.io, `#${number} ${id}: ${agentLabel(agent)} begins`);
    };
    yield* stepsOf<Result<StepLine>>(async (show) => {
      // An agent in a sandbox cannot run the agents that it asks, so this process runs them.
      await whileServing(workspace, context.signal, async () => {
        const options = { until, parallel, budget, clarifyFirst, onStart };
        for await (const outcome of runWorkflow(issue, options, parts)) {
          const isDone = ["done", "sent back", "left out", "asked"].includes(outcome.outcome);
          const exitCode = isDone
            ? 0
            : outcome.outcome === "waits"
            ? NEEDS_HUMAN
            : EXIT_CODES.NOT_READY;
          count++;
          show({ output: outcome, exitCode });
        }
      });
    });
    if (count === 0) note(context.io, `nothing to run now; see why with: agentx workflow ${issue}`);
    const [open] = await nextTasks(issue, undefined, parts);
    if (open !== undefined) {
      const { known, workflow, step: { id } } = open;
      const [stopped] = waitingAmong(workspace.stopped.list(), known, workflow);
      const step = stopped?.step ?? id;
      const waits = stopped === undefined ? "is open" : "waits for you: agentx inbox";
      const { path } = stepTree(workspace.root, known.issue.number, step);
      const work = sys.lstat(path) === undefined ? "" : `; its work is in ${path}`;
      return note(context.io, `${step} ${waits}${work}`);
    }
    const { standing } = await workspace.standing(workspace.issues.getKnown(issue));
    noteMerge(context.io, workspace, standing);
  },
  render: renderStep,
});

/** Returns the reasons that stop a run before its first step. */
function reasonsOf(error: unknown): string[] {
  if (!(error instanceof AgentxError)) throw error;
  return [error.summary, ...error.next === undefined ? [] : [error.next]];
}

/** Notes that a step would be done again although its work is merged: an undo may have reopened it. */
async function noteMerged(
  { io, signal }: Context,
  { root, tree }: { root: string; tree: string },
  tasks: readonly StepTask[],
): Promise<void> {
  for (const { known: { issue: { number }, undone }, workflow, step, ...task } of tasks) {
    const hasTree = workflow.steps.some(({ id }) =>
      sys.lstat(stepTree(root, number, id).path) !== undefined
    );
    if (undone.size === 0 || task.because.length > 0 || task.isAgain || hasTree) continue;
    const of = { tree, issueNumber: number, signal };
    // A repository without a commit has no log.
    const landed = await landedChange(of, { isDone: false }).catch(() => undefined);
    if (landed === undefined) continue;
    note(
      io,
      `the work of #${number} is merged already, and ${step.id} would be done again; ` +
        "if an undo opened it, undo that: agentx log --undoable",
    );
  }
}

/** Notes that an issue has no text before its first step. */
function noteNoText(io: Io, { number, body }: Issue, { steps }: IssueStanding): void {
  if (body.trim() !== "" || steps.some(({ state }) => state === "done")) return;
  const say = `agentx issue edit ${number} --body TEXT`;
  note(
    io,
    `#${number} has a title and no text, so that is all its agents know; to say more: ${say}`,
  );
}

/** Renders a step on one line, with changes and reasons below. */
function renderStep(
  { issueNumber, step, agent, outcome, reasons, change, checked = [], savedBy, ...line }: StepLine,
  { style, width }: RenderView,
): string {
  const { attempts, durationMs, tokens } = line;
  const who = savedBy === undefined ? agent : `saved by ${savedBy}`;
  const size = tokens === undefined ? "" : `, about ${tokens} tokens in its prompt`;
  const took = attempts === 0 ? "" : `, ${(durationMs / 1000).toFixed(1)} s`;
  const shown = checked.length === 0 ? "" : `, checked ${checked.join(", ")}`;
  const tries = attempts > 1 ? `, ${attempts} runs` : "";
  const head = terminalLine(
    `  #${issueNumber} ${step} (${who}): ${outcome}${size}${tries}${took}${shown}`,
    width,
  );
  const color = outcome === "done"
    ? style.green
    : outcome === "not done"
    ? style.red
    : style.yellow;
  return [
    color(head),
    ...change === undefined ? [] : changeLines(change)
      .map((text) => style.dim(terminalLine(`    ${text}`, width))),
    ...reasons.flatMap((reason) => terminalBlock(reason, { indent: "    ", width })),
  ].join("\n");
}
