// Reads and checks the standard input of a hook. Each field is read in the spellings of all hosts; other fields are
// ignored. Pure.

import { isObject, type JsonObject, listOf, objectOf, tryParseJson } from "../../base/checks.ts";
import { AgentxError } from "../../base/errors.ts";
import { hash53 } from "../../base/hash.ts";
import { endOf, toolUseOf } from "../../hooks/guard_call.ts";
import type { HookCall } from "../../hooks/hook_call.ts";

/** Maximum payload in characters: it may hold the result of a tool. */
const MAX_PAYLOAD = 8 * 1024 * 1024;

const MAX_SESSION = 200;

const MAX_PATH = 4_096;

/** All spellings of each field; Copilot chooses one by the spelling of the event. */
const FIELDS = {
  event: ["hook_event_name", "hookEventName"],
  session: ["session_id", "sessionId", "sessionID", "conversation_id"],
  transcript: ["transcript_path", "transcriptPath"],
  cwd: ["cwd", "directory"],
  turn: ["turn_id", "prompt_id", "generation_id"],
  tool: ["tool_use_id", "toolUseId", "toolCallId", "tool_call_id"],
  said: ["prompt", "last_assistant_message", "prompt_response", "source", "reason"],
  subagent: ["agent_id", "agentId"],
  agent: ["agent_type", "agentType"],
} as const;

/**
 * Checks a payload; `event` is from the command line. Throws `INVALID_INPUT` if it is not an event of a
 * session.
 */
export function readCall(payload: JsonObject, event: string): HookCall {
  const own = (field: keyof typeof FIELDS): unknown => {
    const name = FIELDS[field].find((name) => Object.hasOwn(payload, name));
    const value = name === undefined ? undefined : payload[name];
    return value === null || value === "" ? undefined : value;
  };
  const said = own("event");
  if (said !== undefined && said !== event) {
    throw refusal(`it is about another event than ${event}`);
  }
  const session = own("session");
  if (!isPlain(session, MAX_SESSION)) throw refusal("it names no session");
  const transcript = own("transcript");
  if (transcript !== undefined && !isPath(transcript)) {
    throw refusal("its transcript is not an absolute path");
  }
  const { recording } = payload;
  const cwd = own("cwd") ?? firstOf(payload.workspace_roots);
  if (cwd !== undefined && !isPath(cwd)) throw refusal("its folder is not an absolute path");
  const agent = own("agent");
  const { loop_count: loops, prompt } = payload;
  return {
    session,
    cwd,
    transcript,
    recording: typeof recording === "string" ? recording : undefined,
    turn: String(hash53(JSON.stringify([own("turn"), own("tool"), own("said")].map(textIn)))),
    prompt: typeof prompt === "string" ? prompt : undefined,
    isContinued: payload.stop_hook_active === true || payload.stopHookActive === true ||
      typeof loops === "number" && loops > 0,
    isBrokenOff: payload.status === "aborted" || payload.status === "error", // as Cursor says it
    isWaiting: listOf(payload.background_tasks).some((task) => objectOf(task).status === "running"),
    isSubagent: own("subagent") !== undefined,
    hasTime: payload.timestamp !== undefined,
    given: givenBy(payload),
    agent: typeof agent === "string" ? agent : undefined,
    ended: endOf(payload),
    changed: changedBy(payload),
    permission: event === "PermissionRequest" ? permissionIn(payload) : undefined,
  };
}

/** Returns the paths that a tool changed; a tool that failed changed none. */
function changedBy(payload: JsonObject): string[] {
  const use = typeof payload.error === "string" ? undefined : toolUseOf(payload);
  return use === undefined || "command" in use || use.isRead ? [] : use.paths;
}

/** The action that a tool needs permission for. */
function permissionIn(payload: JsonObject): string | undefined {
  const { tool_name: tool } = payload;
  if (typeof tool !== "string") return undefined;
  const use = toolUseOf(payload);
  if (use === undefined) return tool;
  return "command" in use ? use.command : `${tool} ${use.paths.join(" ")}`;
}

/** For each end of a tool's name: the pattern of the shown clarification in its result. */
const GIVING: readonly (readonly [tool: string, says: RegExp])[] = [
  ["agentx_clarify_ask", /(CLR-[0-9]+-[0-9]+) is (?:answered|escalated|resolved), round /g],
  ["agentx_clarify_list", /Clarification Thread: (CLR-[0-9]+-[0-9]+) /g],
];

/**
 * Returns the ids of the clarifications that a tool showed. Gemini and opencode do not name the session to an MCP
 * server, so only the hook knows which session saw them.
 */
function givenBy({ tool_name: name, tool_response: response }: JsonObject): string[] {
  if (typeof name !== "string") return [];
  const says = GIVING.find(([tool]) => name.endsWith(tool))?.[1];
  if (says === undefined) return [];
  const ids = JSON.stringify(response ?? null).matchAll(says);
  return [...new Set(Array.from(ids, ([, id]) => id))];
}

/** Parses the text from standard input. Throws `INVALID_INPUT` if it is no JSON object, or too long. */
export function readPayload(text: string): JsonObject {
  if (text.length > MAX_PAYLOAD) {
    throw refusal(`it has ${text.length} characters, and at most ${MAX_PAYLOAD} are read`);
  }
  const value = tryParseJson(text);
  if (isObject(value)) return value;
  if (value !== undefined) throw refusal("it is not a JSON object");
  throw refusal(text.trim() === "" ? "it is empty" : "it is not JSON, or a part of it is missing");
}

function textIn(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined;
}

/**
 * Whether a value is safe as a name or path. These are printed, compared and opened: control characters are refused.
 */
function isPlain(value: unknown, maxCharacters: number): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= maxCharacters &&
    value.isWellFormed() && !hasControl(value);
}

function hasControl(text: string): boolean {
  // deno-lint-ignore no-control-regex -- which ones do not belong in a name
  return /[\x00-\x1f\x7f]/.test(text);
}

function isPath(value: unknown): value is string {
  return isPlain(value, MAX_PATH) && value.startsWith("/");
}

function refusal(why: string): AgentxError<"INVALID_INPUT"> {
  return new AgentxError("INVALID_INPUT", `Cannot read what the host sent: ${why}`, {
    details: { field: "standard input", value: null },
    next: "The session continues without this hook; hooks are called by hosts, not by hand",
  });
}
