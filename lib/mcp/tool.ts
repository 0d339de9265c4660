// A tool of the MCP server in a model's eyes: a command of the table, or work of its own.

import type { InputRequiredResult, JSONObject } from "@modelcontextprotocol/server";
import type { Command, Context } from "../cli/command.ts";
import type { InputSpec } from "../cli/spec.ts";
import type { Caller } from "./caller.ts";
import type { BackgroundCalls } from "./background_calls.ts";

/** A JSON Schema of an object, as `tools/list` carries it. */
export type ObjectSchema = {
  type: "object";
  properties: Record<string, JSONObject>;
  required?: string[];
  additionalProperties?: boolean;
};

/** Hints to the host about a tool's effects. */
export interface Annotations {
  readOnlyHint?: boolean;
  /** Whether a tool that writes overwrites or deletes. */
  destructiveHint?: boolean;
  /** Whether it reaches others than this workspace. */
  openWorldHint: boolean;
}

/** The result of a call, for programs and for people; a model sees one or the other. */
export interface ToolResult {
  structured: object;
  text: string;
}

/** The surroundings of a running tool. */
export interface ToolRun {
  /** The arguments, checked. */
  input: Record<string, unknown>;
  /** The command that defines its input; undefined if none does. */
  command: Command | undefined;
  /** The context of the command, with the signal of the call. */
  context: Context;
  /** The same for what outlives the call. */
  contextOf(options: Pick<Context, "signal" | "onAsked">): Context;
  caller: Caller;
  background: BackgroundCalls;
  /** Says that the call only waits for somebody's answer from now on: others may work meanwhile. */
  waits(): void;
}

/** A tool before its command is loaded. */
export interface Tool {
  name: string;
  /** When to use it, in a sentence. */
  description: string;
  /** The words of the command that defines its input. */
  command?: string;
  /** The arguments in their shown order: keys of that input, or of its own. */
  keys: readonly string[];
  /** Arguments that the command does not have, or that mean something else here. */
  input?: InputSpec;
  /**
   * Descriptions of arguments that are shorter than on a command line; the schema leaves out their
   * longest length as well.
   */
  brief?: Readonly<Record<string, string>>;
  annotations: Annotations;
  output: ObjectSchema;
  /** Does the work; a second call brings the client's part. */
  run(run: ToolRun): Promise<ToolResult | InputRequiredResult>;
}

/** A tool with the command that defines its input. */
export interface LoadedTool {
  tool: Tool;
  command: Command | undefined;
}
