// Reads a session of pi from `~/.pi/agent/sessions/`. Each entry names the previous one, so that a session can go back
// to an entry and continue from there.

import { type JsonObject, listOf, objectOf, stringOf } from "../../base/checks.ts";
import { jsonLines } from "../json_lines.ts";
import { messageText } from "../json_value.ts";
import { Recorder } from "../recorder.ts";
import type { Transcript } from "../transcript.ts";

/** Reads a whole file, without branches that the session has left. */
export function readPi(text: string): Transcript {
  const recorder = new Recorder("pi");
  const lines = Array.from(jsonLines(text, recorder.problems), ({ value }) => value);
  recorder.sessionId = stringOf(lines.find(isPiSession)?.id) ?? null;
  for (const entry of lastBranch(lines)) readEntry(entry, recorder);
  return recorder.transcript();
}

/** Whether a line is the first line of a session of pi. */
export function isPiSession({ type, version, cwd }: JsonObject): boolean {
  return type === "session" && typeof version === "number" && typeof cwd === "string";
}

/** Returns the last entry and all entries that lead to it. */
function lastBranch(lines: readonly JsonObject[]): JsonObject[] {
  const branch: JsonObject[] = [];
  let next: unknown;
  for (const entry of lines.toReversed()) {
    if (typeof entry.parentId !== "string" && entry.parentId !== null) continue;
    if (branch.length > 0 && entry.id !== next) continue;
    branch.push(entry);
    next = entry.parentId;
  }
  return branch.reverse();
}

function readEntry(entry: JsonObject, recorder: Recorder): void {
  const { type, timestamp } = entry;
  if (type === "message") readMessage(objectOf(entry.message), timestamp, recorder);
  else if (type === "custom_message") recorder.context(messageText(entry.content, ["text"]));
  else if (type === "compaction" || type === "branch_summary") {
    recorder.say("system", stringOf(entry.summary) ?? "", timestamp);
  }
}

function readMessage(message: JsonObject, timestamp: unknown, recorder: Recorder): void {
  const text = messageText(message.content, ["text"]);
  if (message.role === "user") recorder.say("user", text, timestamp);
  else if (message.role === "toolResult") {
    recorder.result(stringOf(message.toolCallId), text, timestamp);
  } else if (message.role === "assistant") {
    recorder.say("assistant", text, timestamp);
    for (const { type, id, name, arguments: input } of listOf(message.content).map(objectOf)) {
      if (type === "toolCall") recorder.call(id, stringOf(name), input);
    }
  }
}
