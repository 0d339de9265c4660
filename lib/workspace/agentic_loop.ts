/**
 * Wires an agentic loop: the model that the settings of an agent name, and the tools of the workspace.
 *
 * @module
 */

import { roleOf } from "../agent_names.ts";
import { AgentxError } from "../errors.ts";
import { AgenticLoop } from "../loop/agentic_loop.ts";
import type { AgenticLoopConfig } from "../loop/loop_parts.ts";
import { workspaceTools } from "../loop/tools/workspace_tools.ts";
import type { Workspace } from "./open.ts";

/**
 * @param agent with or without a worker
 * @param workspace its settings, and the user's consent to them
 * @param options limits, and who hears of the steps
 * @returns a loop of that agent
 * @throws {AgentxError} `INVALID_CONFIG` where no model is set for it; `UNTRUSTED`
 */
export async function openLoop(
  agent: string,
  workspace: Workspace,
  options: Omit<AgenticLoopConfig, "model" | "tools">,
): Promise<AgenticLoop> {
  const { root, config, trust } = workspace;
  const role = roleOf(agent);
  const settings = Object.hasOwn(config.agents, role) ? config.agents[role] : undefined;
  if (settings?.http == null) throw noModel(role, root);
  await (await trust()).check(role);
  const { httpModel } = await import("../agents/http/http_model.ts");
  const { http, timeoutSeconds } = settings;
  const model = httpModel({ agent, http, timeoutMs: timeoutSeconds * 1_000 });
  return new AgenticLoop(workspace, { ...options, model, tools: workspaceTools(workspace) });
}

function noModel(role: string, root: string): AgentxError<"INVALID_CONFIG"> {
  const key = `agents.${role}.http`;
  return new AgentxError("INVALID_CONFIG", `Cannot run ${role} with tools: ${key} is not set`, {
    details: { path: `${root}/.agentx/config.json`, line: null, key },
    next: `Set ${key}.url, ${key}.model and ${key}.keyEnv, such as with: ` +
      `agentx config set ${key}.url https://api.openai.com/v1`,
  });
}
