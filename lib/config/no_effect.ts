// Settings that do nothing: they are checked but have no effect yet, or their key is probably a
// typo. Using one is not an error. Pure.

import { isObject, type JsonObject } from "../base/checks.ts";
import { nearest } from "../text/nearest.ts";
import { completeConfig } from "./content.ts";

/** The keys that are set but have no effect. */
export function settingsWithoutEffect({ mode, github }: JsonObject): string[] {
  return [
    ...(mode === "github" ? ["mode"] : []),
    ...(isSet(github, "repository") ? ["github.repository"] : []),
  ];
}

/**
 * Finds unknown keys that look like a setting, with the one that was probably meant. Any other key
 * may be another program's.
 */
export function likelySlips(content: JsonObject): Array<{ key: string; meant: string }> {
  const known = completeConfig({}) as unknown as JsonObject;
  return Object.keys(content).flatMap((key) => {
    const meant = Object.hasOwn(known, key) ? undefined : nearest(key, Object.keys(known));
    return meant === undefined ? [] : [{ key, meant }];
  });
}

function isSet(section: unknown, key: string): boolean {
  return isObject(section) && Object.hasOwn(section, key) && section[key] !== null;
}

export function noEffect(keys: readonly string[]): string {
  return `${keys.join(", ")} ${keys.length === 1 ? "has" : "have"} no effect yet`;
}
