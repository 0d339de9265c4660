// Reads a session of Gemini CLI from `~/.gemini/tmp/`: a JSON document, the newer log of JSON lines with `$set` and
// `$rewindTo`, or the checkpoint that `/chat save` writes. Also reads a session of Qwen Code, which is derived from
// Gemini CLI: lines with the envelope of Claude Code and the parts of Gemini.

import { isObject, type JsonObject, listOf, objectOf, stringOf } from "../../base/checks.ts";
import { jsonDocument, jsonLines } from "../json_lines.ts";
import { messageText } from "../json_value.ts";
import { Recorder } from "../recorder.ts";
import type { Transcript } from "../transcript.ts";

/** Reads a whole file, without rewound messages and the work of sub-agents. */
export function readGemini(text: string): Transcript {
  const recorder = new Recorder("gemini");
  const document = isLog(text) ? undefined : jsonDocument(text, recorder.problems);
  const history = historyOf(document);
  if (history.length > 0) {
    for (const content of history) readContent(content, recorder);
  } else {
    const records = isObject(document)
      ? [document]
      : Array.from(jsonLines(text, recorder.problems), ({ value }) => value);
    if (records.some(isQwenLine)) readQwen(records, recorder);
    else readRecords(records, recorder);
  }
  return recorder.transcript();
}

/** Whether Gemini CLI wrote this document, or a log with this first line. */
export function isGeminiSession(value: unknown): boolean {
  const { projectHash, messages } = objectOf(value);
  return typeof projectHash === "string" || historyOf(value).length > 0 ||
    listOf(messages).some((message) => objectOf(message).type === "gemini");
}

/** Whether Qwen Code wrote this line. */
export function isQwenLine({ uuid, message }: JsonObject): boolean {
  return typeof uuid === "string" && Array.isArray(objectOf(message).parts);
}

/** Reads lines of Qwen Code. Version 0.24 names the source of each line; a person typed only those of a real user. */
function readQwen(lines: readonly JsonObject[], recorder: Recorder): void {
  for (const line of lines) {
    recorder.sessionId ??= stringOf(line.sessionId) ?? null;
    if (!isQwenLine(line)) continue;
    const message = objectOf(line.message);
    const isSaid = line.type !== "user" || (line.provenance ?? "real_user") === "real_user";
    if (!isSaid) recorder.context(messageText(message.parts, ["text"]));
    const parts = listOf(message.parts)
      .filter((part) => isSaid || objectOf(part).text === undefined);
    readContent({ ...message, parts }, recorder, line.timestamp);
  }
}

/** Whether a second object follows after the first line. */
function isLog(text: string): boolean {
  const start = text.trimStart();
  const end = start.indexOf("\n");
  return end > 0 && start.slice(0, end).trimEnd().endsWith("}") &&
    start.slice(end).trimStart().startsWith("{");
}

/** Returns the messages of a checkpoint, which is a list of messages to and from the model, or has one as `history`. */
function historyOf(value: unknown): JsonObject[] {
  const contents = Array.isArray(value) ? value : listOf(objectOf(value).history);
  return contents.filter(isObject).filter(({ parts }) => Array.isArray(parts));
}

function readContent(content: JsonObject, recorder: Recorder, timestamp?: unknown): void {
  for (const part of listOf(content.parts).map(objectOf)) {
    const call = objectOf(part.functionCall);
    const response = objectOf(part.functionResponse);
    const name = stringOf(call.name) ?? stringOf(response.name);
    if (part.functionCall !== undefined) {
      recorder.call(call.id ?? name, name, call.args);
    } else if (part.functionResponse !== undefined) {
      recorder.result(stringOf(response.id) ?? name, textOfResponse(part), timestamp);
    } else if (part.thought !== true && typeof part.text === "string") {
      recorder.say(content.role === "model" ? "assistant" : "user", part.text, timestamp);
    }
  }
}

function readRecords(records: JsonObject[], recorder: Recorder): void {
  const messages = new Map<string, JsonObject>();
  for (const record of records) {
    const set = objectOf(record.$set);
    recorder.sessionId ??= stringOf(record.sessionId) ?? stringOf(set.sessionId) ?? null;
    if (typeof record.$rewindTo === "string") rewind(messages, record.$rewindTo);
    else if (typeof record.id === "string") messages.set(record.id, record);
    const changed = listOf(set.messages);
    const summary = changed.filter(isObject).find(isSummary);
    if (summary !== undefined && [...messages.values()].some(isOfModel)) {
      messages.set(String(summary.id), { ...summary, type: "info" });
      continue; // the summary repeats the last messages
    }
    const before = new Map(messages);
    if (replaces(changed, messages)) messages.clear();
    for (const message of [...listOf(record.messages), ...changed].filter(isObject)) {
      const id = stringOf(message.id) ?? `#${messages.size}`;
      const known = before.get(id); // a resumed session repeats the message without its tool calls
      messages.set(id, known?.toolCalls === undefined ? message : known);
    }
  }
  for (const message of messages.values()) readMessage(message, recorder);
}

/**
 * Whether a list replaces all messages. When a session could not be loaded, Gemini sets a list that contains only its
 * own context; the earlier messages then stay.
 */
function replaces(set: readonly unknown[], messages: ReadonlyMap<string, JsonObject>): boolean {
  return set.some(isOfModel) || set.length > 0 && ![...messages.values()].some(isOfModel);
}

function isOfModel(message: unknown): boolean {
  return objectOf(message).type === "gemini";
}

/** Whether a message replaces a compressed conversation. */
function isSummary({ content }: JsonObject): boolean {
  return messageText(content, ["text"]).trimStart().startsWith("<state_snapshot>");
}

function rewind(messages: Map<string, JsonObject>, id: string): void {
  let isAfter = !messages.has(id);
  for (const key of messages.keys()) {
    isAfter ||= key === id;
    if (isAfter) messages.delete(key);
  }
}

function readMessage(message: JsonObject, recorder: Recorder): void {
  const text = messageText(message.content, ["text"]);
  const { timestamp } = message;
  switch (message.type) {
    case "user": {
      const typed = messageText(message.displayContent ?? "", ["text"]);
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
  const outputs = listOf(call.result).map(textOfResponse);
  const text = outputs.join("\n").trim() || (stringOf(call.resultDisplay) ?? "");
  recorder.call(call.id, stringOf(call.name), call.args);
  recorder.result(stringOf(call.id) ?? stringOf(call.name), text, call.timestamp);
}

function textOfResponse(part: unknown): string {
  const { output, error } = objectOf(objectOf(objectOf(part).functionResponse).response);
  return stringOf(output) ?? stringOf(error) ?? messageText(part, ["text"]);
}
