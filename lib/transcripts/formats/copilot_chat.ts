// Reads a chat of VS Code: the JSON document that it keeps or exports, or its log of changes to that document (the
// whole document on the first line, then set, push and delete).

import { isObject, type JsonObject, listOf, objectOf, stringOf } from "../../base/checks.ts";
import { jsonDocument, jsonLines } from "../json_lines.ts";
import { messageText } from "../json_value.ts";
import { Recorder } from "../recorder.ts";
import type { Transcript } from "../transcript.ts";

const LOG_START = /^\s*\{\s*"kind"\s*:\s*0\s*,\s*"v"\s*:/;

const DOCUMENT = /"requests"\s*:\s*\[/;

/** Whether a file is a chat of VS Code; the start of the file is enough. */
export function isCopilotChat(text: string): boolean {
  const start = text.slice(0, 65_536);
  return LOG_START.test(start) || (/^\s*\{/.test(start) && DOCUMENT.test(start));
}

/** Reads a whole file, without thoughts of the model and the work of sub-agents. */
export function readCopilotChat(text: string): Transcript {
  const recorder = new Recorder("copilot");
  const chat = LOG_START.test(text.slice(0, 1_000))
    ? replay(text, recorder.problems)
    : objectOf(jsonDocument(text, recorder.problems));
  recorder.sessionId = stringOf(chat.sessionId) ?? null;
  for (const request of listOf(chat.requests).map(objectOf)) readRequest(request, recorder);
  return recorder.transcript();
}

function readRequest(request: JsonObject, recorder: Recorder): void {
  const { timestamp } = request;
  const isTyped = request.isSystemInitiated !== true && request.isHidden !== true;
  recorder.say(isTyped ? "user" : "system", messageText(request.message, ["text"]), timestamp);
  let answer = "";
  for (const part of listOf(request.response).map(objectOf)) {
    const { kind } = part;
    if (kind === undefined || kind === "markdownContent") {
      answer += textOfMarkdown(part.content ?? part.value ?? part);
    } else if (kind === "inlineReference") {
      const reference = objectOf(part.inlineReference);
      answer += `\`${stringOf(part.name) ?? stringOf(reference.name) ?? pathOf(reference)}\``;
    } else if (kind === "toolInvocationSerialized" && part.subAgentInvocationId === undefined) {
      recorder.say("assistant", answer, timestamp);
      answer = "";
      readTool(part, recorder, timestamp);
    } else if (kind === "textEditGroup") {
      recorder.result("edit", `Applied edit to ${pathOf(objectOf(part.uri))}`, timestamp);
    }
  }
  recorder.say("assistant", answer, timestamp);
  const { message } = objectOf(objectOf(request.result).errorDetails);
  recorder.say("system", stringOf(message) ?? "", timestamp);
}

function readTool(part: JsonObject, recorder: Recorder, timestamp: unknown): void {
  const details = objectOf(part.resultDetails);
  const data = objectOf(part.toolSpecificData);
  const outputs = listOf(details.output).map((output) => stringOf(objectOf(output).value) ?? "");
  const output = stringOf(objectOf(data.terminalCommandOutput).text) ?? outputs.join("\n");
  const command = stringOf(objectOf(data.commandLine).original) ?? stringOf(details.input) ?? "";
  recorder.call(part.toolCallId, stringOf(part.toolId), command);
  const text = [textOfMarkdown(part.pastTenseMessage), output].filter((each) => each !== "");
  recorder.result(stringOf(part.toolCallId), text.join("\n"), timestamp);
}

function textOfMarkdown(value: unknown): string {
  return stringOf(value) ?? stringOf(objectOf(value).value) ?? "";
}

function pathOf(uri: JsonObject): string {
  const { path, fsPath } = isObject(uri.uri) ? uri.uri : uri;
  return stringOf(fsPath) ?? stringOf(path) ?? "";
}

/** Applies the log of changes; skips an entry for a place that does not exist. */
function replay(text: string, problems: string[]): JsonObject {
  let state: JsonObject = {};
  for (const { value: entry } of jsonLines(text, problems)) {
    if (entry.kind === 0) {
      state = objectOf(entry.v);
      continue;
    }
    const path = listOf(entry.k);
    const container = containerOf(state, path);
    const key = path.at(-1);
    if (container === undefined || (typeof key !== "string" && typeof key !== "number")) continue;
    if (entry.kind === 1) set(container, key, entry.v);
    else if (entry.kind === 3) delete (container as JsonObject)[key];
    else if (entry.kind === 2) push(container, key, entry);
  }
  return state;
}

/** Returns the object or list at a path, following only own keys. */
function containerOf(state: JsonObject, path: unknown[]): object | undefined {
  let place: unknown = state;
  for (const key of path.slice(0, -1)) {
    if (typeof place !== "object" || place === null) return undefined;
    if (typeof key !== "string" && typeof key !== "number") return undefined;
    place = Object.hasOwn(place, key) ? (place as JsonObject)[key] : undefined;
  }
  return typeof place === "object" && place !== null ? place : undefined;
}

function set(container: object, key: string | number, value: unknown): void {
  if (key === "__proto__") return;
  if (
    Array.isArray(container) && !(typeof key === "number" && key >= 0 && key <= container.length)
  ) {
    return;
  }
  (container as JsonObject)[key] = value;
}

function push(container: object, key: string | number, entry: JsonObject): void {
  if (!Object.hasOwn(container, key)) set(container, key, []);
  const list = Object.hasOwn(container, key) ? (container as JsonObject)[key] : undefined;
  if (!Array.isArray(list)) return;
  if (typeof entry.i === "number" && entry.i >= 0 && entry.i < list.length) {
    list.length = entry.i | 0;
  }
  for (const value of listOf(entry.v)) list.push(value);
}
