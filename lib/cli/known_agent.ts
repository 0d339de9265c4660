// Names must be known here, so that a typo takes nothing from another agent.

import { HUMAN, roleOf } from "../base/agent_names.ts";
import { quote } from "../base/quote.ts";
import type { Workspace } from "../workspace/open.ts";
import { nearest } from "../text/nearest.ts";
import { usageError } from "./usage_error.ts";

/** The agent, with its worker; throws `INVALID_INPUT` for an unknown one. */
export function knownAgent(
  command: string,
  { field, agent }: { field: string; agent: string },
  workspace: Pick<Workspace, "knownAgents">,
): string {
  const known = workspace.knownAgents();
  const role = roleOf(agent);
  if (role === HUMAN || known.has(role)) return agent;
  const meant = nearest(role, [...known]);
  throw usageError(command, {
    field,
    value: agent,
    why: `no agent ${quote(agent)} is known here`,
    hint: meant ? `Did you mean ${meant}?` : `Known agents: ${[...known].sort().join(", ")}.`,
  });
}
