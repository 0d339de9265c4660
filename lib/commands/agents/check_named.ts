import { roleOf, SOME_AGENT } from "../../base/agent_names.ts";
import type { Context } from "../../cli/command.ts";
import { knownAgent } from "../../config/known_agent.ts";

/** Throws `INVALID_INPUT` for an agent that nobody knows here, under `--agent`; none is fine, and one without a role. */
export async function checkNamed(
  { openWorkspace }: Pick<Context, "openWorkspace">,
  agent: string | undefined,
): Promise<void> {
  if (agent === undefined || roleOf(agent) === SOME_AGENT) return;
  knownAgent(agent, { field: "--agent", known: (await openWorkspace()).knownAgents() });
}
