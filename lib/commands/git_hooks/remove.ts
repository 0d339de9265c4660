import { defineCommand } from "../../cli/command.ts";
import { change, rendered } from "./change.ts";

export const command = defineCommand({
  kind: "git-hooks.remove",
  examples: ["agentx git-hooks remove"],
  run: (context) => change(context, undefined),
  render: rendered,
});
