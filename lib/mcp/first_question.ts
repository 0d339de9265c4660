// Checks the first call of a tool that asks: it must contain the whole question. The role and the issue may be missing,
// because `agentx here` may have set them for the command.

import { actingAgent } from "../cli/acting_agent.ts";
import { AgentxError } from "../base/errors.ts";
import type { ToolRun } from "./tool.ts";

/** Throws `INVALID_INPUT` if a required argument is missing, or the role contradicts the environment. */
export function checkFirst(
  tool: string,
  { input, context: { io } }: ToolRun,
  { required, when = "", next }: { required: readonly string[]; when?: string; next: string },
): void {
  const missing = required.find((key) => input[key] === undefined);
  if (missing === undefined) return void actingAgent(io, input.from as string | undefined);
  throw new AgentxError("INVALID_INPUT", `Cannot call ${tool}: ${missing} is required${when}`, {
    details: { field: missing, value: null },
    next,
  });
}
