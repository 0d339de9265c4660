import { renderStats } from "../../clarify/render/stats.ts";
import { clarificationStats } from "../../clarify/stats.ts";
import { defineCommand } from "../../cli/command.ts";
import { noteProblems } from "../../cli/note.ts";
import { runMonitorIfNeeded } from "../../workspace/run_monitor.ts";

export const command = defineCommand({
  kind: "clarification.stats",
  examples: ["agentx clarify stats", "agentx clarify stats --json"],
  async run(context) {
    const scan = await runMonitorIfNeeded(await context.openState(), context.signal);
    const exitCode = noteProblems(context.io, scan.problems);
    return { output: { stats: clarificationStats(scan.clarifications) }, exitCode };
  },
  render: ({ stats }, view) => renderStats(stats, view),
});
