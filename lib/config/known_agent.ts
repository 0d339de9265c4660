// Agents must be known here, so that a typo takes nothing from another agent. Pure.

import { HUMAN, roleOf } from "../base/agent_names.ts";
import { AgentxError } from "../base/errors.ts";
import { quote } from "../base/quote.ts";
import { nearest } from "../text/nearest.ts";

/** Where a name was given, and the roles that are known. */
export interface NamedAgent {
  /** The flag or argument. */
  field: string;
  known: ReadonlySet<string>;
}

/** The agent, with its worker, or the human; throws `INVALID_INPUT` for any other name. */
export function knownAgent(agent: string, { field, known }: NamedAgent): string {
  const role = roleOf(agent);
  if (role === HUMAN || known.has(role)) return agent;
  throw unknownAgent(agent, { field, known });
}

/** The error for a name that neither settings nor workflows have. */
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
