// What a tool that asks needs: the whole question, and the role that asks.

import { actingAgent } from "../cli/acting_agent.ts";
import { AgentxError } from "../base/errors.ts";
import type { ToolRun } from "./tool.ts";

/**
 * Checks that a first question has all that is required, and a role that does not contradict the
 * environment. Throws `INVALID_INPUT` where something is missing, nobody says the role, or another
 * than the environment.
 */
export function checkFirst(
  tool: string,
  { input, context: { io } }: ToolRun,
  { required, when = "", next }: { required: readonly string[]; when?: string; next: string },
): void {
  const missing = required.find((key) => input[key] === undefined);
  if (missing !== undefined) throw notGiven(tool, missing, { when, next });
  const { isNamed } = actingAgent(io, input.from as string | undefined);
  if (isNamed) return;
  throw notGiven(tool, "from", { when: "", next: "Say in which role you ask, such as engineer" });
}

function notGiven(
  tool: string,
  field: string,
  { when, next }: { when: string; next: string },
): AgentxError<"INVALID_INPUT"> {
  return new AgentxError("INVALID_INPUT", `Cannot call ${tool}: ${field} is required${when}`, {
    details: { field, value: null },
    next,
  });
}
