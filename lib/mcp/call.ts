// One call of a tool, from its arguments to its result. An error is also returned as a result, with its code, so that
// the server stays alive.

import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import type { Command } from "../cli/command.ts";
import { makeContext } from "../cli/context.ts";
import type { ContextOptions } from "../cli/open_here.ts";
import { ContextIo } from "../cli/context_io.ts";
import { afterWriting } from "../cli/errors.ts";
import { AgentxError } from "../base/errors.ts";
import { withoutSecrets } from "../redact/border.ts";
import { missingPermission, sys } from "../sys/mod.ts";
import { writtenSoFar } from "../sys/written.ts";
import { readArguments } from "./arguments.ts";
import type { CallQueue } from "./call_queue.ts";
import type { Caller } from "./caller.ts";
import type { BackgroundCalls } from "./background_calls.ts";
import { inertJson } from "./inert.ts";
import { McpIo } from "./mcp_io.ts";
import type { WorkspaceFinder } from "./place.ts";
import type { LoadedTool, ToolResult } from "./tool.ts";

/** The data that all calls of a connection share. */
export interface Session {
  place: WorkspaceFinder;
  background: BackgroundCalls;
  calls: CallQueue;
}

/** Calls a tool with unchecked arguments. */
export async function callTool(
  loaded: LoadedTool,
  given: unknown,
  caller: Caller,
  session: Session,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    return await session.calls.run((waits) => called(loaded, given, { caller, session, waits }));
  } catch (error) {
    if (caller.signal.aborted) throw error; // nobody waits for the result
    return await failed(error);
  }
}

async function called(
  { tool, command }: LoadedTool,
  given: unknown,
  { caller, session: { place, background }, waits }: {
    caller: Caller;
    session: Session;
    waits: () => void;
  },
): Promise<CallToolResult | InputRequiredResult> {
  caller.signal.throwIfAborted();
  const mark = writtenSoFar();
  try {
    const { input, workspace } = readArguments(tool, command, given);
    const root = await place.find(caller, workspace);
    if (typeof root !== "string") return root;
    const io = new McpIo(caller.variables);
    const contextOf = (
      { signal, ...how }: Pick<ContextOptions, "signal" | "onAsked">,
    ) => {
      const options = { io: new ContextIo(io, signal), root, isJson: false, signal, ...how };
      return makeContext(
        { name: tool.command ?? tool.name, command: command ?? NO_COMMAND },
        options,
      );
    };
    const context = contextOf({ signal: caller.signal });
    const result = await tool.run({
      input,
      command,
      context,
      contextOf,
      caller,
      background,
      waits,
    });
    return isInputRequired(result) ? result : await shown(result, io.notes);
  } catch (error) {
    throw afterWriting(error, mark);
  }
}

function isInputRequired(result: ToolResult | InputRequiredResult): result is InputRequiredResult {
  return !("structured" in result);
}

/** For a tool without a command; it does not run the monitor. */
const NO_COMMAND: Pick<Command, "runsMonitor"> = {};

async function shown({ structured, text }: ToolResult, notes: string[]): Promise<CallToolResult> {
  const lines = [text, ...notes.map((note) => `note: ${note}`)].join("\n");
  const noted = notes.length > 0 ? { ...structured, notes } : structured;
  const safe = inertJson(await withoutSecrets({ structured: noted, text: lines }));
  return {
    content: [{ type: "text", text: safe.text }],
    structuredContent: safe.structured as Record<string, unknown>,
  };
}

/** Returns an error as a result. The code comes first, because a model reads it, too. */
async function failed(thrown: unknown): Promise<CallToolResult> {
  const error = missingPermission(thrown) ?? thrown;
  const { code, message, details } = error instanceof AgentxError
    ? error
    : { code: "BUG", message: `This is a bug in agentx: ${error}`, details: {} };
  if (code === "BUG" && error instanceof Error) sys.writeStderr(`${error.stack}\n`);
  const safe = inertJson(await withoutSecrets({ text: `${code}: ${message}`, details }));
  return {
    isError: true,
    content: [{ type: "text", text: safe.text }],
    _meta: { "agentx/error": { code, details: safe.details } },
  };
}
