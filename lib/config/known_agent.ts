// Checks that a named agent is known in this workspace, so that a typo does not go unnoticed. Pure.

import { HUMAN, roleOf } from "../base/agent_names.ts";
import { AgentxError } from "../base/errors.ts";
import { quote } from "../base/quote.ts";
import { nearest } from "../text/nearest.ts";

/** The place where a name was given, and the known roles. */
export interface NamedAgent {
  /** The flag or argument that has the name. */
  field: string;
  known: ReadonlySet<string>;
}

/** Returns the name if it is the human or an agent with a known role; throws `INVALID_INPUT` for any other name. */
export function knownAgent(agent: string, { field, known }: NamedAgent): string {
  const role = roleOf(agent);
  if (role === HUMAN || known.has(role)) return agent;
  throw unknownAgent(agent, { field, known });
}

/** Returns the error for a name that neither settings nor workflows contain. */
export function unknownAgent(
  agent: string,
  { field, known }: NamedAgent,
): AgentxError<"INVALID_INPUT"> {
  const meant = nearest(roleOf(agent), [...known]);
  const all = [...known].sort().join(", ");
  const why = "no such agent is known here";
  return new AgentxError("INVALID_INPUT", `Cannot find agent ${quote(agent)}: ${why}`, {
    details: { field, value: agent },
    next: `${
      meant ? `Did you mean ${meant}? ` : ""
    }Known agents: ${all}; more can be named in .agentx/config.json`,
  });
}
