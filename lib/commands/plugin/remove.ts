import { defineCommand } from "../../cli/command.ts";
import { refuseAgents } from "../../cli/person.ts";
import { terminalLine } from "../../text/text.ts";
import { managerOf, pluginName } from "./input.ts";

export const command = defineCommand({
  kind: "plugin.remove",
  examples: ["agentx plugin remove convert-docs"],
  input: { name: pluginName },
  positional: ["name"],
  async run(context, { name }) {
    refuseAgents(context.io, "remove a package", { path: name });
    return { output: { name, removed: await (await managerOf(context)).remove(name) } };
  },
  render: ({ removed }, { style }) =>
    removed.map((path) => `  ${style.green("Removed")} ${terminalLine(path)}`).join("\n"),
});
