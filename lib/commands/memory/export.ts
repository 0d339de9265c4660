import { defineCommand } from "../../cli/command.ts";
import { encodeJson } from "../../text/text.ts";

export const command = defineCommand({
  kind: "observation.list",
  capturesSessions: true,
  examples: ["agentx memory export >memory.jsonl"],
  async *run(context) {
    const { store } = await (await context.openState()).memory();
    if (context.isJson) yield { output: { observations: await store.listAll() } };
    else for await (const observations of store.scan()) yield { output: { observations } };
  },
  render: ({ observations }) =>
    observations.map((observation) => `${encodeJson(observation)}\n`).join(""),
});
