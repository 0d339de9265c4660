// The commands that change an issue: `agentx issue create`, `update`, `comment` and `close`.

import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, issueNumber } from "../../cli/inputs.ts";
import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { readSource } from "../../cli/read_source.ts";
import { argument, flag, optional, rule, word } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { AgentxError } from "../../base/errors.ts";
import { NEEDS_HUMAN } from "../../clarify/render/outcome.ts";
import { planParts } from "../../inbox/plan.ts";
import { renderProposed } from "../../inbox/render.ts";
import {
  dependencyGraph,
  findCycles,
  formatCycle,
  linksOf,
} from "../../work/issue/dependencies.ts";
import { criteriaOf, withCriterion } from "../../work/issue/criteria.ts";
import { DONE, type Issue } from "../../work/issue/issue.ts";
import { ISSUE_TYPES, typeOf } from "../../work/issue/labels.ts";
import { renderChange, renderCriteria } from "../../work/render/issues.ts";
import type { Workspace } from "../../workspace/open.ts";
import { withPartType } from "../../workspace/part_labels.ts";
import { body, comment, due, labels, milestone, parent, status, title } from "./input.ts";
import { checkSteps, forced } from "./status_check.ts";
import { noteAssumptions } from "./assumptions.ts";

export const create = defineCommand({
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
    const labels = parent === undefined ? label : withPartType(label, parent, workspace);
    const issue = await workspace.issues.create({ title, body, labels, status, ...fields }, by);
    noteDependencies(context.io, workspace, issue);
    return { output: { issue } };
  },
  render: ({ issue }, view) => renderChange("Created", issue, view),
});

export const update = defineCommand({
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
    const { title, body, status, label = [], removeLabel = [], due, milestone } = changes;
    const parent = noParent ? null : changes.parent;
    if (!noParent && Object.values(changes).every((value) => value === undefined)) {
      const why = "nothing to change";
      throw usageError(context.name, { field: "arguments", value: null, why });
    }
    const by = actingAgent(context.io, as).name();
    const workspace = await context.openWorkspace();
    checkType(context.name, label, workspace);
    if (status !== undefined) {
      await checkSteps(context, workspace, { issue, status, force, because });
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

/** Ticks an acceptance criterion in the body of an issue. */
export const check = defineCommand({
  kind: "issue",
  examples: ["agentx issue check 42 1", "agentx issue check 42 1 --undo"],
  input: {
    undo: flag("Untick it"),
    as: asAgent,
    issue: issueNumber,
    item: argument(
      { ...rule(/^[1-9]\d{0,4}$/, "be a whole number from 1"), read: Number },
      "Which criterion, from 1",
    ),
  },
  positional: ["issue", "item"],
  async run(context, { issue: number, item, undo, as }) {
    const by = actingAgent(context.io, as).name();
    const { issues } = await context.openWorkspace();
    const issue = await issues.change(number, by, (issue) => {
      const body = withCriterion(issue.body, item, !undo);
      if (body === undefined) throw noCriterion(issue, item);
      issue.body = body;
    });
    return { output: { issue } };
  },
  render: ({ issue }, view) => renderCriteria(issue, view),
});

function noCriterion({ number, body }: Issue, item: number): AgentxError<"NOT_FOUND"> {
  const count = criteriaOf(body).length;
  const why = `it has ${count === 0 ? "none" : count}`;
  return new AgentxError("NOT_FOUND", `Cannot find criterion ${item} of #${number}: ${why}`, {
    details: { kind: "criterion", id: String(item) },
    next:
      'Criteria are items such as "- [ ] ..." under a heading "Acceptance criteria" of the body',
  });
}

/** Cuts an issue into parts: at once for a person, once a person approves it for an agent. */
export const split = defineCommand({
  kind: "issue.split",
  examples: ["agentx issue split 42 <titles.txt", "agentx issue split 42 plan.md"],
  input: {
    as: asAgent,
    issue: issueNumber,
    file: optional(word, "A title on each line, or groups with what they depend on", {
      placeholder: "FILE|-",
    }),
  },
  positional: ["issue", "file"],
  async run(context, { issue, file = "-", as }) {
    const by = actingAgent(context.io, as).name();
    const workspace = await context.openWorkspace();
    const text = await readSource(file, context.io);
    const { issues, plan } = await planParts(workspace, issue, { text, by });
    const output = { parent: issue, issues, plan: plan?.id ?? null };
    return { output, exitCode: plan === null ? 0 : NEEDS_HUMAN };
  },
  render: ({ issues, plan }, view) =>
    plan === null
      ? issues.map((issue) => renderChange("Created", issue, view)).join("\n")
      : renderProposed(plan),
});

/** What waits for it may be ready then. */
export const close = defineCommand({
  kind: "issue",
  examples: ["agentx issue close 42", 'agentx issue close -i 42 -c "Fixed in 1.2"'],
  input: {
    issue: issueNumber,
    comment: optional(comment, "Comment to add"),
    ...forced,
    as: asAgent,
  },
  needs: { because: ["force"] },
  positional: ["issue"],
  async run(context, { issue, comment, force, because, as }) {
    const by = actingAgent(context.io, as).name();
    const workspace = await context.openWorkspace();
    await checkSteps(context, workspace, { issue, status: DONE, force, because });
    const closed = await workspace.issues.update(issue, { status: DONE, comment }, by);
    noteAssumptions(context.io, workspace, closed.number);
    return { output: { issue: closed } };
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
