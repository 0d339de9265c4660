// Reads a session of Codex CLI: the rollout from `~/.codex/sessions/`, or `codex exec --json`.

import {
  isObject,
  isText,
  type JsonObject,
  listOf,
  objectOf,
  stringOf,
  tryParseJson,
} from "../../base/checks.ts";
import { jsonLines } from "../json_lines.ts";
import { messageText } from "../json_value.ts";
import { Recorder } from "../recorder.ts";
import type { Transcript } from "../transcript.ts";

const TEXT_TYPES = ["input_text", "output_text", "text"];

/**
 * Reads a whole file. A rollout has most messages twice, for the model and for the screen; each is read once. Text of
 * hooks and of the host also has the role of the user, so only typed text counts as said by the user. The user of a
 * sub-agent is an agent.
 */
export function readCodex(text: string): Transcript {
  const recorder = new Recorder("codex");
  const lines = Array.from(jsonLines(text, recorder.problems), ({ value }) => lineOf(value));
  const isOf = (wanted: string) => ({ type, item }: CodexLine) =>
    type === "event_msg" && (item.type === wanted || shownItem(item).type === wanted);
  const copies: Copies = {
    // The screen's copy of a user message is the typed text; the model's copy also has context around it.
    showsUser: lines.some(isOf("user_message")) || lines.some(isOf("UserMessage")),
    showsModel: lines.some(({ item }) => item.type === "message" && item.role === "assistant"),
    isSubagent: lines.some(({ type, item }) =>
      type === "session_meta" && (stringOf(item.thread_source) ?? "user") !== "user"
    ),
  };
  for (const { type, item, timestamp, isSummary } of lines) {
    switch (type) {
      case "session_meta":
      case "thread.started":
        recorder.sessionId ??= stringOf(item.id) ?? stringOf(item.thread_id) ?? null;
        break;
      case "event_msg":
        readShown(item, recorder, { timestamp, ...copies });
        break;
      case "compacted":
        recorder.say("system", stringOf(item.message) ?? "", timestamp);
        break;
      case "item.completed":
        readStreamed(objectOf(item.item), recorder);
        break;
      default:
        if (!isSummary) readItem(item, recorder, { timestamp, ...copies });
    }
  }
  return recorder.transcript();
}

interface CodexLine {
  type: unknown;
  item: JsonObject;
  timestamp: unknown;
  /** Whether the line is the model's own summary of earlier messages. */
  isSummary: boolean;
}

/** Which copies of messages a rollout has, and whether its session is that of a sub-agent. */
interface Copies {
  showsUser: boolean;
  showsModel: boolean;
  isSubagent: boolean;
}

function lineOf(value: JsonObject): CodexLine {
  const { timestamp } = value;
  const isSummary = objectOf(value.metadata).compaction_output === true;
  if (isObject(value.payload)) {
    return { type: value.type, item: value.payload, timestamp, isSummary };
  }
  return { type: value.type ?? "session_meta", item: value, timestamp, isSummary };
}

/** Returns the item in the form of Codex 0.171; empty for an older form. */
function shownItem(item: JsonObject): JsonObject {
  return item.type === "item_completed" ? objectOf(item.item) : {};
}

/** Reads a message for the screen. */
function readShown(
  item: JsonObject,
  recorder: Recorder,
  { timestamp, showsModel, isSubagent }: Copies & { timestamp: unknown },
): void {
  const shown = shownItem(item);
  if (item.type === "user_message" || shown.type === "UserMessage") {
    const text = stringOf(item.message) ?? messageText(shown.content, TEXT_TYPES);
    if (isSubagent) recorder.context(text);
    else recorder.say("user", text, timestamp);
  } else if (!showsModel && (item.type === "agent_message" || shown.type === "AgentMessage")) {
    recorder.say(
      "assistant",
      stringOf(item.message) ?? messageText(shown.content, ["Text"]),
      timestamp,
    );
  }
}

function readItem(
  item: JsonObject,
  recorder: Recorder,
  { timestamp, showsUser, isSubagent }: Copies & { timestamp: unknown },
): void {
  switch (item.type) {
    case "message": {
      const text = messageText(item.content, TEXT_TYPES);
      if (item.role === "assistant") recorder.say("assistant", text, timestamp);
      else if (item.role !== "user") recorder.say("system", text, timestamp);
      else if (showsUser || isSubagent || !isTyped(item, text)) recorder.context(text);
      else recorder.say("user", text, timestamp);
      break;
    }
    case "function_call":
    case "custom_tool_call":
      recorder.call(item.call_id, toolOf(item), item.arguments ?? item.input);
      break;
    case "local_shell_call":
      recorder.call(item.call_id, "shell", item.action);
      break;
    case "function_call_output":
    case "custom_tool_call_output":
    case "local_shell_call_output":
      recorder.result(stringOf(item.call_id), outputOf(item.output), timestamp);
      break;
  }
}

/** Whether a person typed a message with the role of the user, as far as its provenance shows. */
function isTyped(item: JsonObject, text: string): boolean {
  const { content_item_metadata } = objectOf(item.internal_chat_message_metadata_passthrough);
  const sources = listOf(content_item_metadata)
    .flatMap((part) => stringOf(objectOf(objectOf(part).provenance).type) ?? []);
  return !text.startsWith("<hook_prompt ") && sources.every((source) => source === "user");
}

/** Returns the name of a tool; for a tool of a server, with its namespace: `mcp__agentx__ready`. */
function toolOf({ namespace, name }: JsonObject): string | undefined {
  const prefix = stringOf(namespace);
  const tool = stringOf(name);
  return prefix === undefined || tool === undefined ? tool : `${prefix}__${tool}`;
}

/** Matches the head of the output of `exec_command`; captures its exit code. */
const EXEC_HEAD = /^(?:[^\n]*\n){0,4}?Process exited with code (\d+)\n(?:[^\n]*\n){0,2}?Output:\n/;

/** Returns the text of an output: a text, a list of parts, an object with content, or one of these encoded as JSON. */
function outputOf(output: unknown): string {
  const isEncoded = isText(output) && output.startsWith("{");
  const { output: text, metadata } = objectOf(isEncoded ? tryParseJson(output) : undefined);
  if (isText(text)) {
    const { exit_code } = objectOf(metadata);
    return typeof exit_code === "number" && exit_code !== 0
      ? `Exit code: ${exit_code}\n${text}`
      : text;
  }
  const all = messageText(isObject(output) ? output.content ?? output : output, TEXT_TYPES);
  const [head = "", code = "0"] = EXEC_HEAD.exec(all) ?? [];
  return (code === "0" ? "" : `Exit code: ${code}\n`) + all.slice(head.length);
}

function readStreamed(item: JsonObject, recorder: Recorder): void {
  if (item.type === "agent_message") {
    recorder.say("assistant", stringOf(item.text) ?? "");
  } else if (item.type === "command_execution") {
    recorder.call(item.id, "shell", { command: item.command });
    const exit = typeof item.exit_code === "number" && item.exit_code !== 0
      ? `Exit code: ${item.exit_code}\n`
      : "";
    recorder.result(stringOf(item.id), exit + (stringOf(item.aggregated_output) ?? ""));
  } else if (item.type === "file_change") {
    const paths = listOf(item.changes).map((change) => stringOf(objectOf(change).path) ?? "");
    const changed = paths.filter((path) => path !== "").map((path) => `M ${path}`);
    if (changed.length === 0) return;
    recorder.result(
      "apply_patch",
      ["Success. Updated the following files:", ...changed].join("\n"),
    );
  }
}
