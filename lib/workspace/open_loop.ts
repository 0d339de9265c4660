// Sets up an agentic loop: with the model from an agent's settings, and the tools of the workspace.

import { checkDepth } from "../agents/depth.ts";
import { roleOf } from "../base/agent_names.ts";
import { AgentxError } from "../base/errors.ts";
import { AgenticLoop, type LoopTask, type MoreToDo } from "../run/agentic_loop.ts";
import type { AgenticLoopConfig } from "../run/loop_parts.ts";
import type { LoopReport } from "../run/steps.ts";
import { cameWithRepository } from "../base/origin.ts";
import { settingsOf } from "../config/runnable.ts";
import { workspaceTools } from "../run/tools/workspace_tools.ts";
import { TranscriptFiles } from "../run/transcript_files.ts";
import { originOf } from "./state_origin.ts";
import type { Workspace } from "./open.ts";

type LoopOptions = Omit<AgenticLoopConfig, "model" | "tools">;

/**
 * Lets an agent work with the model from its settings. Throws `INVALID_CONFIG` if no model is set for the agent;
 * `UNTRUSTED`; `AGENT_ERROR` if agents run each other too deep; and the errors of {@linkcode AgenticLoop.start}.
 */
export async function startLoop(
  task: LoopTask,
  workspace: Workspace,
  options: LoopOptions,
): Promise<LoopReport> {
  const agent = (await workspace.router()).checkAsker(task.agent);
  return await (await openLoop(agent, workspace, options)).start(task);
}

/**
 * Resumes a session. Throws the errors of {@linkcode startLoop} and {@linkcode AgenticLoop.resume}, and `UNTRUSTED`
 * if git tracks the transcript.
 */
export async function resumeLoop(
  id: string,
  more: MoreToDo,
  workspace: Workspace,
  options: LoopOptions,
): Promise<LoopReport> {
  const { root } = workspace;
  const files = new TranscriptFiles(`${root}/.agentx`);
  const { agent } = files.read(id);
  const path = files.pathOf(id);
  if (originOf(root).now()(path)) throw cameWithRepository(path); // foreign text would appear to be the agent's own
  return await (await openLoop(agent, workspace, options)).resume(id, more);
}

async function openLoop(
  agent: string,
  workspace: Workspace,
  options: LoopOptions,
): Promise<AgenticLoop> {
  const { root, config, trust, notify, model: ofEditor } = workspace;
  const role = roleOf(agent);
  const settings = settingsOf(config.agents, role);
  const tools = workspaceTools(workspace);
  checkDepth(agent);
  if (settings?.http == null) {
    if (ofEditor === undefined) throw noModel(role, root);
    return new AgenticLoop(workspace, { ...options, model: ofEditor, tools });
  }
  const { httpModel } = await import("../agents/http/http_model.ts");
  await (await trust()).check(role);
  const models = await (await trust()).models(role, notify);
  const { http, timeoutSeconds } = settings;
  const model = httpModel({ agent, http, models, timeoutMs: timeoutSeconds * 1_000, notify });
  return new AgenticLoop(workspace, { ...options, model, tools });
}

function noModel(role: string, root: string): AgentxError<"INVALID_CONFIG"> {
  const key = `agents.${role}.http`;
  return new AgentxError("INVALID_CONFIG", `Cannot run ${role} with tools: ${key} is not set`, {
    details: { path: `${root}/.agentx/config.json`, line: null, key },
    next: `Name its model with: agentx config set ${key} '{ "url": "https://api.openai.com/v1", ` +
      `"model": "gpt-5", "keyEnv": "OPENAI_API_KEY" }'`,
  });
}
