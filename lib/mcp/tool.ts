// A tool of the MCP server, as a model sees it: a command of the table, or work of its own.

import type { InputRequiredResult, JSONObject } from "@modelcontextprotocol/server";
import type { Command, Context } from "../cli/command.ts";
import type { InputSpec } from "../cli/spec.ts";
import type { Caller } from "./caller.ts";
import type { BackgroundCalls } from "./background_calls.ts";

/** A JSON Schema of an object, in the form of `tools/list`. */
export type ObjectSchema = {
  type: "object";
  properties: Record<string, JSONObject>;
  required?: string[];
  additionalProperties?: boolean;
};

/** Hints to the host about the effects of a tool. */
export interface Annotations {
  readOnlyHint?: boolean;
  /** Whether a tool that writes also overwrites or deletes. */
  destructiveHint?: boolean;
  /** Whether the tool reaches anything outside of this workspace. */
  openWorldHint: boolean;
}

/** The result of a call, for programs and for people; a model sees only one of the two. */
export interface ToolResult {
  structured: object;
  text: string;
}

/** The surroundings of a running tool. */
export interface ToolRun {
  /** The checked arguments. */
  input: Record<string, unknown>;
  /** The command that defines the input; undefined if there is none. */
  command: Command | undefined;
  /** The context of the command, with the signal of the call. */
  context: Context;
  /** Returns a context for work that outlives the call. */
  contextOf(options: Pick<Context, "signal" | "onAsked">): Context;
  caller: Caller;
  background: BackgroundCalls;
  /** Must be called when the call only waits for somebody's answer from now on, so that other calls may work. */
  waits(): void;
}

/** A tool before its command is loaded. */
export interface Tool {
  name: string;
  /** When to use the tool, in one sentence. */
  description: string;
  /** The words of the command that defines the input. */
  command?: string;
  /** The arguments in the order that is shown: keys of the command's input or of `input`. */
  keys: readonly string[];
  /** Arguments that the command does not have, or that have another meaning in the tool. */
  input?: InputSpec;
  /**
   * Descriptions of arguments that are shorter than on the command line. The schema of these arguments also leaves out
   * their maximum length.
   */
  brief?: Readonly<Record<string, string>>;
  annotations: Annotations;
  output: ObjectSchema;
  /** Does the work. If the client has to reply first, a second call brings the reply. */
  run(run: ToolRun): Promise<ToolResult | InputRequiredResult>;
}

/** A tool with the command that defines its input. */
export interface LoadedTool {
  tool: Tool;
  command: Command | undefined;
}
