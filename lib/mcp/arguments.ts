// The arguments of a tool: their JSON Schema, and how the arguments of a call become input. Both follow from the
// arguments of the command on the command line.

import type { JSONObject } from "@modelcontextprotocol/server";
import { isObject } from "../base/checks.ts";
import type { Command } from "../cli/command.ts";
import { type InputSpec, optional, type Spec, word } from "../cli/spec.ts";
import { AgentxError } from "../base/errors.ts";
import { clip, quote } from "../base/quote.ts";
import type { ObjectSchema, Tool } from "./tool.ts";

/** Maximum length of any argument; each command allows less. */
const MAX_LENGTH = 100_000;

/** The argument that names the workspace, for a client without roots. */
const WORKSPACE = "workspace";

const COMMON: InputSpec = {
  [WORKSPACE]: optional(word, ""),
};

/** The parsed arguments of a call. */
export interface CallInput {
  /** The input of the command, or of the tool. */
  input: Record<string, unknown>;
  /** The folder of the requested workspace; undefined if the call names none. */
  workspace: string | undefined;
}

export function inputSchema(tool: Tool, command: Command | undefined): ObjectSchema {
  const specs = Object.entries(argumentsOf(tool, command));
  const required = specs.filter(([, spec]) => spec.isRequired).map(([key]) => key);
  return {
    type: "object",
    properties: Object.fromEntries(specs.map(([key, spec]) => [key, valueSchema(spec)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/**
 * Reads the arguments of a call by the rules of the command line; null counts as an absent argument. Throws
 * `INVALID_INPUT`.
 */
export function readArguments(
  tool: Tool,
  command: Command | undefined,
  given: unknown,
): CallInput {
  if (!isObject(given)) throw refused(tool, "arguments", given, "they must be an object");
  const specs = argumentsOf(tool, command);
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(specs, key));
  if (unknown !== undefined) {
    const why = `there is no such argument; it takes ${Object.keys(specs).join(", ")}`;
    throw refused(tool, clip(unknown), given[unknown], why);
  }
  const input: Record<string, unknown> = {};
  for (const key of Object.keys({ ...command?.input, ...specs })) {
    const spec: Spec | undefined = specs[key];
    const value = Object.hasOwn(given, key) ? given[key] : undefined;
    if (value === undefined || value === null) {
      if (spec?.isRequired) throw refused(tool, key, null, `${key} is required`);
      input[key] = (command?.input?.[key] ?? spec).kind === "switch" ? false : undefined;
      continue;
    }
    const why = problem(spec, value);
    if (why !== undefined) throw refused(tool, key, value, `${key} ${why}`);
    input[key] = valueOf(spec, value);
  }
  const { [WORKSPACE]: workspace, ...rest } = input;
  return { input: rest, workspace: workspace as string | undefined };
}

function argumentsOf(tool: Tool, command: Command | undefined): Record<string, Spec> {
  const { keys, input = {}, brief = {} } = tool;
  const specs = keys.map((key): [string, Spec] => {
    const spec = input[key] ?? command?.input?.[key];
    if (spec === undefined) throw new TypeError(`${tool.name} has no argument "${key}"`);
    return [key, Object.hasOwn(brief, key) ? inBrief(spec, brief[key]) : spec];
  });
  return Object.fromEntries([...specs, ...Object.entries(COMMON)]);
}

function inBrief(spec: Spec, description: string): Spec {
  const { maxLength: _, ...json } = spec.json ?? { type: "string" };
  return { ...spec, description, json };
}

function valueSchema(
  { kind, description, values, json = { type: "string" } }: Spec,
): JSONObject {
  const described = description !== "" && { description };
  if (kind === "switch") return { type: "boolean", ...described };
  const { maxItems, ...one } = json;
  const value = { ...one, ...(Array.isArray(values) && { enum: [...values] }) };
  if (kind === "list") {
    return { type: "array", items: value, ...(maxItems && { maxItems }), ...described };
  }
  return { ...value, ...described };
}

function valueOf({ kind, read }: Spec, value: unknown): unknown {
  if (kind === "switch") return value;
  return Array.isArray(value) ? value.flatMap((one) => read(one)) : read(String(value));
}

/** Returns why a value is refused, in words that follow the name of the argument; undefined if it is accepted. */
function problem(spec: Spec, value: unknown): string | undefined {
  const { kind, json } = spec;
  if (kind === "switch") {
    return typeof value === "boolean" ? undefined : `must be true or false, not ${quote(value)}`;
  }
  if (kind !== "list") return textProblem(spec, value);
  if (!Array.isArray(value)) return `must be a list, not ${quote(value)}`;
  const most = json?.maxItems ?? MAX_LENGTH;
  if (value.length > most) return `must be a list of ${most} at most, not ${value.length}`;
  return value.map((one) => textProblem(spec, one)).find((why) => why !== undefined);
}

function textProblem({ json, refuse }: Spec, value: unknown): string | undefined {
  if (typeof value !== "string") {
    if (json?.type === "integer" && typeof value === "number") return refuse(String(value));
    return `must be a ${json?.type ?? "string"}, not ${quote(value)}`;
  }
  if (value.length > MAX_LENGTH) return `is too long: it has ${value.length} characters`;
  if (!value.isWellFormed()) return "contains a lone surrogate";
  return refuse(value);
}

function refused(
  { name }: Tool,
  field: string,
  value: unknown,
  why: string,
): AgentxError<"INVALID_INPUT"> {
  return new AgentxError("INVALID_INPUT", `Cannot call ${name}: ${why}`, {
    details: { field, value: typeof value === "string" ? clip(value) : quote(value) },
    next: "Correct it and call it again",
  });
}
