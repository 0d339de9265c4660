// Reads the JSON output of coding agents into one shape. Any other output, such as a banner, a warning or half a line,
// does not reach the answer. Pure. Each reader names the version that its format was observed with.

import { isObject, type JsonObject, objectOf, tryParseJson } from "../base/checks.ts";
import type { HostName } from "../hosts/hosts.ts";
import type { RunOutput } from "./failure.ts";

export interface HostReply {
  /** The answer alone; for a failed run, the part of the answer that arrived. */
  text: string;
  /** Why the run failed; undefined if it did not fail, or did not give a reason. */
  complaint?: string;
  /** Whether the output ended before the answer was complete. */
  isCut?: boolean;
  /** The id to resume the session. */
  session?: string;
  /** Number of tokens read and written so far; undefined if the host does not report it. */
  tokens?: number;
}

/** Maximum number of possible starts to try, since many lines may begin like an object. */
const MAX_STARTS = 100;

/** Reads the output of one host. */
export type ReadReply = (output: RunOutput) => HostReply;

/** The form of a session id. The id is put on a command line, so it must not look like an option. */
const SESSION = /^[A-Za-z0-9][\w-]{5,99}$/;

/**
 * Reads the output of Claude Code 2.1.197: one object, or the last of many. `subtype` is "success" even for a refused
 * request.
 */
function readClaude({ stdout }: RunOutput): HostReply {
  const last = lastObject(stdout) ?? {};
  const { type, result, is_error: isError, subtype, session_id: id } = last;
  const session = sessionOf(id);
  const text = textOf(result);
  if (type !== "result") return { text: "", isCut: true, tokens: tokensSaid(stdout) };
  const tokens = tokensIn(last.usage);
  if (isError === false) return { text, session, tokens };
  const complaint = text || textOf(subtype) || undefined;
  return { text: "", complaint, isCut: complaint === undefined, session, tokens };
}

/**
 * Returns the tokens of a session that still runs. A message appears once for each of its parts, but counts only once.
 */
function tokensSaid(stdout: string): number | undefined {
  const messages = eventsIn(stdout).flatMap(({ type, message }) =>
    type === "assistant" ? [objectOf(message)] : []
  );
  const byId = new Map(messages.map(({ id, usage }) => [id, tokensIn(usage) ?? 0]));
  return byId.size === 0 ? undefined : [...byId.values()].reduce((sum, each) => sum + each);
}

/**
 * Returns the sum of the tokens in a `usage` of Claude Code or Codex. The input count of Codex includes the cached
 * tokens.
 */
function tokensIn(usage: unknown): number | undefined {
  const counts = [
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
  ].map((key) => objectOf(usage)[key]).filter((count) => typeof count === "number");
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count);
}

/** Reads the output of Codex 0.169.0: an event on each line. */
function readCodex({ stdout }: RunOutput): HostReply {
  const events = eventsIn(stdout);
  const items = events.map(({ type, item }) => type === "item.completed" ? objectOf(item) : {});
  const { message } = objectOf(findLast(events, "turn.failed").error);
  const isCut = findLast(events, "turn.completed").type === undefined;
  const complaint = textOf(message) || textOf(findLast(events, "error").message);
  return {
    text: textOf(findLast(items, "agent_message").text),
    complaint: isCut && complaint !== "" ? complaint : undefined,
    isCut,
    session: sessionOf(findLast(events, "thread.started").thread_id),
    tokens: tokensIn(findLast(events, "turn.completed").usage),
  };
}

/** Reads the output of Gemini CLI 0.61.0: one object, after a failure on standard error. */
function readGemini({ stdout, stderr }: RunOutput): HostReply {
  const { response, error, session_id: id } = lastObject(stdout) ?? lastObject(stderr) ?? {};
  const { message, code } = objectOf(error);
  return {
    text: textOf(response),
    complaint: withStatus(innerMessage(textOf(message)), code),
    isCut: id === undefined,
    session: sessionOf(id),
  };
}

/** Reads the output of GitHub Copilot CLI 1.0.102: an event on each line. */
function readCopilot({ stdout }: RunOutput): HostReply {
  const events = eventsIn(stdout);
  const { exitCode, sessionId } = findLast(events, "result");
  const said = events.filter(({ type }) => type === "assistant.message")
    .map(({ data }) => textOf(objectOf(data).content));
  const complaint = textOf(objectOf(findLast(events, "session.error").data).message);
  return {
    text: said.findLast((text) => text !== "") ?? "",
    complaint: exitCode !== 0 && complaint !== "" ? complaint : undefined,
    isCut: exitCode !== 0,
    session: sessionOf(sessionId),
  };
}

/**
 * Reads the output of opencode 1.18.33: an event on each line. If the stream of its model breaks off, it finishes with
 * the reason "unknown".
 */
function readOpencode({ stdout }: RunOutput): HostReply {
  const events = eventsIn(stdout);
  const { name, data } = objectOf(findLast(events, "error").error);
  const { message, statusCode } = objectOf(data);
  const last = events.at(-1);
  return {
    text: textOf(objectOf(findLast(events, "text").part).text),
    complaint: withStatus(textOf(message) || textOf(name), statusCode),
    isCut: last?.type !== "step_finish" || objectOf(last.part).reason !== "stop",
    session: sessionOf(last?.sessionID),
  };
}

/** The readers of hosts, by the name of the preset. */
export const READERS: Readonly<Partial<Record<HostName, ReadReply>>> = {
  claude: readClaude,
  codex: readCodex,
  copilot: readCopilot,
  gemini: readGemini,
  opencode: readOpencode,
};

/**
 * Returns the last JSON object in the text that begins at the start of a line. Banners and warnings may come before it.
 */
function lastObject(text: string): JsonObject | undefined {
  const whole = parsed(text);
  if (whole !== undefined) return whole;
  const end = text.lastIndexOf("}") + 1;
  const starts = Array.from(text.matchAll(/^\{/gm), ({ index }) => index).slice(-MAX_STARTS);
  return starts.reduceRight<JsonObject | undefined>(
    (found, start) => found ?? parsed(text.slice(start, end)),
    undefined,
  );
}

function eventsIn(text: string): JsonObject[] {
  return text.split("\n").map(parsed).filter((event) => event !== undefined);
}

function parsed(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  const value = tryParseJson(text); // may be half a line, or prose in braces
  return isObject(value) ? value : undefined;
}

function findLast(events: readonly JsonObject[], type: string): JsonObject {
  return events.findLast((event) => event.type === type) ?? {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function sessionOf(value: unknown): string | undefined {
  return typeof value === "string" && SESSION.test(value) ? value : undefined;
}

/** Returns the message of a vendor's endpoint, if the message of the host contains it as JSON. */
function innerMessage(message: string): string {
  return textOf(objectOf(parsed(message)?.error).message) || message;
}

/** Adds the status to a message, because it tells whether another run may help. */
function withStatus(message: string, status: unknown): string | undefined {
  if (message === "") return undefined;
  return /^[45]\d\d$/.test(String(status)) ? `HTTP ${status}: ${message}` : message;
}
