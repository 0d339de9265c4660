import { roleOf, SOME_AGENT } from "../../base/agent_names.ts";
import type { Context } from "../../cli/command.ts";
import { knownAgent } from "../../config/known_agent.ts";

/**
 * Throws `INVALID_INPUT` under `--agent` if no such agent is known here. No agent, or one without a role, is accepted.
 */
export async function checkNamed(
  { openWorkspace }: Pick<Context, "openWorkspace">,
  agent: string | undefined,
): Promise<void> {
  if (agent === undefined || roleOf(agent) === SOME_AGENT) return;
  knownAgent(agent, { field: "--agent", known: (await openWorkspace()).knownAgents() });
}

/** Returns a hint that names the known agents, for a command line without one. */
export async function agentsHint(
  { openWorkspace }: Pick<Context, "openWorkspace">,
): Promise<string> {
  const names = [...(await openWorkspace()).knownAgents()].sort().join(", ");
  return `Agents here: ${names}; how each is run: agentx agents.`;
}
