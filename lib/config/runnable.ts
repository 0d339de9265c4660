/**
 * What the settings of an agent have it run by. Pure.
 *
 * @module
 */

import type { AgentConfig } from "./config.ts";

/** What of an agent's settings says how it is run. */
export type RunSettings = Pick<AgentConfig, "command" | "preset">;

/** The preset that is no program. */
export const HTTP = "http";

/** @returns the presets in the order in which they are tried; none where a command wins over them */
export function presetsOf({ command, preset }: RunSettings): readonly string[] {
  return command !== null || preset === null ? [] : [preset].flat();
}

/** @returns whether the agent can be run */
export function isRunnable(agent: RunSettings): boolean {
  return agent.command !== null || presetsOf(agent).length > 0;
}

/**
 * @returns the command lines that come from its settings: of a preset just the program, which has its
 *   name
 */
export function commandsOf(agent: RunSettings): readonly (readonly string[])[] {
  if (agent.command !== null) return [agent.command];
  return presetsOf(agent).filter((name) => name !== HTTP).map((name) => [name]);
}
