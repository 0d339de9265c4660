/**
 * Settings that are read and checked, and do nothing yet: nobody is refused for them. Pure.
 *
 * @module
 */

import { completeConfig, type Config } from "./config.ts";

/**
 * @param config the settings that apply
 * @returns the keys that were changed from their default in vain
 */
export function settingsWithoutEffect({ mode, gate, agents }: Config): string[] {
  const defaults = completeConfig({});
  return [
    ...(mode === defaults.mode ? [] : ["mode"]),
    ...(gate.timeout === defaults.gate.timeout ? [] : ["gate.timeout"]),
    ...Object.entries(agents).filter(([, { preset }]) => preset !== null)
      .map(([agent]) => `agents.${agent}.preset`),
  ];
}

/** @returns in a sentence that they do nothing */
export function noEffect(keys: readonly string[]): string {
  return `${keys.join(", ")} ${keys.length === 1 ? "has" : "have"} no effect yet`;
}
