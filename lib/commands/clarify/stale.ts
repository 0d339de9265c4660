import { renderRuns } from "../../clarify/render/runs.ts";
import { renderTable } from "../../clarify/render/threads.ts";
import { defineCommand } from "../../cli/command.ts";

/** Lists the clarifications that somebody should look at. */
export const command = defineCommand({
  kind: "clarification.list",
  runsMonitor: true,
  examples: ["agentx clarify stale"],
  async run(context) {
    const { monitor, runs } = await context.openWorkspace();
    const clarifications = monitor.overdueOrStuck();
    const standing = await runs.ofAll(clarifications);
    return { output: { clarifications, runs: standing, nowMs: Date.now() } };
  },
  render({ clarifications, runs, nowMs }, view) {
    if (clarifications.length === 0) return "  Nothing is stale or stuck.";
    const standing = renderRuns(clarifications, runs, { ...view, nowMs });
    return [renderTable(clarifications, nowMs, view), ...standing].join("\n");
  },
});
