import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent } from "../../cli/inputs.ts";
import { optional } from "../../cli/spec.ts";
import { renderChange } from "./render.ts";
import { withPartLabels } from "../../workspace/part_labels.ts";
import { blockedBy, body, due, labels, milestone, parent, status, title } from "./input.ts";
import { noteWay } from "./way_note.ts";
import { checkBlockers, checkSlips, checkType, noteDependencies, withTypeNames } from "./checks.ts";

export const command = defineCommand({
  kind: "issue",
  examples: [
    'agentx issue create "Crash on start" -l bug,p1 --blocked-by 12',
    'agentx issue create "Pay by card" -l type:story,p2 -b - <story.md',
  ],
  input: {
    title,
    body: optional(body),
    label: optional(labels, "Such as bug, p1, size:small", { short: "l" }),
    blockedBy: optional(blockedBy),
    status: optional(status),
    parent,
    due,
    milestone,
    as: asAgent,
  },
  positional: ["title"],
  async run(context, { title, body, label = [], blockedBy = [], status, as, ...fields }) {
    const by = actingAgent(context.io, as).name();
    const workspace = await context.openWorkspace();
    const given = [...withTypeNames(context.io, label, workspace), ...blockedBy];
    checkType(context.name, given, workspace);
    checkSlips(context.name, given, workspace);
    checkBlockers(blockedBy, workspace);
    const { parent } = fields;
    const labels = parent === undefined ? given : withPartLabels(given, parent, workspace);
    const issue = await workspace.issues.create({ title, body, labels, status, ...fields }, by);
    noteDependencies(context.io, workspace, issue);
    if (!context.isJson) {
      const { standing } = await workspace.standing(workspace.issues.getKnown(issue.number));
      noteWay(context.io, issue, standing);
    }
    return { output: { issue } };
  },
  render: ({ issue }, view) => renderChange("Created", issue, view),
});
