/**
 * The content of `config.json`: checked against `config.schema.json`, which editors use too, and
 * completed with its defaults. Pure; `settings.ts` reads the files.
 *
 * {@linkcode setConfigValue} makes the changed content, and leaves writing it to the owner of the
 * lock. Keys that the schema does not know are kept.
 *
 * @module
 */

import { isObject, type JsonObject } from "../checks.ts";
import { AgentxError } from "../errors.ts";
import schemaFile from "./config.schema.json" with { type: "json" };
import { findMisfit, type Schema, schemaAt, withDefaults } from "./json_schema.ts";

/** The settings of a workspace (DESIGN section 4). */
export interface Config {
  /** Where issues live. @default {"local"} */
  mode: "local" | "github";
  /** Workflow of an issue that has no `type:` label. @default {"feature"} */
  defaultWorkflow: string;
  /** How to run each agent, by role. @default {{}} */
  agents: Record<string, AgentConfig>;
  /** Clarifications. */
  clarify: {
    /** Time before the one retry of an agent that failed to answer. @default {30} */
    retryDelaySeconds: number;
    /** Questions and answers that agents write on one issue before a human is asked. @default {40} */
    maxTurns: number;
  };
  /** Memory across sessions. */
  memory: {
    /** Whether observations are captured and recalled. @default {true} */
    enabled: boolean;
    /** Token budget for what is recalled at the start of a session; 0 for no recall. @default {20000} */
    maxTokens: number;
    /** What observations may take before the least recently recalled are archived; 0 for no limit. @default {0} */
    maxMegabytes: number;
  };
  /** Questions to humans. */
  gate: {
    /** How long a question to a human stays open: `90s`, `5m`, `2h` or `never`. @default {"5m"} */
    timeout: string;
    /** Topics that a human is asked about, whatever the blocker, phase and session. @default {[]} */
    alwaysAsk: string[];
    /** Topics that agents decide by themselves. @default {[]} */
    neverAsk: string[];
  };
  /** What waits for the human. A repository has no say in it. */
  inbox: {
    /** Program and arguments that tell the human, with what waits as JSON on its input. @default {[]} */
    notify: string[];
    /** How long something waits before the human is told. @default {60} */
    notifyAfterSeconds: number;
  };
  /** The iterative loop of an issue. */
  loop: {
    /** Whether work is handed over only after its loop is complete. @default {false} */
    required: boolean;
  };
  /** Mode `github`. */
  github: {
    /** Repository of the issues, as `owner/name`. @default {null} */
    repository: string | null;
  };
}

/** How to run an agent: by its `command`, else by its `preset`; without both, it is not run. */
export interface AgentConfig {
  /** Program and arguments, without a shell. @default {null} */
  command: string[] | null;
  /**
   * Coding agents that the toolkit knows how to run, or `http`; of a list, the next one runs where one is
   * missing, rate-limited or fails.
   *
   * @default {null}
   */
  preset: string | string[] | null;
  /** What the preset `http` asks. @default {null} */
  http: HttpConfig | null;
  /** Time for one run. @default {300} */
  timeoutSeconds: number;
  /** Names of variables to pass on, besides those of its own vendor. @default {[]} */
  passEnv: string[];
  /** Variables to set for it, by name. @default {{}} */
  env: Record<string, string>;
}

/** A model behind HTTP. */
export interface HttpConfig {
  /** Whose interface the endpoint has. @default {"openai"} */
  api: "openai" | "anthropic";
  /** Base address, such as `https://api.openai.com/v1`. @default {null} */
  url: string | null;
  /** Name of the model. @default {null} */
  model: string | null;
  /** Name of the variable that holds the key; null where none is needed. @default {null} */
  keyEnv: string | null;
  /** Longest reply, in tokens; null for 4096, or what an OpenAI-compatible endpoint allows. @default {null} */
  maxTokens: number | null;
}

const SCHEMA: Schema = schemaFile;

/** The largest settings file, in bytes: larger than anything written by hand. */
export const MAX_CONFIG_BYTES = 2 ** 20;

/**
 * Reads the text of a configuration.
 *
 * @param text JSON
 * @param path where it comes from, for messages only
 * @returns all settings, with defaults for what the text leaves out
 * @throws {AgentxError} INVALID_CONFIG if the text is not JSON or a value does not fit
 */
export function parseConfig(text: string, path: string): Config {
  return completeConfig(parseContent(text, path));
}

/**
 * Reads the text of a configuration without adding defaults.
 *
 * @param path where the text comes from, for messages only
 * @throws {AgentxError} INVALID_CONFIG if the text is not JSON or a value does not fit
 */
export function parseContent(text: string, path: string): JsonObject {
  const json = parseJson(text, path);
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

/**
 * Looks up a setting.
 *
 * @param config the configuration
 * @param key with dots: `agents.architect.timeoutSeconds`, or a section: `agents`
 * @returns its value
 * @throws {AgentxError} NOT_FOUND if the configuration has no such key
 */
export function getConfigValue(config: Config, key: string): unknown {
  let value: unknown = config;
  for (const name of key.split(".")) {
    if (!isObject(value) || !Object.hasOwn(value, name)) {
      throw new AgentxError("NOT_FOUND", `Cannot find setting "${key}": it is not set`, {
        details: { kind: "setting", id: key },
        next: "List the settings with: agentx config show",
      });
    }
    value = value[name];
  }
  return value;
}

/**
 * Changes one setting.
 *
 * @param content the content of `config.json` as it is; not changed
 * @param key with dots: `agents.architect.timeoutSeconds`
 * @param valueText JSON; anything else is taken as a string
 * @returns the new content; every other key keeps its value
 * @throws {AgentxError} INVALID_INPUT if there is no such setting or the value is invalid
 */
export function setConfigValue(
  content: Record<string, unknown>,
  key: string,
  valueText: string,
): Record<string, unknown> {
  const names = key.split(".");
  const value = jsonOrText(valueText);
  const changed = withValue(content, names, value);
  const misfit = schemaAt(names, SCHEMA) === undefined
    ? { key, why: "there is no such setting" }
    : findMisfit(changed, SCHEMA);
  if (misfit === undefined) return changed;

  const why = misfit.key === key ? misfit.why : `"${misfit.key}" is invalid: ${misfit.why}`;
  throw new AgentxError("INVALID_INPUT", `Cannot set "${key}" to ${valueText}: ${why}`, {
    details: { field: key, value },
    next: "List the settings with: agentx config show",
  });
}

/**
 * Removes one setting.
 *
 * @param content the content of `config.json` as it is; not changed
 * @param key with dots: `agents.architect.timeoutSeconds`, or a section: `agents.architect`
 * @returns the new content; a section that became empty is removed too
 * @throws {AgentxError} NOT_FOUND if the content does not set it
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

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
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

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // `feature` means "feature": no quotes for both the shell and JSON
  }
}

function withValue(object: JsonObject, names: readonly string[], value: unknown): JsonObject {
  const [name, ...rest] = names;
  if (rest.length === 0) return { ...object, [name]: value };
  const child = Object.hasOwn(object, name) ? object[name] : undefined;
  return { ...object, [name]: withValue(isObject(child) ? child : {}, rest, value) };
}
