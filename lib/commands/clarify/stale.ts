import { defineCommand } from "../../cli/command.ts";
import { sys } from "../../sys/mod.ts";
import { type ListOutput, renderList } from "./render_list.ts";

/** Lists the clarifications that need attention. */
export const command = defineCommand({
  kind: "clarification.list",
  runsMonitor: true,
  examples: ["agentx clarify stale"],
  async run(context) {
    const { monitor, runs } = await context.openWorkspace();
    const clarifications = (await monitor()).overdueOrStuck();
    const output = { clarifications, runs: await runs.ofAll(clarifications), nowMs: sys.now() };
    return { output };
  },
  render: (output: ListOutput, view) =>
    output.clarifications.length === 0
      ? "  Nothing is stale or stuck."
      : renderList(output, view).join("\n"),
});
