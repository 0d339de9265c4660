// How the settings of an agent have it run. Pure.

import { HUMAN } from "../base/agent_names.ts";
import type { AgentConfig } from "./config.ts";

/** The settings that say how an agent is run. */
export type RunSettings =
  & Pick<AgentConfig, "command" | "preset">
  & Partial<Pick<AgentConfig, "acp">>;

/** The preset of a model behind an address. */
export const HTTP = "http";

/** The preset of an agent that speaks the Agent Client Protocol; the settings name its program. */
export const ACP = "acp";

/** The preset of the models that an editor has, which only run while it is open. */
export const EDITOR = "vscode";

/** The settings for every role that has none of its own: in the user's own file alone. */
export const DEFAULT_AGENT = "default";

/** Under which name the settings of a role stand; undefined where a human answers for it. */
export function settingsKey(
  agents: Readonly<Record<string, unknown>>,
  role: string,
): string | undefined {
  if (Object.hasOwn(agents, role)) return role;
  return role !== HUMAN && Object.hasOwn(agents, DEFAULT_AGENT) ? DEFAULT_AGENT : undefined;
}

/** The settings of a role, or those for every role without; undefined where there are none. */
export function settingsOf(
  agents: Readonly<Record<string, AgentConfig>>,
  role: string,
): AgentConfig | undefined {
  const key = settingsKey(agents, role);
  return key === undefined ? undefined : agents[key];
}

/** The presets in the order of their tries; none if a command wins over them. */
export function presetsOf({ command, preset }: RunSettings): readonly string[] {
  return command !== null || preset === null ? [] : [preset].flat();
}

export function isRunnable(agent: RunSettings | undefined): boolean {
  return agent !== undefined && (agent.command !== null || presetsOf(agent).length > 0);
}

/** The command lines in its settings: of a preset just the program, which has its name. */
export function commandsOf(agent: RunSettings): readonly (readonly string[])[] {
  if (agent.command !== null) return [agent.command];
  return presetsOf(agent).filter((name) => name !== HTTP && name !== EDITOR)
    .map((name) => name === ACP ? agent.acp ?? [ACP] : [name]);
}
