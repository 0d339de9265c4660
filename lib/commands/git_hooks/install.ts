import { defineCommand } from "../../cli/command.ts";
import { calledByUser } from "../../setup/how_called.ts";
import { change, rendered } from "./change.ts";

export const command = defineCommand({
  kind: "git-hooks.install",
  examples: ["agentx git-hooks install"],
  run: (context) => change(context, calledByUser().words),
  render: rendered,
});
