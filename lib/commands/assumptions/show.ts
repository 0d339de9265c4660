import { defineCommand } from "../../cli/command.ts";
import { renderAssumption } from "./render.ts";
import { assumptionId } from "../ask/input.ts";
import { settledGate } from "./judge.ts";

export const command = defineCommand({
  kind: "assumption",
  examples: ["agentx assumptions show ASM-001"],
  input: { id: assumptionId },
  positional: ["id"],
  async run(context, { id }) {
    const gate = await settledGate(context);
    return { output: { assumption: gate.assumptions.get(id) } };
  },
  render: ({ assumption }, view) => renderAssumption(assumption, view),
});
