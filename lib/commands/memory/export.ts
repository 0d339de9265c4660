import { defineCommand } from "../../cli/command.ts";
import { encodeJson } from "../../text/text.ts";

/** Prints all observations, one as JSON on each line. */
export const command = defineCommand({
  kind: "observation.list",
  examples: ["agentx memory export >memory.jsonl"],
  async run(context) {
    const { store } = await (await context.openState()).memory();
    return { output: { observations: await store.listAll() } };
  },
  render: ({ observations }) =>
    observations.map((observation) => `${encodeJson(observation)}\n`).join(""),
});
