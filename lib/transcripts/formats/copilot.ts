// Reads a session of GitHub Copilot: the events of Copilot CLI from `~/.copilot/session-state/`, or
// a chat of VS Code.

import { objectOf, stringOf } from "../../base/checks.ts";
import { jsonLines } from "../json_lines.ts";
import { Recorder } from "../recorder.ts";
import type { Transcript } from "../transcript.ts";
import { isCopilotChat, readCopilotChat } from "./copilot_chat.ts";

/** Reads a whole file, without the messages of sub-agents. */
export function readCopilot(text: string): Transcript {
  return isCopilotChat(text) ? readCopilotChat(text) : readEvents(text);
}

function readEvents(text: string): Transcript {
  const recorder = new Recorder("copilot");
  for (const { value } of jsonLines(text, recorder.problems)) {
    const data = objectOf(value.data);
    const { timestamp } = value;
    if (typeof data.parentToolCallId === "string" || typeof value.agentId === "string") continue;
    switch (value.type) {
      case "session.start":
        recorder.sessionId ??= stringOf(data.sessionId) ?? null;
        break;
      case "user.message": {
        const isTyped = (data.source ?? "user") === "user" && data.isAutopilotContinuation !== true;
        recorder.say(isTyped ? "user" : "system", stringOf(data.content) ?? "", timestamp);
        recorder.context(stringOf(data.transformedContent) ?? "");
        break;
      }
      case "assistant.message":
        recorder.say("assistant", stringOf(data.content) ?? "", timestamp);
        break;
      case "system.message":
        recorder.say("system", stringOf(data.content) ?? "", timestamp);
        break;
      case "session.compaction_complete":
        recorder.say("system", stringOf(data.summaryContent) ?? "", timestamp);
        break;
      case "tool.execution_start":
        recorder.call(data.toolCallId, stringOf(data.toolName), data.arguments);
        break;
      case "tool.execution_complete": {
        const result = stringOf(objectOf(data.result).content) ?? "";
        const error = stringOf(objectOf(data.error).message) ?? "";
        recorder.result(stringOf(data.toolCallId), `${result}\n${error}`.trim(), timestamp);
        break;
      }
    }
  }
  return recorder.transcript();
}
