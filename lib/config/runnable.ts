// How the settings of an agent have it run. Pure.

import { HUMAN } from "../base/agent_names.ts";
import type { AgentConfig } from "./config.ts";

/** The settings that say how an agent is run. */
export type RunSettings = Pick<AgentConfig, "command" | "preset">;

/** The preset that is no program. */
export const HTTP = "http";

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

/** The presets in the order in which they are tried; none where a command wins over them. */
export function presetsOf({ command, preset }: RunSettings): readonly string[] {
  return command !== null || preset === null ? [] : [preset].flat();
}

export function isRunnable(agent: RunSettings | undefined): boolean {
  return agent !== undefined && (agent.command !== null || presetsOf(agent).length > 0);
}

/** The command lines in its settings: of a preset just the program, which has its name. */
export function commandsOf(agent: RunSettings): readonly (readonly string[])[] {
  if (agent.command !== null) return [agent.command];
  return presetsOf(agent).filter((name) => name !== HTTP).map((name) => [name]);
}
