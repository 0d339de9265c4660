import { defineCommand } from "../../cli/command.ts";

export const command = defineCommand({
  kind: "memory.rebuild",
  examples: ["agentx memory rebuild"],
  async run(context) {
    const { store } = await (await context.openState()).memory();
    return { output: { count: await store.rebuild() } };
  },
  render: ({ count }) => `  Rebuilt. Observations: ${count}`,
});
