import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, issueNumber } from "../../cli/inputs.ts";
import { flag, optional } from "../../cli/spec.ts";
import { DONE } from "../../work/issue/issue.ts";
import { renderChange } from "./render.ts";
import { comment } from "./input.ts";
import { checkSteps, closeParts, forced } from "./status_check.ts";
import { noteAssumptions } from "./assumptions.ts";
import { noteUnchanged } from "./unchanged_note.ts";

/** Closes an issue; issues that wait for it may become ready. */
export const command = defineCommand({
  kind: "issue",
  examples: ["agentx issue close 42", 'agentx issue close -i 42 -c "Fixed in 1.2"'],
  input: {
    issue: issueNumber,
    comment: optional(comment, "Comment to add"),
    withParts: flag("Close its open parts, too"),
    ...forced,
    as: asAgent,
  },
  positional: ["issue"],
  async run(context, { issue, comment, withParts, force, because, as }) {
    const by = actingAgent(context.io, as).name();
    const workspace = await context.openWorkspace();
    const before = workspace.issues.get(issue);
    await checkSteps(context, workspace, { issue, status: DONE, force, because });
    await closeParts(context, workspace, { issue, withParts, by });
    const said = [comment, force ? undefined : because].filter(Boolean).join("\n\n") || undefined;
    const closed = await workspace.issues.update(issue, { status: DONE, comment: said }, by);
    noteUnchanged(context.io, before, closed);
    await noteAssumptions(context.io, workspace, closed.number);
    return { output: { issue: closed } };
  },
  render: ({ issue }, view) => renderChange("Closed", issue, view),
});
