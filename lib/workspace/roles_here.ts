// The roles that exist in a workspace, whatever its settings say.

import { DOCUMENTED_AGENTS } from "../base/agent_names.ts";
import { AgentxError } from "../base/errors.ts";
import { DEFAULT_AGENT } from "../config/runnable.ts";
import { listWorkflows, readWorkflow } from "../config/workflow.ts";
import { sys } from "../sys/mod.ts";
import { nearest } from "../text/nearest.ts";

interface RolesPlace {
  tree: string;
  /** The folder of the workflows. */
  workflows: string;
  notify: (message: string) => void;
}

/**
 * Returns the agents of the documents, and those that workflows and `.github/agents/` name. An unreadable workflow is
 * only reported, because the issue may not need it.
 */
export function rolesHere({ tree, workflows, notify }: RolesPlace): Set<string> {
  const stepsOf = (type: string) => {
    try {
      return readWorkflow(workflows, type).steps;
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      notify(error.summary);
      return [];
    }
  };
  const files = sys.readDir(`${tree}/.github/agents`);
  return new Set([
    ...DOCUMENTED_AGENTS,
    ...files.flatMap((name) => /^(.+)\.agent\.md$/.exec(name)?.[1] ?? []),
    ...listWorkflows(workflows).flatMap((type) => stepsOf(type).map(({ agent }) => agent)),
  ]);
}

/** Returns the names under `agents` that look like a slip of an existing role. Other names may be new roles. */
export function likelyRoleSlips(
  agents: Readonly<Record<string, unknown>>,
  place: RolesPlace,
): Array<{ role: string; meant: string }> {
  const known = [...rolesHere(place), DEFAULT_AGENT];
  return Object.keys(agents).filter((role) => !known.includes(role)).flatMap((role) => {
    const meant = nearest(role, known);
    return meant === undefined ? [] : [{ role, meant }];
  });
}
