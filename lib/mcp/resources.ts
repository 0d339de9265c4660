// The resources: texts that a host can put into a conversation without calling a tool.

import {
  type InputRequiredResult,
  isCallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { SOME_AGENT } from "../base/agent_names.ts";
import type { Caller } from "./caller.ts";
import { callTool, type Session } from "./call.ts";
import type { LoadCommand } from "../cli/find_command.ts";
import { showOutput } from "./run_command.ts";
import type { Tool } from "./tool.ts";

/** Maximum length of a recall; Claude Code cuts longer texts. */
const MAX_RECALL = 9_000;

interface Resource {
  uriTemplate: string;
  name: string;
  description: string;
  mimeType: string;
  /** The words of the command that prints the resource. */
  command: string;
  /** The input of that command besides the issue. */
  input: Record<string, unknown>;
}

const RESOURCES: readonly Resource[] = [
  {
    uriTemplate: "agentx://clarifications/{issue}",
    name: "clarifications",
    description: "The clarification threads of an issue",
    mimeType: "text/plain",
    command: "clarify",
    input: {},
  },
  {
    uriTemplate: "agentx://memory/recall/{issue}",
    name: "recall",
    description: "What earlier sessions learned that matters for an issue",
    mimeType: "text/markdown",
    command: "memory recall",
    input: { agent: SOME_AGENT, maxCharacters: MAX_RECALL },
  },
];

/** The descriptions of the resources in `resources/templates/list`. */
export const TEMPLATES = RESOURCES.map(({ command: _, input: __, ...template }) => template);

/** Reads a resource. Throws `ResourceNotFoundError` if it does not exist, `ProtocolError` if it cannot be read. */
export async function readResource(
  uri: string,
  load: LoadCommand,
  caller: Caller,
  session: Session,
): Promise<ReadResourceResult | InputRequiredResult> {
  const found = RESOURCES.find(({ uriTemplate }) => issueIn(uri, uriTemplate) !== undefined);
  if (found === undefined) throw new ResourceNotFoundError(uri);
  const { command, mimeType, input } = found;
  const loaded = { tool: asTool(found, input), command: await load(command) };
  const issue = issueIn(uri, found.uriTemplate);
  const result = await callTool(loaded, { issue }, caller, session);
  if (!isCallToolResult(result)) return result as InputRequiredResult;
  const [block] = result.content;
  const text = block.type === "text" ? block.text : "";
  if (result.isError) throw new ProtocolError(ProtocolErrorCode.InvalidParams, text, result._meta);
  return { contents: [{ uri, mimeType, text }] };
}

/** Returns the last part of a URI that fits the template; undefined if the URI does not fit. */
function issueIn(uri: string, template: string): string | undefined {
  const beginning = template.slice(0, template.indexOf("{"));
  const rest = uri.slice(beginning.length);
  return uri.startsWith(beginning) && /^[^/]+$/.test(rest) ? rest : undefined;
}

/**
 * Returns a tool that reads a resource, so the workspace is found and the text is made inert in the same way as for
 * tools.
 */
function asTool({ name, description, command }: Resource, preset: Record<string, unknown>): Tool {
  return {
    name,
    description,
    command,
    keys: ["issue"],
    annotations: { readOnlyHint: true, openWorldHint: false },
    output: { type: "object", properties: {} },
    run: (run) => showOutput({ ...run, input: { ...run.input, ...preset } }),
  };
}
