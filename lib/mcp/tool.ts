// What a tool of the MCP server is: a command of the table, or work of its own, as a model sees it.

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

/** Hints to the host about what a tool does. */
export interface Annotations {
  readOnlyHint?: boolean;
  /** Of one that writes: whether it overwrites or deletes. */
  destructiveHint?: boolean;
  /** Whether it reaches others than this workspace. */
  openWorldHint: boolean;
}

/** The result of a call, for programs and for people; a model sees one or the other. */
export interface ToolResult {
  structured: object;
  text: string;
}

/** What a tool works with while it runs. */
export interface ToolRun {
  /** The arguments, checked. */
  input: Record<string, unknown>;
  /** The command whose input it takes; undefined where it takes none. */
  command: Command | undefined;
  /** What a command runs with; its signal is that of the call. */
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
  /** The words of the command whose input it takes. */
  command?: string;
  /** The arguments in the order in which they are shown: keys of that input, or of its own. */
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
  /** Does the work; what it needs from the client comes with a second call. */
  run(run: ToolRun): Promise<ToolResult | InputRequiredResult>;
}

/** A tool with the command whose input it takes. */
export interface LoadedTool {
  tool: Tool;
  command: Command | undefined;
}
