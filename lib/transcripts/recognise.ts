// Finds out which agent recorded a text.

import { isObject, type JsonObject } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { isCopilotChat } from "./formats/copilot_chat.ts";
import { isGeminiSession, isQwenLine } from "./formats/gemini.ts";
import { isOpencodeSession } from "./formats/opencode.ts";
import { isPiSession } from "./formats/pi.ts";
import { jsonDocument, jsonLines } from "./json_lines.ts";
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from "./transcript.ts";

const LOOKED_AT = 262_144;

const LINES_LOOKED_AT = 60;

const CLAUDE_TYPES =
  /^(?:user|assistant|summary|system|attachment|progress|result|file-history-snapshot|queue-operation|last-prompt|custom-title|ai-title|permission-mode|mode|pr-link|agent-name)$/;

const CODEX_TYPES =
  /^(?:session_meta|response_item|event_msg|turn_context|compacted|thread\.started|turn\.started|turn\.completed|item\.\w+|message|reasoning|function_call|function_call_output|local_shell_call)$/;

const COPILOT_TYPES =
  /^(?:session|user|assistant|tool|hook|subagent|system|skill|abort|permission)(?:\.\w+)+$/;

const AIDER = /^(?:# aider chat started at |> (?:Aider v\d|.{0,200}Tokens: [\d.k]+ sent))/m;

/**
 * Returns the format of a file; text that is neither JSON nor from aider is a chat in markdown. Throws `INVALID_INPUT`
 * for JSON that is not a session of a known agent.
 */
export function recogniseFormat(text: string): TranscriptFormat {
  const start = text.slice(0, LOOKED_AT).trimStart();
  if (!/^[{[]\s*["{}[\]]/.test(start)) return AIDER.test(start) ? "aider" : "markdown";
  if (isCopilotChat(start)) return "copilot";
  let looked = 0;
  for (const { value } of jsonLines(wholeLines(text, start), [])) {
    const format = formatOf(value);
    if (format !== undefined) return format;
    if (++looked >= LINES_LOOKED_AT) break;
  }
  const document = jsonDocument(text, []);
  if (isOpencodeSession(document)) return "opencode";
  if (isGeminiSession(document)) return "gemini";
  throw new AgentxError(
    "INVALID_INPUT",
    "Cannot read the transcript: it is JSON, but not a session of a known agent",
    {
      details: { field: "transcript", value: start.slice(0, 80) },
      next: `If it is one, specify its format with --format (${TRANSCRIPT_FORMATS.join(", ")})`,
    },
  );
}

/**
 * Returns the complete lines at the start of a text. The first line is complete even if it is longer than the part to
 * look at.
 */
function wholeLines(text: string, start: string): string {
  const end = start.lastIndexOf("\n");
  return end > 0 ? start.slice(0, end) : text;
}

function formatOf(line: JsonObject): TranscriptFormat | undefined {
  const { type } = line;
  if (isOpencodeSession(line)) return "opencode";
  const isGemini = isGeminiSession(line) || isQwenLine(line) || "$set" in line;
  if (isGemini || (type === "gemini" && "id" in line)) {
    return "gemini";
  }
  if (typeof type !== "string") {
    return "id" in line && "timestamp" in line && "instructions" in line ? "codex" : undefined;
  }
  if (isPiSession(line)) return "pi";
  if (CODEX_TYPES.test(type)) return "codex";
  if (COPILOT_TYPES.test(type) && isObject(line.data)) return "copilot";
  const isClaude = CLAUDE_TYPES.test(type) &&
    ["message", "sessionId", "session_id", "leafUuid", "messageId", "uuid"].some((key) =>
      key in line
    );
  return isClaude ? "claude" : undefined;
}
