import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, issueNumber } from "../../cli/inputs.ts";
import { optional } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { renderChange } from "../../work/render/issues.ts";
import { body, checkType, labels, status, title } from "./input.ts";
import { noteDependencies } from "./outcome.ts";

/** Changes what is given of an issue. */
export const command = defineCommand({
  kind: "issue",
  examples: [
    'agentx issue update 42 -s "In Review"',
    "agentx issue update -i 42 -l priority:p0 --remove-label needs:changes",
  ],
  input: {
    issue: issueNumber,
    title: optional(title),
    body: optional(body),
    label: optional(labels, "Add these; a type, priority or size replaces", { short: "l" }),
    removeLabel: optional(labels, "Take these away"),
    status: optional(status),
    as: asAgent,
  },
  positional: ["issue"],
  async run(context, { issue, as, ...changes }) {
    const { title, body, status, label = [], removeLabel = [] } = changes;
    if (Object.values(changes).every((value) => value === undefined)) {
      const why = "nothing is given that would change";
      throw usageError(context.name, { field: "arguments", value: null, why });
    }
    const by = actingAgent(context.io, as).name();
    const workspace = await context.openWorkspace();
    checkType(context.name, label, workspace);
    const removeLabels = removeLabel.map((label) => label.trim());
    const update = { title, body, status, addLabels: label, removeLabels };
    const changed = await workspace.issues.update(issue, update, by);
    if (label.length > 0 || body !== undefined) noteDependencies(context.io, workspace, changed);
    return { output: { issue: changed } };
  },
  render: ({ issue }, view) => renderChange("Updated", issue, view),
});
