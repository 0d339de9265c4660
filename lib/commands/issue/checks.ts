// Checks of an issue that `agentx issue create` and `edit` share.

import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { usageError } from "../../cli/usage_error.ts";
import {
  dependencyGraph,
  findCycles,
  formatCycle,
  linksOf,
} from "../../work/issue/dependencies.ts";
import type { Issue } from "../../work/issue/issue.ts";
import { ISSUE_TYPES, meantLabel, typeOf } from "../../work/issue/labels.ts";
import { nearest } from "../../text/nearest.ts";
import type { Workspace } from "../../workspace/open.ts";

/** Reads a type alone, or `P1`, as the label that it means, unless an issue has a label of that name. */
export function withTypeNames(
  io: Io,
  labels: readonly string[],
  { issues }: Workspace,
): readonly string[] {
  const meant = (name: string) =>
    ISSUE_TYPES.includes(name)
      ? `type:${name}`
      : /^P[0-3]$/.test(name)
      ? name.toLowerCase()
      : undefined;
  if (!labels.some((label) => meant(label.trim()) !== undefined)) return labels;
  const known = new Set(issues.scan().issues.flatMap((issue) => issue.labels));
  return labels.map((label) => {
    const name = label.trim();
    const other = meant(name);
    if (other === undefined || known.has(name)) return label;
    note(io, `${name} is understood as ${other}`);
    return other;
  });
}

/** Refuses a label that is both added and removed, and an issue that would wait for itself. */
export function checkLabelOptions(
  command: string,
  { number, added, removed }: {
    number: number;
    added: readonly string[];
    removed: readonly string[];
  },
): void {
  const both = added.find((label) => removed.includes(label.trim()));
  const own = added.find((label) => {
    const { blockedBy, blocks } = linksOf({ labels: [label.trim()], body: "" });
    return [...blockedBy, ...blocks].includes(number);
  });
  const [value, why] = both !== undefined
    ? [both, "it is added and removed"]
    : [own, `#${number} cannot wait for itself`];
  if (value !== undefined) throw usageError(command, { field: "--label", value, why });
}

/** Refuses a label that is close to one with a meaning here, unless an issue has it already. Throws `INVALID_INPUT`. */
export function checkSlips(
  command: string,
  labels: readonly string[],
  workspace: Pick<Workspace, "issues" | "workflowTypes">,
): void {
  for (const label of labels.map((label) => label.trim())) {
    const meant = meantLabel(label, typesOf(workspace));
    if (meant === undefined) continue;
    const { issues } = workspace.issues.scan();
    if (issues.some((issue) => issue.labels.includes(label))) continue;
    throw usageError(command, {
      field: "--label",
      value: label,
      why: `the label ${label} says nothing to agentx`,
      hint: `Did you mean ${meant}?`,
    });
  }
}

/** Throws `NOT_FOUND` for a blocker that is no issue here. Only labels are checked: a body may name a later issue. */
export function checkBlockers(labels: readonly string[], { issues }: Workspace): void {
  for (const number of linksOf({ labels: [...labels], body: "" }).blockedBy) issues.get(number);
}

function typesOf({ workflowTypes }: Pick<Workspace, "workflowTypes">): string[] {
  return [...new Set([...workflowTypes(), ...ISSUE_TYPES])].sort();
}

/**
 * Refuses a type without a workflow: nobody could ask about such an issue.
 *
 * @throws {AgentxError} `INVALID_INPUT`
 */
export function checkType(
  command: string,
  labels: readonly string[],
  workspace: Pick<Workspace, "workflowTypes">,
): void {
  const type = typeOf({ labels: labels.map((label) => label.trim()) });
  if (type === undefined) return;
  const known = typesOf(workspace);
  if (known.includes(type)) return;
  const meant = nearest(type, known);
  throw usageError(command, {
    field: "--label",
    value: `type:${type}`,
    why: `there is no workflow for type:${type}`,
    hint: `${meant ? `Did you mean type:${meant}? ` : ""}One of: ${known.join(", ")}.`,
  });
}

/** Notes at once why an issue can never be ready: it waits for an issue that does not exist, or for itself. */
export function noteDependencies(io: Io, { issues }: Workspace, issue: Issue): void {
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
