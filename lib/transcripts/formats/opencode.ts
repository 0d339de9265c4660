// Reads a session of opencode: the output of `opencode export`, or the recording that our plugin hands over at the end
// of a session. opencode itself keeps its sessions in a database.

import { type JsonObject, listOf, objectOf, stringOf } from "../../base/checks.ts";
import { jsonDocument } from "../json_lines.ts";
import { Recorder } from "../recorder.ts";
import type { Transcript } from "../transcript.ts";

/** Reads a whole document; the sessions of sub-agents have documents of their own. */
export function readOpencode(text: string): Transcript {
  const recorder = new Recorder("opencode");
  const { info, messages } = objectOf(jsonDocument(text, recorder.problems));
  recorder.sessionId = stringOf(objectOf(info).id) ?? null;
  for (const message of listOf(messages).map(objectOf)) {
    for (const part of listOf(message.parts).map(objectOf)) {
      readPart(part, objectOf(message.info), recorder);
    }
  }
  return recorder.transcript();
}

/** Whether opencode wrote a document; the end of the document may be missing. */
export function isOpencodeSession(value: unknown): boolean {
  const { info, messages } = objectOf(value);
  if (stringOf(objectOf(info).id) === undefined || !Array.isArray(messages)) return false;
  if (messages.length === 0) return true;
  const first = objectOf(messages[0]);
  return Array.isArray(first.parts) && stringOf(objectOf(first.info).role) !== undefined;
}

function readPart(part: JsonObject, info: JsonObject, recorder: Recorder): void {
  const { created } = objectOf(info.time);
  if (part.type === "text") {
    const text = stringOf(part.text) ?? "";
    if (part.synthetic === true) recorder.context(text);
    else recorder.say(roleOf(info), text, created);
  } else if (part.type === "tool") {
    const { status, input, output, error, metadata } = objectOf(part.state);
    if (status !== "completed" && status !== "error") return;
    const { exit } = objectOf(metadata);
    const code = typeof exit === "number" && exit !== 0 ? `Exit code: ${exit}\n` : "";
    recorder.call(part.callID, stringOf(part.tool), input);
    const text = code + (stringOf(output) ?? stringOf(error) ?? "");
    recorder.result(stringOf(part.callID), text, created);
  }
}

/** Returns the role of a message. opencode marks a summary, which is also a message of the agent. */
function roleOf({ role, summary }: JsonObject): "user" | "assistant" | "system" {
  if (role === "user") return "user";
  return summary === true ? "system" : "assistant";
}
