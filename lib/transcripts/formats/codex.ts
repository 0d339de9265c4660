// Reads a session of Codex CLI: the rollout from `~/.codex/sessions/`, or `codex exec --json`.

import {
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  stringOf,
  tryParseJson,
} from "../../base/checks.ts";
import { jsonLines } from "../json_lines.ts";
import { textOf } from "../json_value.ts";
import { Recorder } from "../recorder.ts";
import type { Transcript } from "../transcript.ts";

const TEXT_TYPES = ["input_text", "output_text", "text"];

/**
 * Reads a whole file. A rollout has most messages twice, for the model and for the screen; each is read
 * once.
 */
export function readCodex(text: string): Transcript {
  const recorder = new Recorder("codex");
  // The screen's copy of a user message is what was typed; the model's copy has context around it.
  const showsUser = /"type": ?"user_message"/.test(text);
  const showsModel = /"type": ?"message"[^\n]{0,200}"role": ?"assistant"/.test(text) ||
    /"role": ?"assistant"[^\n]{0,200}"type": ?"message"/.test(text);
  for (const { value } of jsonLines(text, recorder.problems)) {
    const isEnvelope = isObject(value.payload);
    const item = isEnvelope ? objectOf(value.payload) : value;
    const { timestamp } = value;
    switch (isEnvelope ? value.type : value.type ?? "session_meta") {
      case "session_meta":
      case "thread.started":
        recorder.sessionId ??= stringOf(item.id) ?? stringOf(item.thread_id) ?? null;
        break;
      case "event_msg":
        if (item.type === "user_message") {
          recorder.say("user", stringOf(item.message) ?? "", timestamp);
        } else if (item.type === "agent_message" && !showsModel) {
          recorder.say("assistant", stringOf(item.message) ?? "", timestamp);
        }
        break;
      case "compacted":
        recorder.say("system", stringOf(item.message) ?? "", timestamp);
        break;
      case "item.completed":
        readStreamed(objectOf(item.item), recorder);
        break;
      default:
        readItem(item, recorder, { timestamp, showsUser });
    }
  }
  return recorder.transcript();
}

function readItem(
  item: JsonObject,
  recorder: Recorder,
  options: { timestamp: unknown; showsUser: boolean },
): void {
  const { timestamp, showsUser } = options;
  switch (item.type) {
    case "message": {
      const text = textOf(item.content, TEXT_TYPES);
      if (item.role === "assistant") recorder.say("assistant", text, timestamp);
      else if (item.role !== "user") recorder.say("system", text, timestamp);
      else if (showsUser) recorder.context(text);
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

/** A tool of a server stands in its namespace: `mcp__agentx__ready`. */
function toolOf({ namespace, name }: JsonObject): string | undefined {
  const prefix = stringOf(namespace);
  const tool = stringOf(name);
  return prefix === undefined || tool === undefined ? tool : `${prefix}__${tool}`;
}

/** Text, a list of parts, an object with content, or one of these encoded as JSON again. */
function outputOf(output: unknown): string {
  if (typeof output === "string" && output.startsWith('{"output":')) {
    const encoded = tryParseJson(output);
    if (encoded === undefined) return output; // a tool may print text that only looks like it
    const { output: inner, metadata } = objectOf(encoded);
    const { exit_code } = objectOf(metadata);
    const text = stringOf(inner) ?? "";
    return typeof exit_code === "number" && exit_code !== 0
      ? `Exit code: ${exit_code}\n${text}`
      : text;
  }
  return textOf(isObject(output) ? output.content ?? output : output, TEXT_TYPES);
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
