// Checks the content of `config.json` against `config.schema.json`, which editors use too, and adds the defaults.
// Pure; `settings.ts` reads the files.

import { type JsonObject, parseJson } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import type { Config } from "./config.ts";
import schemaFile from "./config.schema.json" with { type: "json" };
import { findMisfit, type Schema, withDefaults } from "../base/json_schema.ts";

/** The schema of every value of a configuration. */
export const SCHEMA: Schema = schemaFile;

/** The maximum size of a settings file in bytes. A file written by hand is always smaller. */
export const MAX_CONFIG_BYTES = 2 ** 20;

/**
 * Reads the text of a configuration, without adding defaults. Throws `INVALID_CONFIG` if it is not
 * JSON or a value does not fit.
 */
export function parseContent(text: string, path: string): JsonObject {
  const json = jsonOf(text, path);
  const misfit = findMisfit(json, SCHEMA);
  if (misfit === undefined) return json as JsonObject;

  const key = misfit.key || null;
  const place = key === null ? "" : `key "${key}": `;
  throw new AgentxError("INVALID_CONFIG", `Cannot read "${path}": ${place}${misfit.why}`, {
    details: { path, line: null, key },
    next: "Correct the file; nothing was changed",
  });
}

/** Adds the defaults to content that fits the schema. */
export function completeConfig(content: JsonObject): Config {
  return withDefaults(content, SCHEMA) as unknown as Config;
}

function jsonOf(text: string, path: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const reason = (error as SyntaxError).message;
    const position = /at position (\d+)/.exec(reason)?.[1];
    const line = position === undefined ? null : text.slice(0, Number(position)).split("\n").length;
    const place = line === null ? "" : `line ${line}: `;
    throw new AgentxError("INVALID_CONFIG", `Cannot read "${path}": ${place}it is not JSON`, {
      details: { path, line, key: null },
      next: "Correct the file, without comments and trailing commas; nothing was changed",
      cause: error,
    });
  }
}
