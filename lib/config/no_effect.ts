// Settings that do nothing: they have no effect in this mode, or their key is probably a
// typo. Using one is not an error. Pure.

import { isObject, type JsonObject } from "../base/checks.ts";
import { nearest } from "../text/nearest.ts";
import { completeConfig } from "./content.ts";

/** The setting that does nothing in this mode; undefined where it is not set. */
export function idleSetting({ github, mode }: JsonObject): string | undefined {
  if (mode === "github") return undefined;
  const isSet = isObject(github) && (github.repository ?? null) !== null;
  return isSet ? "github.repository" : undefined;
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

/** The sentence on an {@linkcode idleSetting}. */
export function noEffect(key: string): string {
  return `${key} has no effect in mode local`;
}
