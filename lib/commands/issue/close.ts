import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, issueNumber } from "../../cli/inputs.ts";
import { optional } from "../../cli/spec.ts";
import { DONE } from "../../work/issue/issue.ts";
import { renderChange } from "../../work/render/issues.ts";
import { comment } from "./input.ts";

/** Closes an issue; what waits for it may be ready then. */
export const command = defineCommand({
  kind: "issue",
  examples: ["agentx issue close 42", 'agentx issue close -i 42 -c "Fixed in 1.2"'],
  input: {
    issue: issueNumber,
    comment: optional(comment, "A last comment"),
    as: asAgent,
  },
  positional: ["issue"],
  async run(context, { issue, comment, as }) {
    const by = actingAgent(context.io, as).name();
    const { issues } = await context.openWorkspace();
    return { output: { issue: await issues.update(issue, { status: DONE, comment }, by) } };
  },
  render: ({ issue }, view) => renderChange("Closed", issue, view),
});
