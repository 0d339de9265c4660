import { defineCommand } from "../cli/command.ts";
import { managerOf } from "./plugin/input.ts";
import { renderPlugin } from "./plugin/render.ts";

export const command = defineCommand({
  kind: "plugin.list",
  examples: ["agentx plugin", "agentx plugin --json"],
  async run(context) {
    return { output: { plugins: await (await managerOf(context)).list() } };
  },
  render({ plugins }, view) {
    if (plugins.length > 0) return plugins.map((each) => renderPlugin(each, view)).join("\n\n");
    return "  No packages here. Install one with: agentx plugin install PATH";
  },
});
