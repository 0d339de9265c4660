// A model of any server that can use tools: each request gives one turn. The caller keeps the transcript of the
// conversation, so that it can continue in another process, or with another model. Pure.

import type { JsonObject } from "../base/checks.ts";

/** A model, as the agentic loop uses it. */
export interface LanguageModel {
  /** The name for people, such as `gpt-5`. */
  readonly name: string;
  /**
   * Asks the model for the next turn of the conversation.
   *
   * @returns the text of the model and its calls of tools; one of the two is never empty
   * @throws {AgentxError} `AGENT_ERROR`, with `final` if asking again cannot help; `INTERRUPTED` if the signal aborted
   */
  respond(request: ModelRequest): Promise<ModelTurn>;
}

/** A request to a model. */
export interface ModelRequest {
  /** The name and the rules of the agent; empty for none. */
  system: string;
  /** The conversation, oldest first. */
  messages: readonly ModelMessage[];
  /** The tools that the model may call. */
  tools: readonly ToolOffer[];
  /** Stops the request. */
  signal?: AbortSignal;
}

/** An answer of a model. */
export interface ModelTurn {
  /** The text of the answer; empty if the model only calls tools. */
  text: string;
  /** The calls of tools, in the order to run them. */
  calls: readonly ModelCall[];
  /** Number of tokens read and written; absent if the model does not report it, so that the caller estimates it. */
  tokens?: number;
}

/** One message of a conversation; each call is followed by its result. */
export type ModelMessage =
  | { role: "user"; text: string }
  | { role: "assistant"; text: string; calls: readonly ModelCall[] }
  | { role: "tool"; callId: string; text: string; isError: boolean };

/** A call of a tool. */
export interface ModelCall {
  /** The id of the call, unique in the conversation: letters, digits, `_` and `-`. */
  id: string;
  /** The name of the tool; a model may invent one. */
  name: string;
  /** The arguments; the raw text if it is not a JSON object. */
  input: JsonObject | string;
}

/** A tool as a model sees it. */
export interface ToolOffer {
  /** The name of the tool: letters, digits, `_` and `-`, at most 64 characters. */
  name: string;
  /** When to use the tool, in a sentence or two. */
  description: string;
  /** The schema of the tool's arguments. */
  input: ToolInputSchema;
}

/** The JSON Schema of a tool's arguments. It is flat, because models fill in flat schemas best. */
export interface ToolInputSchema {
  /** The arguments are always an object. */
  type: "object";
  /** The arguments by name. */
  properties: Readonly<Record<string, ToolArgument>>;
  /** The names of the arguments that are required. */
  required: readonly string[];
}

/** One argument of a tool. */
export interface ToolArgument {
  /** The type of the argument. */
  type: "string" | "integer" | "boolean";
  /** The purpose of the argument, in a few words. */
  description: string;
  /** The values that are allowed. */
  enum?: readonly string[];
}
