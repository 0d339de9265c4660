/**
 * Reading what an endpoint answers: the events of a stream into one text, or its reason to refuse.
 *
 * @module
 */

import { isObject } from "../../checks.ts";
import { errorIn, type ModelApi, type ModelEvent } from "./model_api.ts";
import { serverEvents } from "./server_events.ts";

/** What came of a stream. */
export interface StreamEnd {
  /** As much of the answer as came. */
  text: string;
  /** Why that is not an answer; undefined where it is one. */
  complaint?: string;
}

/** More characters than any answer that is taken. */
const MAX_TEXT = 1_000_000;

/** A reason to refuse is shorter. */
const MAX_REFUSAL_BYTES = 64_000;

/**
 * @param response with a stream of events
 * @param api what they mean
 * @returns the answer, or as much of it as came and why it is not one
 */
export async function readAnswer(response: Response, api: ModelApi): Promise<StreamEnd> {
  const type = response.headers.get("content-type") ?? "";
  if (response.body === null || !type.startsWith("text/event-stream")) {
    await response.body?.cancel();
    return { text: "", complaint: "the endpoint did not stream its answer" };
  }
  let text = "";
  let end: string | undefined;
  try {
    for await (const data of serverEvents(response.body)) {
      const event = eventOf(data, api);
      text += event.text ?? "";
      end ??= event.end;
      if (event.error !== undefined) return { text, complaint: event.error };
      if (text.length > MAX_TEXT) return { text, complaint: "its answer is too long" };
    }
  } catch (error) {
    return { text, complaint: `its answer broke off: ${(error as Error).message}` };
  }
  if (end === undefined) return { text, complaint: "its answer broke off" };
  if (!api.whole.includes(end)) return { text, complaint: `its answer was ended by "${end}"` };
  return text.trim() === ""
    ? { text: "", complaint: "it answered with nothing" }
    : { text: text.trim() };
}

/** What no event of the interface is, says nothing: `[DONE]`, pings, those of later versions. */
function eventOf(data: string, api: ModelApi): ModelEvent {
  try {
    const event: unknown = JSON.parse(data);
    return isObject(event) ? api.read(event) : {};
  } catch {
    return {};
  }
}

/**
 * @param response of an endpoint that refuses
 * @returns why, in its own words
 */
export async function readRefusal(response: Response): Promise<string> {
  const { status, headers, body } = response;
  if (status >= 300 && status < 400) {
    await body?.cancel();
    return `it redirects to ${headers.get("location") ?? "elsewhere"}, where no key is sent`;
  }
  const text = await readStart(body).catch(() => "");
  try {
    return errorIn(JSON.parse(text));
  } catch {
    return text.trim() || response.statusText || "no reason given";
  }
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
