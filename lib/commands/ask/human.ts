// `agentx ask human`: an agent asks the human, if the four conditions hold, and waits for the
// outcome.

import { NEEDS_HUMAN } from "../../base/errors.ts";
import { defineCommand, type Result } from "../../cli/command.ts";
import { agentName } from "../../cli/inputs.ts";
import { flag, optional } from "../../cli/spec.ts";
import { BLOCK_TEMPLATE } from "../../gate/block.ts";
import type { GateInteraction } from "../../gate/interaction.ts";
import type { GateRun } from "../../pipeline/gate_run.ts";
import { terminalBlock } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { renderInteraction } from "../../gate/render/interaction.ts";
import { askId, timeFor, timeout } from "./input.ts";
import { QUESTION, readQuestion } from "./question.ts";
import { untilEndedHere } from "./until_ended_here.ts";
import { planIssue } from "./plan.ts";

const input = {
  ...QUESTION,
  timeout,
  noWait: flag("Do not wait for the answer: print the id, and exit with 7"),
  id: optional(askId, "Wait for the outcome of a question that was asked before"),
  template: flag("Print the block that --block reads, to fill in"),
  run: optional(agentName("Run this agent to plan the issue, ask its question, and run it again")),
};

/** Inputs of a question that an agent run with `--run` gives itself. */
const OF_QUESTION = (Object.keys(QUESTION) as (keyof typeof QUESTION)[])
  .filter((key) => !["issue", "session", "question"].includes(key));

/** A question, the plan that it was asked for, or the block to fill in. */
type Output = { interaction: GateInteraction } | GateRun | { template: string };

export const command = defineCommand({
  kind: "interaction",
  examples: [
    "agentx ask human --issue 42 --from pm --block question.md",
    "agentx ask human --issue 42 --from pm --block - --timeout 10m <question.md",
    "agentx ask human --template >question.md",
    "agentx ask human --id ASK-001",
    'agentx ask human --run pm --issue 42 "Integrate Stripe"',
  ],
  input,
  positional: ["question"],
  conflicts: {
    id: [...Object.keys(QUESTION) as (keyof typeof QUESTION)[], "run"],
    run: [...OF_QUESTION, "noWait"],
    template: [...Object.keys(QUESTION) as (keyof typeof QUESTION)[], "run", "id", "noWait"],
  },
  async run(context, input): Promise<Result<Output>> {
    if (input.template) return { kind: "block", output: { template: BLOCK_TEMPLATE } };
    const workspace = await context.openWorkspace();
    const gate = await workspace.gate();
    const { timeout = workspace.config.gate.timeout } = input;
    if (input.run !== undefined) {
      const plan = await planIssue(context, { ...input, agent: input.run }, workspace);
      return { output: plan, exitCode: plan.mode === null ? NEEDS_HUMAN : 0 };
    }
    const asked = input.id === undefined
      ? await gate.ask(
        await readQuestion(context, input, workspace),
        timeFor(context.io, input.timeout),
      )
      : await gate.get(input.id);
    if (asked.status !== "pending" || input.noWait) {
      return resultOf(await gate.noteDelivered(asked));
    }
    const ended = await untilEndedHere(asked, { context, workspace, gate, timeout });
    return resultOf(await gate.noteDelivered(ended));
  },
  render: (output, view) =>
    "template" in output
      ? output.template
      : "plan" in output
      ? renderPlan(output, view)
      : renderInteraction(output.interaction, view),
});

function resultOf(interaction: GateInteraction) {
  return { output: { interaction }, exitCode: interaction.decision === null ? NEEDS_HUMAN : 0 };
}

/** Renders the plan, after the state of the question that was asked for it. */
function renderPlan(
  { plan, mode, interaction, assumptions }: GateRun,
  view: RenderView,
): string {
  const { style, width } = view;
  const shown = terminalBlock(plan.trim(), { indent: "  | ", width });
  const head = mode === null ? "No plan yet." : `Plan: ${mode.toLowerCase()} mode.`;
  const asked = interaction === null ? [] : [renderInteraction(interaction, view), ""];
  const count = assumptions.length === 0
    ? []
    : ["", `  Assumptions recorded: ${assumptions.map(({ id }) => id).join(", ")}`];
  return [...asked, `  ${style.bold(head)}`, ...shown, ...count].join("\n");
}
