// Reads the answer of an endpoint: joins the events of a stream into one turn, or finds the reason of a refusal.

import { isObject, tryParseJson } from "../../base/checks.ts";
import type { ModelCall } from "../language_model.ts";
import { type CallPart, errorIn, type ModelApi, type ModelEvent } from "./model_api.ts";
import { serverEvents } from "./server_events.ts";

/** The result of a stream. */
export interface StreamEnd {
  /** The part of the answer that arrived. */
  text: string;
  /** The calls of tools; none if the answer is not complete. */
  calls: readonly ModelCall[];
  /** Number of tokens read and written; undefined if the endpoint does not report it. */
  tokens?: number;
  /** Why the text is not a complete answer; undefined if it is one. */
  complaint?: string;
}

/** Maximum length of an answer, with the arguments of its calls, in characters. */
const MAX_TEXT = 1_000_000;

/** Maximum number of tool calls in a turn; no sensible turn has more. */
const MAX_CALLS = 100;

/** Limit for reading the reason of a refusal. */
const MAX_REFUSAL_BYTES = 64_000;

/** Reads a stream of events. Returns the answer, or the part that arrived with the reason why it is not complete. */
export async function readAnswer(response: Response, api: ModelApi): Promise<StreamEnd> {
  const type = response.headers.get("content-type") ?? "";
  if (response.body === null || !type.startsWith("text/event-stream")) {
    await response.body?.cancel();
    return notWhole("", "the endpoint did not stream its answer");
  }
  let text = "";
  const parts: CallPart[] = [];
  let length = 0;
  let end: string | undefined;
  let usage: ModelEvent["usage"] = {};
  try {
    for await (const data of serverEvents(response.body)) {
      const { text: more = "", calls = [], error, ...event } = eventOf(data, api);
      text += more;
      parts.push(...calls);
      length += more.length + calls.reduce((sum, { input = "" }) => sum + input.length, 0);
      end ??= event.end;
      usage = {
        input: event.usage?.input ?? usage.input,
        output: event.usage?.output ?? usage.output,
      };
      if (error !== undefined) return notWhole(text, error);
      if (length > MAX_TEXT) return notWhole(text, "its answer is too long");
    }
  } catch (error) {
    return notWhole(text, `its answer broke off: ${(error as Error).message}`);
  }
  if (end === undefined) return notWhole(text, "its answer broke off");
  if (!api.whole.includes(end)) return notWhole(text, `its answer was ended by "${end}"`);
  const calls = joinCalls(parts);
  if (calls.length > MAX_CALLS) return notWhole(text, `it called ${calls.length} tools at once`);
  const said = text.trim();
  return said === "" && calls.length === 0
    ? notWhole("", "it answered with nothing")
    : { text: said, calls, tokens: usage.input && usage.input + (usage.output ?? 0) };
}

function notWhole(text: string, complaint: string): StreamEnd {
  return { text, calls: [], complaint };
}

/**
 * Joins the parts of calls. The calls get new numbered ids, because the ids of an endpoint may repeat and only have to
 * be unique in the conversation.
 */
function joinCalls(parts: readonly CallPart[]): ModelCall[] {
  const calls = new Map<number | symbol, { name: string; input: string }>();
  for (const { key = Symbol(), name, input = "" } of parts) {
    const call = calls.get(key) ?? { name: "", input: "" };
    calls.set(key, call);
    call.name ||= name ?? "";
    call.input += input;
  }
  return Array.from(calls.values(), ({ name, input }, index) => ({
    id: `call_${index + 1}`,
    name,
    input: inputOf(input),
  }));
}

/** Reads the arguments of a call. A call without arguments may have no text. */
function inputOf(text: string): ModelCall["input"] {
  if (text.trim() === "") return {};
  const value = tryParseJson(text);
  return isObject(value) ? value : text; // the tool refuses a text
}

/** Reads an event. Other data, such as `[DONE]`, pings, and events of later versions, is ignored. */
function eventOf(data: string, api: ModelApi): ModelEvent {
  const event = tryParseJson(data);
  return isObject(event) ? api.read(event) : {};
}

/** Returns why an endpoint refuses, in its own words. */
export async function readRefusal(response: Response): Promise<string> {
  const { status, headers, body } = response;
  if (status >= 300 && status < 400) {
    await body?.cancel();
    return `it redirects to ${headers.get("location") ?? "elsewhere"}, where no key is sent`;
  }
  const text = await readStart(body).catch(() => "");
  const answer = tryParseJson(text);
  if (answer !== undefined) return errorIn(answer);
  return text.trim() || response.statusText || "no reason given";
}

async function readStart(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    bytes += chunk.length;
    if (bytes > MAX_REFUSAL_BYTES) break;
  }
  return text;
}
