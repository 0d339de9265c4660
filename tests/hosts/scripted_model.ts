/**
 * A model on loopback that gives every question the same answer, in the words of each vendor: Anthropic
 * Messages, OpenAI Responses and Chat, Gemini, all as server-sent events.
 *
 * @module
 */

/** What the model says to everything. */
export const ANSWER = "PostgreSQL in production.\nSQLite for development.";

/** What a client without a right key is told. */
export const REFUSAL = "this key opens nothing";

const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

/** By the end of the path: the events of an answer, each with the name that stands before it. */
const STREAMS: Record<string, (readonly [name: string, data: unknown])[]> = {
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

  /** @param refuses whether it answers 401 to everything */
  constructor({ refuses }: { refuses: boolean }) {
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    this.#server = Deno.serve(options, async (request) => {
      await request.text();
      return refuses ? refusal() : answerTo(new URL(request.url).pathname);
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

function answerTo(path: string): Response {
  const [, events] = Object.entries(STREAMS).find(([end]) => path.endsWith(end)) ?? [];
  if (events === undefined) return new Response(null, { status: 404 });
  const lines = events.map(([name, data]) => {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    return `${name && `event: ${name}\n`}data: ${text}\n\n`;
  });
  return new Response(lines.join(""), { headers: { "content-type": "text/event-stream" } });
}

function refusal(): Response {
  const error = { message: REFUSAL, type: "authentication_error", status: "UNAUTHENTICATED" };
  return Response.json({ error }, { status: 401 });
}
