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
import { ISSUE_TYPES, typeOf } from "../../work/issue/labels.ts";
import type { Workspace } from "../../workspace/open.ts";

/** A type alone is taken for the label of that type, where no issue has such a label. */
export function withTypeNames(
  io: Io,
  labels: readonly string[],
  { issues }: Workspace,
): readonly string[] {
  if (!labels.some((label) => ISSUE_TYPES.includes(label.trim()))) return labels;
  const known = new Set(issues.scan().issues.flatMap((issue) => issue.labels));
  return labels.map((label) => {
    const name = label.trim();
    if (!ISSUE_TYPES.includes(name) || known.has(name)) return label;
    note(io, `${name} is understood as type:${name}`);
    return `type:${name}`;
  });
}

/**
 * Refuses a type that no workflow is for: nobody could ask about such an issue.
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
