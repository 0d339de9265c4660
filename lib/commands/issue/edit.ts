import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, issueNumber } from "../../cli/inputs.ts";
import { knownAgent } from "../../config/known_agent.ts";
import { flag, optional } from "../../cli/spec.ts";
import { AgentxError } from "../../base/errors.ts";
import { DONE } from "../../work/issue/issue.ts";
import { usageError } from "../../cli/usage_error.ts";
import { renderChange } from "./render.ts";
import {
  assignee,
  blockedBy,
  body,
  due,
  labels,
  milestone,
  parent,
  seen,
  status,
  title,
} from "./input.ts";
import { noteUnchanged } from "./unchanged_note.ts";
import { checkSteps, closeParts, forced } from "./status_check.ts";
import {
  checkBlockers,
  checkLabelOptions,
  checkSlips,
  checkType,
  noteDependencies,
  withTypeNames,
} from "./checks.ts";

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
    noParent: flag("Remove the issue from its parent"),
    due,
    milestone,
    assignee,
    seen,
    ...forced,
    as: asAgent,
  },
  conflicts: { noParent: ["parent"] },
  needs: { force: ["status"], because: ["status"] },
  positional: ["issue"],
  async run(context, { issue, as, noParent, force, because, seen, ...changes }) {
    const { title, body, status, removeLabel = [], due, milestone, assignee } = changes;
    const parent = noParent ? null : changes.parent;
    if (!noParent && Object.values(changes).every((value) => value === undefined)) {
      const why = "nothing to change";
      throw usageError(context.name, { field: "arguments", value: null, why });
    }
    const acting = actingAgent(context.io, as);
    const by = acting.name();
    const workspace = await context.openWorkspace();
    if (assignee !== undefined) {
      if (acting.session !== undefined) throw onlyPeople(issue, acting.session);
      if (assignee) {
        knownAgent(assignee, { field: "--assignee", known: workspace.knownAgents() });
      }
    }
    const before = workspace.issues.get(issue);
    const { label: labels = [], blockedBy = [] } = changes;
    const label = [...withTypeNames(context.io, labels, workspace), ...blockedBy];
    checkType(context.name, label, workspace);
    checkSlips(context.name, label, workspace);
    checkBlockers(blockedBy, workspace);
    checkLabelOptions(context.name, { number: issue, added: label, removed: removeLabel });
    if (status !== undefined) {
      await checkSteps(context, workspace, { issue, status, force, because });
      if (status === DONE) await closeParts(context, workspace, { issue, withParts: false, by });
    }
    const removeLabels = removeLabel.map((label) => label.trim());
    const comment = force ? undefined : because;
    const fields = { title, body, status, parent, due, milestone, assignee, seen, comment };
    const update = { ...fields, addLabels: label, removeLabels };
    const changed = await workspace.issues.update(issue, update, by);
    noteUnchanged(context.io, before, changed);
    if (label.length > 0 || body !== undefined) noteDependencies(context.io, workspace, changed);
    return { output: { issue: changed } };
  },
  render: ({ issue }, view) => renderChange("Updated", issue, view),
});

/**
 * Makes the error for an agent that assigns an issue. An agent claims an issue, and others can see when the claim ends.
 */
function onlyPeople(number: number, session: string): AgentxError<"NOT_READY"> {
  const why = `only a person assigns it, and this is a session of an agent, since ${session}`;
  return new AgentxError("NOT_READY", `Cannot assign #${number}: ${why}`, {
    details: { issueNumber: number, reasons: [why] },
    next: `Take it with: agentx ready --claim AGENT --issue ${number}`,
  });
}
