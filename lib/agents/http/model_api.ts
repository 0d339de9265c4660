// The HTTP interfaces of models: their requests, and the meaning of the events of an answer. Pure.

import { type JsonObject, listOf, objectOf, stringOf } from "../../base/checks.ts";
import type { ModelMessage, ToolOffer } from "../language_model.ts";

export interface ApiRequest {
  model: string;
  /** The system prompt; empty for none. */
  system: string;
  messages: readonly ModelMessage[];
  tools: readonly ToolOffer[];
  /** Maximum length of the reply, in tokens; null for the default. */
  maxTokens: number | null;
}

/** The content of an event of an answer. */
export interface ModelEvent {
  /** The next part of the text. */
  text?: string;
  /** The next parts of calls. */
  calls?: readonly CallPart[];
  /** Why the answer ends; no more of it follows. */
  end?: string;
  /** Why there is no answer. */
  error?: string;
  /** Number of tokens that were read, with cached ones, and number of tokens written so far. */
  usage?: { input?: number; output?: number };
}

/** A part of a call. All parts of the same call have the same key. */
export interface CallPart {
  /** The number of the call; undefined if the endpoint does not number calls, so that each part is a whole call. */
  key: number | undefined;
  name?: string;
  /** The next part of the arguments, as JSON. */
  input?: string;
}

export interface ModelApi {
  /** Returns the address for requests; `base` has no slash at its end. */
  address: (base: string) => string;
  headers: (key: string) => Record<string, string>;
  body: (request: ApiRequest) => object;
  /** Reads an event of any kind. */
  read: (event: JsonObject) => ModelEvent;
  /** The values of `end` for a complete answer; any other value means that the answer was cut off. */
  whole: readonly string[];
}

/**
 * Marks the end of the part to cache: the next request reads everything up to this mark from the cache. Only requests
 * with tools have the mark, because only their messages are sent again, with more after them, and writing to the cache
 * costs extra.
 */
const CACHED = { cache_control: { type: "ephemeral" } };

/** The limit for Anthropic, which requires one. */
const DEFAULT_MAX_TOKENS = 4_096;

/** The interfaces, by their names in the settings. */
export const MODEL_APIS: Readonly<Record<"openai" | "anthropic", ModelApi>> = {
  openai: {
    address: (base) => `${base}/chat/completions`,
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    body: ({ model, system, messages, tools, maxTokens }) => ({
      model,
      stream: true,
      ...(maxTokens === null ? {} : { max_completion_tokens: maxTokens }),
      messages: [
        ...(system === "" ? [] : [{ role: "system", content: system }]),
        ...messages.map(openaiMessage),
      ],
      ...(tools.length === 0 ? {} : {
        tools: tools.map(({ name, description, input }) => ({
          type: "function",
          function: { name, description, parameters: input },
        })),
      }),
    }),
    read(event) {
      const [choice] = listOf(event.choices);
      const { delta, finish_reason: end } = objectOf(choice);
      const { content, tool_calls: calls } = objectOf(delta);
      return {
        text: stringOf(content),
        calls: listOf(calls).map(objectOf).map(({ index, function: called }) => ({
          key: typeof index === "number" ? index : undefined,
          name: stringOf(objectOf(called).name),
          input: stringOf(objectOf(called).arguments),
        })),
        end: stringOf(end),
        error: "error" in event ? errorIn(event) : undefined,
      };
    },
    whole: ["stop", "tool_calls"],
  },
  anthropic: {
    address: (base) => `${base.replace(/\/v1$/, "")}/v1/messages`,
    headers: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
    body: ({ model, system, messages, tools, maxTokens }) => ({
      model,
      stream: true,
      max_tokens: maxTokens ?? DEFAULT_MAX_TOKENS,
      ...(system === "" ? {} : { system: tools.length === 0 ? system : cachedText(system) }),
      messages: anthropicMessages(messages, { isCached: tools.length > 0 }),
      ...(tools.length === 0 ? {} : {
        tools: tools.map(({ name, description, input }) => ({
          name,
          description,
          input_schema: input,
        })),
      }),
    }),
    read({ type, index, delta, content_block: block, ...event }) {
      const { text, partial_json: input, stop_reason: end } = objectOf(delta);
      const { type: kind, name } = objectOf(block);
      const key = typeof index === "number" ? index : undefined;
      const begins = type === "content_block_start" && kind === "tool_use";
      const continues = type === "content_block_delta" && stringOf(input) !== undefined;
      return {
        text: type === "content_block_delta" ? stringOf(text) : undefined,
        calls: begins
          ? [{ key, name: stringOf(name) }]
          : continues
          ? [{ key, input: stringOf(input) }]
          : [],
        end: type === "message_delta" ? stringOf(end) : undefined,
        error: type === "error" ? errorIn(event) : undefined,
        usage: usageIn(type === "message_start" ? objectOf(event.message).usage : event.usage),
      };
    },
    whole: ["end_turn", "stop_sequence", "tool_use"],
  },
};

/** Returns an endpoint's description of a failure. */
export function errorIn(answer: unknown): string {
  const { error, message } = objectOf(answer);
  return stringOf(objectOf(error).message) ?? stringOf(error) ?? stringOf(message) ??
    "no reason given";
}

/** Returns the tokens in a `usage` of Anthropic. All input tokens count, with cached ones. */
function usageIn(usage: unknown): ModelEvent["usage"] {
  const said = objectOf(usage);
  const read = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"]
    .map((name) => said[name]).filter((count) => typeof count === "number");
  const { output_tokens: output } = said;
  return {
    input: read.length === 0 ? undefined : read.reduce((sum, count) => sum + count, 0),
    output: typeof output === "number" ? output : undefined,
  };
}

function cachedText(text: string): object[] {
  return [{ type: "text", text, ...CACHED }];
}

function openaiMessage(message: ModelMessage): object {
  switch (message.role) {
    case "user":
      return { role: "user", content: message.text };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.text };
    case "assistant": {
      const { text, calls } = message;
      if (calls.length === 0) return { role: "assistant", content: text };
      return {
        role: "assistant",
        content: text === "" ? null : text,
        tool_calls: calls.map(({ id, name, input }) => ({
          id,
          type: "function",
          function: { name, arguments: JSON.stringify(argumentsOf(input)) },
        })),
      };
    }
  }
}

/** Converts messages for Anthropic. Roles must alternate there, so consecutive messages of a role become one. */
function anthropicMessages(
  messages: readonly ModelMessage[],
  { isCached }: { isCached: boolean },
): object[] {
  const turns: { role: "user" | "assistant"; content: object[] }[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    if (turns.at(-1)?.role !== role) turns.push({ role, content: [] });
    turns.at(-1)!.content.push(...anthropicBlocks(message));
  }
  if (isCached) Object.assign(turns.at(-1)?.content.at(-1) ?? {}, CACHED);
  return turns.map(({ role, content }) => {
    const [first, ...rest] = content;
    const isPlain = rest.length === 0 && "text" in first && !("cache_control" in first);
    return { role, content: isPlain ? first.text : content };
  });
}

/** Converts a message into blocks. Empty text is left out, because no block may be empty. */
function anthropicBlocks(message: ModelMessage): object[] {
  const words = (text: string) => text.trim() === "" ? [] : [{ type: "text", text }];
  switch (message.role) {
    case "user":
      return words(message.text);
    case "tool": {
      const { callId, text, isError } = message;
      const failed = isError ? { is_error: true } : {};
      return [{ type: "tool_result", tool_use_id: callId, content: text, ...failed }];
    }
    case "assistant":
      return [
        ...words(message.text),
        ...message.calls.map(({ id, name, input }) => ({
          type: "tool_use",
          id,
          name,
          input: argumentsOf(input),
        })),
      ];
  }
}

/**
 * Returns the arguments to send back. Arguments that are not an object become `{}`; the result of the call reports the
 * fault.
 */
function argumentsOf(input: JsonObject | string): JsonObject {
  return typeof input === "string" ? {} : input;
}
