/**
 * The interfaces of models that are spoken: what is sent, and what the events of an answer mean. Pure.
 *
 * @module
 */

import { isObject, type JsonObject } from "../../checks.ts";

/** What one question is. */
export interface ModelRequest {
  model: string;
  prompt: string;
  /** Longest reply, in tokens; null for the default. */
  maxTokens: number | null;
}

/** What an event of an answer says. */
export interface ModelEvent {
  /** More of the answer. */
  text?: string;
  /** Why the answer ends; it is complete. */
  end?: string;
  /** Why there is no answer. */
  error?: string;
}

/** An interface. */
export interface ModelApi {
  /** @returns where a question goes, from the base address without a slash at its end */
  address: (base: string) => string;
  headers: (key: string) => Record<string, string>;
  body: (request: ModelRequest) => object;
  /** Reads an event; it may be of any kind. */
  read: (event: JsonObject) => ModelEvent;
  /** The ends of a whole answer; any other has cut it. */
  whole: readonly string[];
}

/** Anthropic demands a limit. */
const DEFAULT_MAX_TOKENS = 4_096;

/** By the name in the settings. */
export const MODEL_APIS: Readonly<Record<"openai" | "anthropic", ModelApi>> = {
  openai: {
    address: (base) => `${base}/chat/completions`,
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    body: ({ model, prompt, maxTokens }) => ({
      model,
      stream: true,
      ...(maxTokens === null ? {} : { max_completion_tokens: maxTokens }),
      messages: [{ role: "user", content: prompt }],
    }),
    read(event) {
      const [choice] = Array.isArray(event.choices) ? event.choices : [];
      const { delta, finish_reason: end } = objectOf(choice);
      return {
        text: textOf(objectOf(delta).content),
        end: textOf(end),
        error: "error" in event ? errorIn(event) : undefined,
      };
    },
    whole: ["stop"],
  },
  anthropic: {
    address: (base) => `${base.replace(/\/v1$/, "")}/v1/messages`,
    headers: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
    body: ({ model, prompt, maxTokens }) => ({
      model,
      stream: true,
      max_tokens: maxTokens ?? DEFAULT_MAX_TOKENS,
      messages: [{ role: "user", content: prompt }],
    }),
    read({ type, delta, ...event }) {
      const { text, stop_reason: end } = objectOf(delta);
      return {
        text: type === "content_block_delta" ? textOf(text) : undefined,
        end: type === "message_delta" ? textOf(end) : undefined,
        error: type === "error" ? errorIn(event) : undefined,
      };
    },
    whole: ["end_turn", "stop_sequence"],
  },
};

/**
 * @param answer what an endpoint says of a failure
 * @returns its words
 */
export function errorIn(answer: unknown): string {
  const { error, message } = objectOf(answer);
  return textOf(objectOf(error).message) ?? textOf(error) ?? textOf(message) ?? "no reason given";
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
