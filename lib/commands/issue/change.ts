/**
 * The commands that change an issue: `agentx issue create`, `update`, `comment` and `close`.
 *
 * @module
 */

import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, issueNumber } from "../../cli/inputs.ts";
import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { optional } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import {
  dependencyGraph,
  findCycles,
  formatCycle,
  linksOf,
} from "../../work/issue/dependencies.ts";
import { DONE, type Issue } from "../../work/issue/issue.ts";
import { ISSUE_TYPES, typeOf } from "../../work/issue/labels.ts";
import { renderChange } from "../../work/render/issues.ts";
import type { Workspace } from "../../workspace/open.ts";
import { body, comment, labels, status, title } from "./input.ts";

export const create = defineCommand({
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
  render: ({ issue }, view) => renderChange("Created", issue, view),
});

export const update = defineCommand({
  kind: "issue",
  examples: [
    'agentx issue update 42 -s "In Review"',
    "agentx issue update -i 42 -l priority:p0 --remove-label needs:changes",
  ],
  input: {
    issue: issueNumber,
    title: optional(title),
    body: optional(body),
    label: optional(labels, "Labels to add; a type, priority or size replaces the old one", {
      short: "l",
    }),
    removeLabel: optional(labels, "Labels to remove"),
    status: optional(status),
    as: asAgent,
  },
  positional: ["issue"],
  async run(context, { issue, as, ...changes }) {
    const { title, body, status, label = [], removeLabel = [] } = changes;
    if (Object.values(changes).every((value) => value === undefined)) {
      const why = "nothing to change";
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

export const addComment = defineCommand({
  kind: "issue",
  examples: [
    'agentx issue comment 42 -c "Reproduced on Linux"',
    "agentx issue comment -i 42 --as reviewer -c - <review.md",
  ],
  input: { issue: issueNumber, comment, as: asAgent },
  positional: ["issue"],
  async run(context, { issue, comment, as }) {
    const by = actingAgent(context.io, as).name();
    const { issues } = await context.openWorkspace();
    return { output: { issue: await issues.update(issue, { comment }, by) } };
  },
  render: ({ issue }, view) => renderChange("Commented on", issue, view),
});

/** What waits for it may be ready then. */
export const close = defineCommand({
  kind: "issue",
  examples: ["agentx issue close 42", 'agentx issue close -i 42 -c "Fixed in 1.2"'],
  input: {
    issue: issueNumber,
    comment: optional(comment, "Comment to add"),
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

/**
 * Refuses a type that no workflow is for: nobody could ask about such an issue.
 *
 * @throws {AgentxError} `INVALID_INPUT`
 */
function checkType(
  command: string,
  labels: readonly string[],
  workspace: Pick<Workspace, "workflowTypes">,
): void {
  const type = typeOf({ labels: labels.map((label) => label.trim()) });
  if (type === undefined) return;
  const known = [...new Set([...workspace.workflowTypes(), ...ISSUE_TYPES])].sort();
  if (known.includes(type)) return;
  throw usageError(command, {
    field: "--label",
    value: `type:${type}`,
    why: `there is no workflow for type:${type}`,
    hint: `One of: ${known.join(", ")}.`,
  });
}

/**
 * Says at once what would keep an issue from ever being ready: it waits for one that does not exist,
 * or for itself.
 */
function noteDependencies(io: Io, { issues }: Workspace, issue: Issue): void {
  const { blockedBy, blocks } = linksOf(issue);
  if (blockedBy.length + blocks.length === 0) return;
  const { number } = issue;
  const known = issues.scan().issues;
  const numbers = new Set(known.map((other) => other.number));
  const missing = [...blockedBy, ...blocks].filter((other) => !numbers.has(other));
  for (const other of missing) {
    note(io, `#${number} names #${other}, and there is no such issue here`);
  }
  for (const cycle of findCycles(dependencyGraph(known))) {
    if (cycle.includes(number)) note(io, `these wait for each other: ${formatCycle(cycle)}`);
  }
}
