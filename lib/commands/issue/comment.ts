/**
 * `agentx issue comment`.
 *
 * @module
 */

import * as z from "zod/mini";
import { actingAgent, asAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { chosenIssue, comment, theIssue } from "./input.ts";
import { renderChange } from "./outcome.ts";

/** Adds a comment to an issue. */
export const command = defineCommand({
  name: "issue comment",
  summary: "Add a comment to an issue",
  kind: "issue",
  examples: [
    'agentx issue comment 42 -c "Reproduced on Linux"',
    "agentx issue comment -i 42 --as reviewer -c - <review.md",
  ],
  input: z.object({ ...chosenIssue, comment, as: asAgent }),
  positional: ["number"],
  async run(context, { issue, number, comment, as }) {
    const target = theIssue("issue comment", { issue, number });
    const by = actingAgent(context.io, as).name();
    const { issues } = await context.openWorkspace();
    return { output: { issue: await issues.update(target, { comment }, by) } };
  },
  render: ({ issue }, view) => renderChange("Commented on", issue, view),
});
