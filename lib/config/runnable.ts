// Determines how to run an agent from its settings. Pure.

import { HUMAN } from "../base/agent_names.ts";
import type { AgentConfig } from "./config.ts";

/** The settings that determine how an agent is run. */
export type RunSettings =
  & Pick<AgentConfig, "command" | "preset">
  & Partial<Pick<AgentConfig, "acp">>;

/** The preset of a model that an HTTP endpoint serves. */
export const HTTP = "http";

/** The preset of an agent that speaks the Agent Client Protocol; the settings name its program. */
export const ACP = "acp";

/** The preset of the models of an editor. They run only while the editor is open. */
export const EDITOR = "vscode";

/** The name of the settings for every role without its own settings. Only the user's own file can have them. */
export const DEFAULT_AGENT = "default";

/** Returns the key of the settings that serve a role; undefined if a human answers for the role. */
export function settingsKey(
  agents: Readonly<Record<string, unknown>>,
  role: string,
): string | undefined {
  if (Object.hasOwn(agents, role)) return role;
  return role !== HUMAN && Object.hasOwn(agents, DEFAULT_AGENT) ? DEFAULT_AGENT : undefined;
}

/** Returns the settings of a role, or the default settings; undefined if there are neither. */
export function settingsOf(
  agents: Readonly<Record<string, AgentConfig>>,
  role: string,
): AgentConfig | undefined {
  const key = settingsKey(agents, role);
  return key === undefined ? undefined : agents[key];
}

/** Returns the presets in order of preference; none if the settings have a command, which takes precedence. */
export function presetsOf({ command, preset }: RunSettings): readonly string[] {
  return command !== null || preset === null ? [] : [preset].flat();
}

export function isRunnable(agent: RunSettings | undefined): boolean {
  return agent !== undefined && (agent.command !== null || presetsOf(agent).length > 0);
}

/** Returns the command lines in the settings. A preset has only its program, which has the name of the preset. */
export function commandsOf(agent: RunSettings): readonly (readonly string[])[] {
  if (agent.command !== null) return [agent.command];
  return presetsOf(agent).filter((name) => name !== HTTP && name !== EDITOR)
    .map((name) => name === ACP ? agent.acp ?? [ACP] : [name]);
}
