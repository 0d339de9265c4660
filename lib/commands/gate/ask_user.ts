/**
 * `agentx ask-user`: an agent asks the human, if the four conditions hold, and waits for what comes of
 * it.
 *
 * @module
 */

import { NEEDS_HUMAN } from "../../clarify/render/outcome.ts";
import { type Context, defineCommand } from "../../cli/command.ts";
import { announceWait } from "../../cli/note.ts";
import { whyNobodyIsAsked } from "../../cli/person.ts";
import { flag, optional } from "../../cli/spec.ts";
import type { HumanGate } from "../../gate/gate.ts";
import type { GateInteraction } from "../../gate/interaction.ts";
import { renderInteraction } from "../../gate/render/interaction.ts";
import { checkTimeout } from "../../gate/timeout.ts";
import { untilEnded } from "../../gate/wait.ts";
import { askId, timeout } from "./input.ts";
import { QUESTION, readQuestion } from "./question.ts";

const input = {
  ...QUESTION,
  timeout,
  noWait: flag("Do not wait for the answer: print the id, and exit with 7"),
  id: optional(askId, "Wait for what comes of a question that was asked before"),
};

export const command = defineCommand({
  kind: "interaction",
  examples: [
    "agentx ask-user --issue 42 --from pm --block question.md",
    "agentx ask-user --issue 42 --from pm --block - --timeout 10m <question.md",
    "agentx ask-user --id ASK-001",
  ],
  input,
  positional: ["question"],
  conflicts: { id: Object.keys(QUESTION) as (keyof typeof QUESTION)[] },
  async run(context, input) {
    const workspace = await context.openWorkspace();
    const gate = await workspace.gate();
    const { timeout = workspace.config.gate.timeout } = input;
    const asked = input.id === undefined
      ? await gate.ask(await readQuestion(context, input, workspace), { timeout })
      : await gate.get(input.id);
    if (asked.status !== "pending" || input.noWait) return resultOf(asked);
    // A question that is never decided by silence is waited for as long, and left open.
    const maxMs = asked.deadline === null ? checkTimeout(timeout) ?? Infinity : Infinity;
    const { whileNotifying } = await import("../../inbox/notifier.ts");
    const waiting = () => waitFor(asked, { context, gate, maxMs });
    return resultOf(await whileNotifying(workspace, waiting));
  },
  render: ({ interaction }, view) => renderInteraction(interaction, view),
});

/** Where a human sits at this terminal, and no agent does, the answer is asked for here. */
async function waitFor(
  asked: GateInteraction,
  { context, gate, maxMs }: { context: Context; gate: HumanGate; maxMs: number },
): Promise<GateInteraction> {
  const { io, signal } = context;
  if (whyNobodyIsAsked(io) === undefined) {
    const { untilEndedHere } = await import("./at_terminal.ts");
    return await untilEndedHere(context, gate, asked, { signal, maxMs });
  }
  const stop = announceWait(io, `${asked.id} is waiting for a human`);
  try {
    return await untilEnded(gate, asked.id, { signal, maxMs });
  } finally {
    stop();
  }
}

function resultOf(interaction: GateInteraction) {
  return { output: { interaction }, exitCode: interaction.decision === null ? NEEDS_HUMAN : 0 };
}
