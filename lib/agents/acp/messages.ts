// Reads and writes the messages of the Agent Client Protocol, version 1, that a run needs. Input is untrusted JSON.
// Pure. Source: agentclientprotocol.com; `tests/agents/acp/schema_test.ts` checks our messages against its schema.

import {
  isListOfTexts,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  stringOf,
} from "../../base/checks.ts";
import { shellLine } from "../../base/quote.ts";

const PROTOCOL_VERSION = 1;

/** The known facts about a tool call of the agent. Later updates add to earlier ones. */
export interface AcpToolCall {
  kind?: string;
  title?: string;
  paths: readonly string[];
  /** The command line of `execute`. */
  command?: string;
  cwd?: string;
  /** The server that has the tool. */
  server?: string;
}

/** The subject of an agent's request for permission. */
export type Wish =
  | { kind: "command"; command: string; cwd: string | undefined }
  | { kind: "files"; paths: readonly string[]; isRead: boolean }
  | { kind: "tool"; server: string };

/** Adds the facts of a `tool_call`, an update or a request for permission to the known ones. */
export function mergeToolCall(known: AcpToolCall | undefined, update: JsonObject): AcpToolCall {
  const input = objectOf(update.rawInput);
  const locations = listOf(update.locations).filter(isObject).flatMap(({ path }) =>
    stringOf(path) ?? []
  );
  const diffs = listOf(update.content).filter(isObject)
    .flatMap(({ type, path }) => type === "diff" ? stringOf(path) ?? [] : []);
  return {
    kind: stringOf(update.kind) ?? known?.kind,
    title: stringOf(update.title) ?? known?.title,
    paths: [...new Set([...known?.paths ?? [], ...locations, ...diffs])],
    command: commandIn(input) ?? known?.command,
    cwd: stringOf(input.cwd) ?? stringOf(input.workdir) ?? stringOf(input.directory) ?? known?.cwd,
    server: known?.server,
  };
}

/**
 * Returns the command line in the input of a tool. Agents give it as a text, as a list of words, or as a list with one
 * command.
 */
function commandIn({ command, commands, cmd }: JsonObject): string | undefined {
  const [given] = [command, cmd, listOf(commands)[0]].filter((value) => value !== undefined);
  if (isListOfTexts(given)) return shellLine(given);
  return stringOf(given);
}

const READS = ["read", "search"];
const CHANGES = ["edit", "delete", "move"];

/**
 * Returns the subject of a tool call; undefined for a call that cannot be judged, such as one without a path or a
 * command.
 */
export function wishOf({ kind = "", paths, command, cwd, server }: AcpToolCall): Wish | undefined {
  if (server !== undefined) return { kind: "tool", server };
  if (kind === "execute") {
    return command === undefined ? undefined : { kind: "command", command, cwd };
  }
  const isRead = READS.includes(kind);
  if (!isRead && !CHANGES.includes(kind) || paths.length === 0) return undefined;
  return { kind: "files", paths, isRead };
}

/**
 * Returns the answer to a request for permission: allowed once, or rejected once. If the agent does not offer that kind
 * of option, the answer cancels the request.
 */
export function permissionOutcome(options: unknown, isAllowed: boolean): JsonObject {
  const kind = isAllowed ? "allow_once" : "reject_once";
  const chosen = listOf(options).filter(isObject).find((option) => option.kind === kind);
  const optionId = stringOf(chosen?.optionId);
  return {
    outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId },
  };
}

/** Returns the parameters of the first message, for a client that offers neither files nor terminals. */
export function initializeParams(version: string): JsonObject {
  return {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: "agentx", version },
  };
}

/** Returns the ids of the modes that a session offers; undefined if the agent has no modes. */
export function modesOf(session: JsonObject): string[] | undefined {
  const modes = session.modes;
  if (!isObject(modes)) return undefined;
  return listOf(modes.availableModes).filter(isObject).flatMap(({ id }) => stringOf(id) ?? []);
}

/** Builds the request that selects a model, in one of two forms; undefined if the session does not offer the model. */
export function modelRequest(
  { models, configOptions }: JsonObject,
  model: string,
): [method: string, params: JsonObject] | undefined {
  const offered = listOf(objectOf(models).availableModels).filter(isObject);
  if (offered.some(({ modelId }) => modelId === model)) {
    return ["session/set_model", { modelId: model }];
  }
  const option = listOf(configOptions).filter(isObject)
    .find(({ category }) => category === "model");
  const values = listOf(option?.options).filter(isObject);
  if (!values.some(({ value }) => value === model)) return undefined;
  return ["session/set_config_option", { configId: option!.id, value: model }];
}

/** Returns the number of tokens that a turn read and wrote. Gemini reports them outside of the protocol. */
export function tokensOf({ usage, _meta }: JsonObject): number | undefined {
  const { totalTokens } = objectOf(usage);
  if (typeof totalTokens === "number") return totalTokens;
  const { input_tokens: read, output_tokens: written } = objectOf(
    objectOf(objectOf(_meta).quota).token_count,
  );
  return typeof read === "number" && typeof written === "number" ? read + written : undefined;
}
