// Reads a session of Claude Code: JSON lines from `~/.claude/projects/`, or from
// `claude -p --output-format stream-json`.

import { type JsonObject, listOf, objectOf, stringOf } from "../../base/checks.ts";
import { jsonLines } from "../json_lines.ts";
import { messageText } from "../json_value.ts";
import { Recorder } from "../recorder.ts";
import type { Transcript } from "../transcript.ts";

/** Reads a whole file, without the messages of sub-agents and of the host. */
export function readClaude(text: string): Transcript {
  const recorder = new Recorder("claude");
  const seen = new Set<string>();
  for (const { value } of jsonLines(text, recorder.problems)) {
    recorder.sessionId ??= stringOf(value.sessionId) ?? stringOf(value.session_id) ?? null;
    const uuid = stringOf(value.uuid);
    if (uuid !== undefined && seen.size === seen.add(uuid).size) continue;
    if (value.isSidechain === true || typeof value.parent_tool_use_id === "string") continue;
    if (value.type === "user" || value.type === "assistant") readMessage(value, recorder);
    else if (value.type === "attachment") readAttachment(value, recorder);
  }
  return recorder.transcript();
}

function readMessage(line: JsonObject, recorder: Recorder): void {
  const { content } = objectOf(line.message);
  const isStatement = line.isMeta !== true && line.isCompactSummary !== true &&
    line.isVisibleInTranscriptOnly !== true && line.isApiErrorMessage !== true &&
    isTyped(line);
  const role = !isStatement ? "system" : line.type === "user" ? "user" : "assistant";
  if (typeof content === "string") recorder.say(role, content, line.timestamp);
  for (const block of listOf(content).map(objectOf)) {
    if (block.type === "text" && typeof block.text === "string") {
      recorder.say(role, block.text, line.timestamp);
    } else if (block.type === "tool_use") {
      recorder.call(block.id, stringOf(block.name), block.input);
    } else if (block.type === "tool_result") {
      recorder.result(
        stringOf(block.tool_use_id),
        messageText(block.content, ["text"]),
        line.timestamp,
      );
    }
  }
}

/** The sources of lines as Claude Code 2.1.332 names them: `INJECTED` without a person's words, `TYPED` with them. */
const INJECTED = ["harness", "hook", "recorded"];
const TYPED = ["human", "person", "composer", "remote", "voice-call"];

/**
 * Whether a person typed a line. Results of background agents are also recorded as prompts; earlier versions name no
 * source.
 */
function isTyped({ rowSource, origin }: JsonObject): boolean {
  const kind = stringOf(objectOf(origin).kind);
  return !INJECTED.includes(String(rowSource)) && (kind === undefined || TYPED.includes(kind));
}

/** Reads a prompt that was queued until the agent was free, or context that a hook added. */
function readAttachment(line: JsonObject, recorder: Recorder): void {
  const attachment = objectOf(line.attachment);
  const { type, prompt, commandMode } = attachment;
  if (type === "queued_command" && (commandMode ?? "prompt") === "prompt") {
    recorder.say("user", messageText(prompt, ["text"]), line.timestamp);
  } else {
    recorder.context(messageText(attachment.content, ["text"]));
    recorder.context(messageText(attachment.stdout, ["text"]));
  }
}
