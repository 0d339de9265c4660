import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent } from "../../cli/inputs.ts";
import { optional } from "../../cli/spec.ts";
import { renderChange } from "../../work/render/issues.ts";
import { body, checkType, labels, status, title } from "./input.ts";
import { noteDependencies } from "./outcome.ts";

/** Creates an issue under the next free number. */
export const command = defineCommand({
  kind: "issue",
  examples: [
    'agentx issue create -t "Crash on start" -l type:bug,p1',
    'agentx issue create -t "Pay by card" -l type:story,p2 -b - <story.md',
  ],
  input: {
    title,
    body: optional(body),
    label: optional(labels, "Such as type:bug, p1, size:small, blocked_by:#12", { short: "l" }),
    status: optional(status),
    as: asAgent,
  },
  async run(context, { title, body, label = [], status, as }) {
    const by = actingAgent(context.io, as).name();
    const workspace = await context.openWorkspace();
    checkType(context.name, label, workspace);
    const issue = await workspace.issues.create({ title, body, labels: label, status }, by);
    noteDependencies(context.io, workspace, issue);
    return { output: { issue } };
  },
  render: ({ issue }, view) => renderChange("Made", issue, view),
});
