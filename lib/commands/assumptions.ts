import { defineCommand } from "../cli/command.ts";
import { issueNumber } from "../cli/inputs.ts";
import { optional } from "../cli/spec.ts";
import { renderAssumptions } from "./assumptions/render.ts";
import { settledGate } from "./assumptions/judge.ts";

export const command = defineCommand({
  kind: "assumption.list",
  examples: ["agentx assumptions", "agentx assumptions --issue 42 --json"],
  input: { issue: optional(issueNumber, "Only those of this issue") },
  async run(context, { issue }) {
    const gate = await settledGate(context);
    const assumptions = gate.assumptions.list()
      .filter((one) => issue === undefined || one.issue === issue);
    return { output: { assumptions } };
  },
  render: ({ assumptions }, view) => renderAssumptions(assumptions, view),
});
