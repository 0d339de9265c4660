import { defineCommand } from "../../cli/command.ts";
import { renderMemoryStats } from "../../memory/render/stats.ts";

export const command = defineCommand({
  kind: "memory.stats",
  capturesSessions: true,
  examples: ["agentx memory stats", "agentx memory stats --json"],
  async run(context) {
    const memory = await (await context.openState()).memory();
    return { output: { stats: await memory.store.getStats() } };
  },
  render: (output, view) => renderMemoryStats(output, view),
});
