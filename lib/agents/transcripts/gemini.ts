/**
 * Reads the session of Gemini CLI from `~/.gemini/tmp/`: one JSON document, or its newer log of JSON
 * lines with `$set` and `$rewindTo`.
 *
 * @module
 */

import { jsonDocument, jsonLines } from "./json_lines.ts";
import {
  inputOf,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  stringOf,
  textOf,
} from "./json_value.ts";
import { Recorder } from "./recorder.ts";
import type { Transcript } from "./transcript.ts";

/**
 * @param text the whole file
 * @returns the session; what was rewound is not in it, nor what sub-agents did
 */
export function readGemini(text: string): Transcript {
  const recorder = new Recorder("gemini");
  const messages = new Map<string, JsonObject>();
  for (const record of recordsOf(text, recorder.problems)) {
    const set = objectOf(record.$set);
    recorder.sessionId ??= stringOf(record.sessionId) ?? stringOf(set.sessionId) ?? null;
    if (typeof record.$rewindTo === "string") rewind(messages, record.$rewindTo);
    else if (typeof record.id === "string") messages.set(record.id, record);
    if (Array.isArray(set.messages)) messages.clear();
    for (const message of [...listOf(record.messages), ...listOf(set.messages)]) {
      if (isObject(message)) messages.set(stringOf(message.id) ?? `#${messages.size}`, message);
    }
  }
  for (const message of messages.values()) readMessage(message, recorder);
  return recorder.transcript();
}

function recordsOf(text: string, problems: string[]): JsonObject[] {
  const end = text.trimStart().indexOf("\n");
  const rest = end < 0 ? "" : text.trimStart().slice(end).trimStart();
  const isDocument = end < 0 || !rest.startsWith("{");
  const document = isDocument ? jsonDocument(text, problems) : undefined;
  if (document !== undefined) return [document];
  return Array.from(jsonLines(text, problems), ({ value }) => value);
}

function rewind(messages: Map<string, JsonObject>, id: string): void {
  let isAfter = !messages.has(id);
  for (const key of messages.keys()) {
    isAfter ||= key === id;
    if (isAfter) messages.delete(key);
  }
}

function readMessage(message: JsonObject, recorder: Recorder): void {
  const text = textOf(message.content, ["text"]);
  const { timestamp } = message;
  switch (message.type) {
    case "user": {
      const typed = textOf(message.displayContent ?? "", ["text"]);
      if (typed !== "") recorder.context(text);
      recorder.say("user", typed === "" ? text : typed, timestamp);
      break;
    }
    case "gemini":
      recorder.say("assistant", text, timestamp);
      for (const call of listOf(message.toolCalls).map(objectOf)) readCall(call, recorder);
      break;
    default:
      recorder.say("system", text, timestamp);
  }
}

function readCall(call: JsonObject, recorder: Recorder): void {
  if (call.agentId !== undefined) return;
  const outputs = listOf(call.result).map((part) => {
    const { response } = objectOf(objectOf(part).functionResponse);
    const { output, error } = objectOf(response);
    return stringOf(output) ?? stringOf(error) ?? textOf(part, ["text"]);
  });
  const text = outputs.join("\n").trim() || (stringOf(call.resultDisplay) ?? "");
  recorder.call(call.id, stringOf(call.name), inputOf(call.args));
  recorder.result(stringOf(call.id) ?? stringOf(call.name), text, call.timestamp);
}
