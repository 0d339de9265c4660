// A model that can use tools, of any server: one request, one turn. The transcript of a
// conversation is the caller's, so that it can continue in another process, or with another model.
// Pure.

import type { JsonObject } from "../base/checks.ts";

/** A model, as the agentic loop uses it. */
export interface LanguageModel {
  /** Such as `gpt-5`, for people. */
  readonly name: string;
  /**
   * Gives the next turn.
   *
   * @returns what the model says, and which tools it calls; one of the two is never empty
   * @throws {AgentxError} `AGENT_ERROR`, with `final` where asking again cannot help; `INTERRUPTED`
   *   when the signal fired
   */
  respond(request: ModelRequest): Promise<ModelTurn>;
}

/** A request to a model. */
export interface ModelRequest {
  /** The name and the rules of the agent; empty for none. */
  system: string;
  /** The conversation, oldest first. */
  messages: readonly ModelMessage[];
  /** The tools that it may call. */
  tools: readonly ToolOffer[];
  /** Ends the request. */
  signal?: AbortSignal;
}

/** An answer of a model. */
export interface ModelTurn {
  /** Its text. */
  text: string;
  /** In the order of their runs. */
  calls: readonly ModelCall[];
  /** Tokens that it has read and written; left out where it does not say: they are estimated. */
  tokens?: number;
}

/** One message of a conversation; each call is followed by its result. */
export type ModelMessage =
  | { role: "user"; text: string }
  | { role: "assistant"; text: string; calls: readonly ModelCall[] }
  | { role: "tool"; callId: string; text: string; isError: boolean };

/** A call of a tool. */
export interface ModelCall {
  /** Tells it from the others of its conversation: letters, digits, `_` and `-`. */
  id: string;
  /** The name of the tool; a model may invent one. */
  name: string;
  /** The arguments; the text itself where that is not an object in JSON. */
  input: JsonObject | string;
}

/** A tool as a model sees it. */
export interface ToolOffer {
  /** Letters, digits, `_` and `-`, 64 at most. */
  name: string;
  /** When to use it, in a sentence or two. */
  description: string;
  /** Its arguments. */
  input: ToolInputSchema;
}

/** The JSON Schema of a tool's arguments: flat, since models fill flat ones best. */
export interface ToolInputSchema {
  /** The arguments are always an object. */
  type: "object";
  /** The arguments by name. */
  properties: Readonly<Record<string, ToolArgument>>;
  /** The names of those that may not be left out. */
  required: readonly string[];
}

/** One argument of a tool. */
export interface ToolArgument {
  /** Its type. */
  type: "string" | "integer" | "boolean";
  /** Its purpose, in a few words. */
  description: string;
  /** The values that are allowed. */
  enum?: readonly string[];
}
