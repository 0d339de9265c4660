// Reads the answer of an endpoint: the events of a stream into one turn, or its reason to refuse.

import { isObject, tryParseJson } from "../../base/checks.ts";
import type { ModelCall } from "../language_model.ts";
import { type CallPart, errorIn, type ModelApi, type ModelEvent } from "./model_api.ts";
import { serverEvents } from "./server_events.ts";

/** The result of a stream. */
export interface StreamEnd {
  /** As much of the answer as came. */
  text: string;
  /** None where the answer is not whole. */
  calls: readonly ModelCall[];
  /** Tokens that were read and written; undefined where the endpoint does not say. */
  tokens?: number;
  /** Why that is not an answer; undefined where it is one. */
  complaint?: string;
}

/** More characters than any answer that is taken, the arguments of its calls included. */
const MAX_TEXT = 1_000_000;

/** Limit of tool calls in a turn; no sensible turn has more. */
const MAX_CALLS = 100;

/** A reason to refuse is shorter. */
const MAX_REFUSAL_BYTES = 64_000;

/** Reads a stream of events: the answer, or the part of it that came and why it is not whole. */
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

/** The ids that an endpoint gives may repeat, and only their conversation needs any: they are numbered. */
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

/** A tool without arguments may be called without any text. */
function inputOf(text: string): ModelCall["input"] {
  if (text.trim() === "") return {};
  const value = tryParseJson(text);
  return isObject(value) ? value : text; // the tool refuses it
}

/** Any other data, such as `[DONE]`, pings, and events of later versions, says nothing. */
function eventOf(data: string, api: ModelApi): ModelEvent {
  const event = tryParseJson(data);
  return isObject(event) ? api.read(event) : {};
}

/** Why an endpoint refuses, in its own words. */
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
