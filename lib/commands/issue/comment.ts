import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent } from "../../cli/inputs.ts";
import { renderChange } from "../../work/render/issues.ts";
import { chosenIssue, comment, theIssue } from "./input.ts";

/** Adds a comment to an issue. */
export const command = defineCommand({
  kind: "issue",
  examples: [
    'agentx issue comment 42 -c "Reproduced on Linux"',
    "agentx issue comment -i 42 --as reviewer -c - <review.md",
  ],
  input: { ...chosenIssue, comment, as: asAgent },
  positional: ["number"],
  async run(context, { issue, number, comment, as }) {
    const target = theIssue(context.name, { issue, number });
    const by = actingAgent(context.io, as).name();
    const { issues } = await context.openWorkspace();
    return { output: { issue: await issues.update(target, { comment }, by) } };
  },
  render: ({ issue }, view) => renderChange("Commented on", issue, view),
});
