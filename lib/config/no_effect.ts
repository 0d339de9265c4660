/**
 * Settings that are read and checked but do nothing yet; using one is not an error. Pure.
 *
 * @module
 */

import { isObject, type JsonObject } from "../checks.ts";

/**
 * @param content what the files of settings say, without defaults
 * @returns the keys that are set but have no effect
 */
export function settingsWithoutEffect({ mode, github }: JsonObject): string[] {
  return [
    ...(mode === "github" ? ["mode"] : []),
    ...(isSet(github, "repository") ? ["github.repository"] : []),
  ];
}

function isSet(section: unknown, key: string): boolean {
  return isObject(section) && Object.hasOwn(section, key) && section[key] !== null;
}

export function noEffect(keys: readonly string[]): string {
  return `${keys.join(", ")} ${keys.length === 1 ? "has" : "have"} no effect yet`;
}
