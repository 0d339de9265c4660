import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, issueNumber } from "../../cli/inputs.ts";
import { renderChange } from "./render.ts";
import { comment } from "./input.ts";

export const command = defineCommand({
  kind: "issue",
  examples: [
    'agentx issue comment 42 -c "Reproduced on Linux"',
    "agentx issue comment -i 42 --as reviewer -c - <review.md",
  ],
  input: { issue: issueNumber, comment, as: asAgent },
  positional: ["issue"],
  async run(context, { issue, comment, as }) {
    const by = actingAgent(context.io, as).name();
    const { issues } = await context.openWorkspace();
    return { output: { issue: await issues.update(issue, { comment }, by) } };
  },
  render: ({ issue }, view) => renderChange("Commented on", issue, view),
});
