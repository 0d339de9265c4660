import { defineCommand } from "../../cli/command.ts";
import { renderMemoryStats } from "../../memory/render/stats.ts";

/** Sums up what is remembered. */
export const command = defineCommand({
  kind: "memory.stats",
  examples: ["agentx memory stats", "agentx memory stats --json"],
  async run(context) {
    const { store } = await (await context.openState()).memory();
    return { output: { stats: await store.getStats() } };
  },
  render: ({ stats }, view) => renderMemoryStats(stats, view),
});
