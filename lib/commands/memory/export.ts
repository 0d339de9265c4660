import { defineCommand } from "../../cli/command.ts";
import type { Observation } from "../../memory/schema.ts";
import { encodeJson } from "../../text/text.ts";

export const command = defineCommand({
  kind: "observation.list",
  capturesSessions: true,
  examples: ["agentx memory export >memory.jsonl"],
  async *run(context) {
    const { store } = await (await context.openState()).memory();
    const whole: Observation[] = [];
    for await (const observations of store.scan()) {
      if (context.isJson) whole.push(...observations);
      else yield { output: { observations } };
    }
    if (context.isJson) yield { output: { observations: whole } };
  },
  render: ({ observations }) =>
    observations.map((observation) => `${encodeJson(observation)}\n`).join(""),
});
