/**
 * A model on loopback that gives every question the same answer, in the words of each vendor: Anthropic
 * Messages, OpenAI Responses and Chat, Gemini, all as server-sent events.
 *
 * @module
 */

import { callEvents, type ToolCall, toolsIn } from "./tool_calls.ts";

/** What the model says to everything. */
export const ANSWER = "PostgreSQL in production.\nSQLite for development.";

/** What a client without a right key is told. */
export const REFUSAL = "this key opens nothing";

const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

type Stream = readonly (readonly [name: string, data: unknown])[];

/** By the end of the path: the events of an answer, each with the name that stands before it. */
const STREAMS: Record<string, Stream> = {
  "/messages": [
    {
      type: "message_start",
      message: {
        id: "1",
        type: "message",
        role: "assistant",
        model: "m",
        content: [],
        usage: USAGE,
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: ANSWER } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: USAGE },
    { type: "message_stop" },
  ].map((event) => [event.type, event]),
  "/responses": [
    { type: "response.created", response: { id: "1" } },
    {
      type: "response.output_item.done",
      item: {
        type: "message",
        role: "assistant",
        id: "1",
        content: [{ type: "output_text", text: ANSWER }],
      },
    },
    { type: "response.completed", response: { id: "1", usage: USAGE } },
  ].map((event) => [event.type, event]),
  "/chat/completions": [
    ["", chatChunk({ role: "assistant", content: ANSWER }, null)],
    ["", chatChunk({}, "stop")],
    ["", "[DONE]"],
  ],
  ":streamGenerateContent": [["", {
    candidates: [{ content: { role: "model", parts: [{ text: ANSWER }] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  }]],
};

function chatChunk(delta: object, finish: string | null): object {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return { id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices };
}

/** Serves until the end of the block that is `using` it. */
export class ScriptedModel implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  /** The tools that it uses before it answers, each once, where a host offers them. */
  wishes: ToolCall[] = [];
  /** The last request that offered tools, whole. */
  heard = "";
  /** Models at their limit: what the address or the body of a request says of them. */
  limited: RegExp | undefined;

  /** @param way whether it answers, refuses everything with 401, or breaks off in each answer */
  constructor(way: "answers" | "refuses" | "breaks") {
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    this.#server = Deno.serve(options, async (request) => {
      const text = await request.text();
      if (way === "refuses") return refusal();
      const { pathname } = new URL(request.url);
      if (this.limited?.test(pathname + text)) {
        return Response.json({ error: { code: 429, message: "slow down" } }, { status: 429 });
      }
      const tools = text.startsWith("{") ? toolsIn(JSON.parse(text)) : [];
      if (tools.length > 0) this.heard = text;
      const next = this.wishes.findIndex(([name]) => tools.includes(name));
      return next < 0
        ? answerTo(pathname, { breaks: way === "breaks" })
        : streamOf(callEvents(this.wishes.splice(next, 1)[0]), pathname);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Where nobody listens: the port to discard at. */
export const CLOSED_URL = "http://127.0.0.1:9";

/** What breaks off has half of the words, and no event behind them. */
function answerTo(path: string, { breaks }: { breaks: boolean }): Response {
  if (!breaks) return streamOf(STREAMS, path);
  const halves = Object.entries(STREAMS).map(([end, events]) => [end, brokenOff(events)]);
  return streamOf(Object.fromEntries(halves), path);
}

function streamOf(streams: Readonly<Record<string, Stream>>, path: string): Response {
  const [, events] = Object.entries(streams).find(([end]) => path.endsWith(end)) ?? [];
  if (events === undefined) return new Response(null, { status: 404 });
  const lines = events.map(([name, data]) => {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    return `${name && `event: ${name}\n`}data: ${text}\n\n`;
  });
  return new Response(lines.join(""), { headers: { "content-type": "text/event-stream" } });
}

function brokenOff(events: Stream): Stream {
  const half = JSON.stringify(ANSWER.slice(0, ANSWER.length / 2)).slice(1, -1);
  const texts = events.map(([name, data]): [string, string] => [name, JSON.stringify(data)]);
  const whole = JSON.stringify(ANSWER).slice(1, -1);
  const end = texts.findIndex(([, data]) => data.includes(whole)) + 1;
  return texts.slice(0, end).map(([name, data]): [string, string] => [
    name,
    data.replace(whole, half).replace(',"finishReason":"STOP"', ""),
  ]);
}

function refusal(): Response {
  const error = { message: REFUSAL, type: "authentication_error", status: "UNAUTHENTICATED" };
  return Response.json({ error }, { status: 401 });
}
