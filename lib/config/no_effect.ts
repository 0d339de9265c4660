// Finds settings that do nothing: those without effect in this mode, and those with a key that is probably a typo.
// Such a setting is not an error. Pure.

import { isObject, type JsonObject } from "../base/checks.ts";
import { nearest } from "../text/nearest.ts";
import { completeConfig } from "./content.ts";

/** Returns a setting that has no effect in this mode; undefined if there is none. */
export function idleSetting({ github, mode }: JsonObject): string | undefined {
  if (mode === "github") return undefined;
  const isSet = isObject(github) && (github.repository ?? null) !== null;
  return isSet ? "github.repository" : undefined;
}

/**
 * Finds unknown keys that resemble a known key, each with that known key. Any other unknown key may belong to
 * another program.
 */
export function likelySlips(content: JsonObject): Array<{ key: string; meant: string }> {
  const known = completeConfig({}) as unknown as JsonObject;
  return Object.keys(content).flatMap((key) => {
    const meant = Object.hasOwn(known, key) ? undefined : nearest(key, Object.keys(known));
    return meant === undefined ? [] : [{ key, meant }];
  });
}

/** Returns the message about an {@linkcode idleSetting}. */
export function noEffect(key: string): string {
  return `${key} has no effect in mode local`;
}
