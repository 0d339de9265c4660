/**
 * Whether the workflows let their agents ask whom the shipped ones let them ask. Workflows belong to
 * people: what is missing is shown, and never written.
 *
 * @module
 */

import type { Workflow } from "../config/workflow.ts";
import { shippedWorkflows } from "../workspace/init.ts";
import { type Finding, warn } from "./finding.ts";

/**
 * @param workflow one of the workspace
 * @returns a finding for each step that is missing, or may not ask any agent, where the shipped workflow
 *   of the same type lets its agent ask
 */
export function examineScopes(workflow: Workflow): Finding[] {
  const { type, steps } = workflow;
  const shipped = shippedWorkflows().find((one) => one.type === type);
  const asking = shipped?.steps.filter(({ canClarify }) => canClarify.length > 0) ?? [];
  return asking.flatMap(({ id, agent, canClarify }) => {
    const own = steps.filter((step) => step.agent === agent);
    if (own.some((step) => step.canClarify.length > 0)) return [];
    const line = `can_clarify = ${JSON.stringify(canClarify).replaceAll(",", ", ")}`;
    const next = own.length === 0
      ? `Add the step "${id}" of the shipped workflow: agent = "${agent}", ${line}`
      : `Add to its step "${own[0].id}": ${line}`;
    const message = `Workflow "${type}" does not let ${agent} ask any agent`;
    return [warn("workflows", message, next)];
  });
}
