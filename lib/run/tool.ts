// A tool of an agentic loop, and the check of its arguments. Pure.

import type { ToolOffer } from "../agents/language_model.ts";
import { isObject, type JsonObject } from "../base/checks.ts";
import { quote } from "../base/quote.ts";

/** The tool with which a model asks about something unclear. The loop itself provides it. */
export const CLARIFY_TOOL = "request_clarification";

/** One call of a tool, as the tool sees it. */
export interface ToolCall {
  /**
   * The id of the call, such as `engineer-1709035100000-x7y8z9.12`. An interrupted call that is made again has the
   * same id.
   */
  callId: string;
  /** Time of the first start, in milliseconds since the epoch. */
  begunMs: number;
  /** The agent with its worker, such as `engineer@run-3f2a`. */
  agent: string;
  /** The session of the agent, such as `engineer-1709035100000-x7y8z9`. */
  sessionId: string;
  /** The id of this session in the hub, in the form of host sessions. */
  hostSession: string;
  /** The issue that the agent works on. */
  issueNumber: number;
  /** Ends the call when it fires. */
  signal?: AbortSignal;
}

/** A tool that a model may use. */
export interface LoopTool extends ToolOffer {
  /**
   * Whether a call that was interrupted, or waits, may be made again under its id. For other tools, the model learns
   * that the outcome is unknown.
   */
  isIdempotent?: boolean;
  /**
   * Does the work. The result is the text for the model, or a description of what the call waits for. The model gets
   * thrown errors as results.
   */
  run(input: JsonObject, call: ToolCall): Promise<string | ToolWait>;
}

/** The result of a call that has to wait. The loop pauses, and the call is made again when the loop is resumed. */
export interface ToolWait {
  /** What the call waits for, in words for people. */
  waitsFor: string;
}

/** The problem of a tool's input, in a sentence; undefined if there is none. */
export function inputProblem(
  input: JsonObject | string,
  { name, input: { properties, required } }: ToolOffer,
): string | undefined {
  if (typeof input === "string") {
    return `The arguments of ${name} must be an object in JSON, not ${quote(input)}`;
  }
  const missing = required.find((key) => !Object.hasOwn(input, key));
  if (missing !== undefined) return `${name} needs the argument "${missing}"`;
  for (const [key, value] of Object.entries(input)) {
    const argument = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (argument === undefined) {
      return `${name} has no argument ${quote(key)}; it has ${Object.keys(properties).join(", ")}`;
    }
    const type = Number.isSafeInteger(value) ? "integer" : typeof value;
    if (type !== argument.type) {
      return `"${key}" of ${name} must be of type ${argument.type}, not ${quote(value)}`;
    }
    if (argument.enum !== undefined && !argument.enum.includes(String(value))) {
      return `"${key}" of ${name} must be one of ${argument.enum.join(", ")}, not ${quote(value)}`;
    }
  }
  return undefined;
}

/** Returns an argument that is a text; undefined if it was left out. */
export function textIn(input: JsonObject, key: string): string | undefined {
  const value = isObject(input) && Object.hasOwn(input, key) ? input[key] : undefined;
  return typeof value === "string" ? value : undefined;
}
