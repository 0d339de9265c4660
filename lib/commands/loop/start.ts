import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { outsideAmong } from "../clarify/outside.ts";
import { extended, limitOf, render } from "./loop.ts";

export const command = defineCommand({
  kind: "loop",
  examples: ["agentx loop start 42", "agentx loop start --issue 42 --extended"],
  input: { issue: issueNumber, extended },
  positional: ["issue"],
  async run(context, { issue, extended }) {
    const workspace = await context.openWorkspace();
    const { issues } = workspace;
    // If this workspace keeps no issues, any number may be an issue.
    if (outsideAmong([issue], issues).length > 0) issues.get(issue);
    const maxIterations = limitOf(issue, workspace, extended);
    return { output: { loop: await workspace.loop.start(issue, { maxIterations }) } };
  },
  render,
});
