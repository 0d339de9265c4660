import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, issueNumber } from "../../cli/inputs.ts";
import { flag, optional } from "../../cli/spec.ts";
import { DONE } from "../../work/issue/issue.ts";
import { usageError } from "../../cli/usage_error.ts";
import { renderChange } from "./render.ts";
import { blockedBy, body, due, labels, milestone, parent, status, title } from "./input.ts";
import { checkSteps, closeParts, forced } from "./status_check.ts";
import { checkType, noteDependencies, withTypeNames } from "./checks.ts";

export const command = defineCommand({
  kind: "issue",
  examples: [
    'agentx issue edit 42 -s "In Review"',
    "agentx issue edit -i 42 -l priority:p0 --remove-label needs:changes",
    'agentx issue edit 42 --parent 12 --due 2026-12-24 --milestone "1.0"',
  ],
  input: {
    issue: issueNumber,
    title: optional(title),
    body: optional(body),
    label: optional(labels, "Labels to add; a type, priority or size replaces the old one", {
      short: "l",
    }),
    removeLabel: optional(labels, "Labels to remove"),
    blockedBy: optional(blockedBy),
    status: optional(status),
    parent,
    noParent: flag("Remove it from its parent issue"),
    due,
    milestone,
    ...forced,
    as: asAgent,
  },
  conflicts: { noParent: ["parent"] },
  needs: { force: ["status"], because: ["force"] },
  positional: ["issue"],
  async run(context, { issue, as, noParent, force, because, ...changes }) {
    const { title, body, status, removeLabel = [], due, milestone } = changes;
    const parent = noParent ? null : changes.parent;
    if (!noParent && Object.values(changes).every((value) => value === undefined)) {
      const why = "nothing to change";
      throw usageError(context.name, { field: "arguments", value: null, why });
    }
    const by = actingAgent(context.io, as).name();
    const workspace = await context.openWorkspace();
    const { label: labels = [], blockedBy = [] } = changes;
    const label = [...withTypeNames(context.io, labels, workspace), ...blockedBy];
    checkType(context.name, label, workspace);
    if (status !== undefined) {
      await checkSteps(context, workspace, { issue, status, force, because });
      if (status === DONE) await closeParts(context, workspace, { issue, withParts: false, by });
    }
    const removeLabels = removeLabel.map((label) => label.trim());
    const fields = { title, body, status, parent, due, milestone };
    const update = { ...fields, addLabels: label, removeLabels };
    const changed = await workspace.issues.update(issue, update, by);
    if (label.length > 0 || body !== undefined) noteDependencies(context.io, workspace, changed);
    return { output: { issue: changed } };
  },
  render: ({ issue }, view) => renderChange("Updated", issue, view),
});
