// Looks up, changes and removes settings by their keys. Pure.
//
// `setConfigValue` returns the changed content; the owner of the lock writes it. Keys that the schema does not know
// are kept.

import { isObject, type JsonObject, tryParseJson } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import type { Config } from "./config.ts";
import { SCHEMA } from "./content.ts";
import { nearest } from "../text/nearest.ts";
import { findMisfit, schemaAt } from "../base/json_schema.ts";

/**
 * Returns a setting such as `agents.architect.timeoutSeconds`, or a section such as `agents`. Throws `NOT_FOUND` if
 * the configuration has no such key.
 */
export function getConfigValue(config: Config, key: string): unknown {
  const value = valueAt(config as unknown as JsonObject, key);
  if (value !== undefined) return value;
  const isSetting = schemaAt(key.split("."), SCHEMA) !== undefined;
  const why = isSetting ? "it is not set" : "there is no such setting";
  throw new AgentxError("NOT_FOUND", `Cannot find setting "${key}": ${why}`, {
    details: { kind: "setting", id: key },
    next: nextOf(key),
  });
}

/** Returns advice for an unknown key: the key that was probably meant, or else how to list all keys. */
function nextOf(key: string): string {
  const names = key.split(".");
  const at = names.findIndex((_, index) =>
    schemaAt(names.slice(0, index + 1), SCHEMA) === undefined
  );
  const { properties = {} } = schemaAt(names.slice(0, Math.max(0, at)), SCHEMA) ?? {};
  const meant = at < 0 ? undefined : nearest(names[at], Object.keys(properties));
  return meant === undefined
    ? "List the settings with: agentx config show"
    : `Did you mean "${names.with(at, meant).join(".")}"?`;
}

/** Returns the value of a key with dots; undefined if the content does not set it. */
export function valueAt(content: JsonObject, key: string): unknown {
  let value: unknown = content;
  for (const name of key.split(".")) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/**
 * Changes one setting in a copy of the content. `valueText` is JSON; a text that is not JSON is taken as a string.
 * Throws `INVALID_INPUT` if the setting does not exist or the value is invalid.
 */
export function setConfigValue(
  content: Record<string, unknown>,
  key: string,
  valueText: string,
): Record<string, unknown> {
  const names = key.split(".");
  const parsed = tryParseJson(valueText);
  const value = parsed === undefined ? valueText : parsed; // `feature` needs no quotes
  const changed = withValue(content, names, value);
  const misfit = schemaAt(names, SCHEMA) === undefined
    ? { key, why: "there is no such setting" }
    : findMisfit(changed, SCHEMA);
  if (misfit === undefined) return changed;

  const why = misfit.key === key ? misfit.why : `"${misfit.key}" is invalid: ${misfit.why}`;
  throw new AgentxError("INVALID_INPUT", `Cannot set "${key}" to ${valueText}: ${why}`, {
    details: { field: key, value },
    next: nextOf(key),
  });
}

/**
 * Removes a setting or a section from a copy of the content. A section that becomes empty is removed too. Throws
 * `NOT_FOUND` if the content does not set the key.
 */
export function unsetConfigValue(content: JsonObject, key: string): JsonObject {
  const changed = withoutValue(content, key.split("."));
  if (changed !== undefined) return changed;
  throw new AgentxError("NOT_FOUND", `Cannot unset "${key}": this file does not set it`, {
    details: { kind: "setting", id: key },
    next: "List what is set with: agentx config show; --global edits your own settings",
  });
}

function withoutValue(
  object: JsonObject,
  [name, ...rest]: readonly string[],
): JsonObject | undefined {
  if (!Object.hasOwn(object, name)) return undefined;
  const { [name]: value, ...others } = object;
  if (rest.length === 0) return others;
  const inner = isObject(value) ? withoutValue(value, rest) : undefined;
  if (inner === undefined) return undefined;
  return Object.keys(inner).length === 0 ? others : { ...object, [name]: inner };
}

/** Returns a copy of the content with a value at a path of keys. */
export function withValue(
  object: JsonObject,
  names: readonly string[],
  value: unknown,
): JsonObject {
  const [name, ...rest] = names;
  if (rest.length === 0) return { ...object, [name]: value };
  const child = Object.hasOwn(object, name) ? object[name] : undefined;
  return { ...object, [name]: withValue(isObject(child) ? child : {}, rest, value) };
}
