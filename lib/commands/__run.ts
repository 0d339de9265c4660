// `agentx __run`: the run that `ask --non-blocking` starts in the background. Unlike `clarify run`, it does not use up
// the retry of the question.

import { renderOutcome } from "./clarify/render_outcome.ts";
import { clarificationId } from "./clarify/input.ts";
import { askerOf } from "../clarify/schema.ts";
import { defineCommand } from "../cli/command.ts";
import { argument } from "../cli/spec.ts";

export const command = defineCommand({
  kind: "clarification",
  examples: ["agentx __run CLR-42-001"],
  input: { id: argument(clarificationId, "Id of the question") },
  positional: ["id"],
  async run(context, { id }) {
    const { router, ledger } = await context.openWorkspace();
    const by = askerOf(ledger.getToRun(id));
    const outcome = await (await router()).runOpen(id, { by, signal: context.signal });
    return { output: outcome ?? { clarification: ledger.getById(id) } };
  },
  render: renderOutcome,
});
