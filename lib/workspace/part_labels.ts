// The labels of the parts of an issue.

import { priorityOf, typeOf } from "../work/issue/labels.ts";
import type { Workspace } from "./open.ts";

/** The type of the parts, by the type of their issue, where its workflow names none; other types pass on their own. */
const PART_TYPES: Readonly<Record<string, string>> = { epic: "feature", feature: "story" };

/** The labels, and for those that are missing the priority of the parent and the type of its parts. */
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
