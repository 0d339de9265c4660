import { defineCommand } from "../../cli/command.ts";
import { flag } from "../../cli/spec.ts";
import { terminalLine } from "../../text/text.ts";
import { managerOf, pluginName } from "./input.ts";

export const command = defineCommand({
  kind: "plugin.new",
  examples: ["agentx plugin new issue-report", "agentx plugin new threat-list --skill"],
  input: { skill: flag("Make a skill for agents instead of a command"), name: pluginName },
  positional: ["name"],
  async run(context, { name, skill: hasSkill }) {
    const files = await (await managerOf(context)).create(name, { hasSkill });
    return { output: { name, files } };
  },
  render: ({ files }, { style }) =>
    files.map((path) => `  ${style.green("Created")} ${terminalLine(path)}`).join("\n"),
});
