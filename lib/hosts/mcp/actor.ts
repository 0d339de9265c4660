/**
 * Who asks through a tool: always an agent, in a role that somebody has said.
 *
 * @module
 */

import { type ActingAgent, actingAgent } from "../../cli/acting_agent.ts";
import type { Io } from "../../cli/io.ts";
import { AgentxError } from "../../errors.ts";

/**
 * @param tool that is called
 * @param io the environment of the call
 * @param from as the call says it
 * @throws {AgentxError} `INVALID_INPUT` where nobody says the role, or another than the environment
 */
export function askingAgent(tool: string, io: Io, from: string | undefined): ActingAgent {
  const acting = actingAgent(io, from);
  if (acting.isNamed) return acting;
  throw new AgentxError("INVALID_INPUT", `Cannot call ${tool}: from is required`, {
    details: { field: "from", value: null },
    next: "Say in which role you ask, such as engineer",
  });
}
