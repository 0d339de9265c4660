// The needs of a tool that asks: the whole question. Its command knows the role and the issue that `agentx here` set.

import { actingAgent } from "../cli/acting_agent.ts";
import { AgentxError } from "../base/errors.ts";
import type { ToolRun } from "./tool.ts";

/** Throws `INVALID_INPUT` where something that is required is missing, or a role contradicts the environment. */
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
