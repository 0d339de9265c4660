// Chooses the labels for the parts of an issue.

import { priorityOf, typeOf } from "../work/issue/labels.ts";
import type { Workspace } from "./open.ts";

/**
 * Types for the parts of an issue, by its own type, if its workflow names none. Parts of other issues have the same
 * type as their issue.
 */
const PART_TYPES: Readonly<Record<string, string>> = { epic: "feature", feature: "story" };

/** Returns the labels, plus the parent's priority and the type for its parts if the labels lack them. */
export function withPartLabels(
  labels: readonly string[],
  parent: number,
  { issues, workflowOf, workflowTypes }: Pick<
    Workspace,
    "issues" | "workflowOf" | "workflowTypes"
  >,
): readonly string[] {
  const whole = issues.get(parent);
  const own = typeOf(whole) ?? "";
  const type = workflowOf(whole.number).partsWorkflow ?? PART_TYPES[own] ?? own;
  const given = { labels: labels.map((label) => label.trim()) };
  const isMissing = typeOf(given) === undefined && workflowTypes().includes(type);
  const priority = priorityOf(given) === null ? priorityOf(whole) : null;
  return [
    ...labels,
    ...isMissing ? [`type:${type}`] : [],
    ...priority === null ? [] : [priority],
  ];
}
