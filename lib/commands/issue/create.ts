import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent } from "../../cli/inputs.ts";
import { optional } from "../../cli/spec.ts";
import { renderChange } from "./render.ts";
import { withPartLabels } from "../../workspace/part_labels.ts";
import { body, due, labels, milestone, parent, status, title } from "./input.ts";
import { checkType, noteDependencies } from "./checks.ts";

export const command = defineCommand({
  kind: "issue",
  examples: [
    'agentx issue create "Crash on start" -l type:bug,p1',
    'agentx issue create "Pay by card" -l type:story,p2 -b - <story.md',
  ],
  input: {
    title,
    body: optional(body),
    label: optional(labels, "Such as type:bug, p1, size:small, blocked_by:#12", { short: "l" }),
    status: optional(status),
    parent,
    due,
    milestone,
    as: asAgent,
  },
  positional: ["title"],
  async run(context, { title, body, label = [], status, as, ...fields }) {
    const by = actingAgent(context.io, as).name();
    const workspace = await context.openWorkspace();
    checkType(context.name, label, workspace);
    const { parent } = fields;
    const labels = parent === undefined ? label : withPartLabels(label, parent, workspace);
    const issue = await workspace.issues.create({ title, body, labels, status, ...fields }, by);
    noteDependencies(context.io, workspace, issue);
    return { output: { issue } };
  },
  render: ({ issue }, view) => renderChange("Created", issue, view),
});
