// The labels of the parts of an issue.

import { typeOf } from "../work/issue/labels.ts";
import type { Workspace } from "./open.ts";

/** The labels, and the type that the workflow of the parent gives to parts, unless they name one. */
export function withPartType(
  labels: readonly string[],
  parent: number,
  { issues, workflowOf }: Pick<Workspace, "issues" | "workflowOf">,
): readonly string[] {
  if (typeOf({ labels: labels.map((label) => label.trim()) }) !== undefined) return labels;
  const type = workflowOf(issues.get(parent).number).partsWorkflow;
  return type === null ? labels : [...labels, `type:${type}`];
}
