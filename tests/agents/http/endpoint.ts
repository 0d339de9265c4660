/**
 * An endpoint on loopback that answers each request as its script says.
 *
 * @module
 */

/** What was asked. */
export interface Asked {
  path: string;
  headers: Headers;
  // deno-lint-ignore no-explicit-any -- a test looks into it
  body: any;
}

/** Answers one request; the last one answers all that follow. */
export type Turn = (request: Request) => Response | Promise<Response>;

/** Serves until the end of the block that is `using` it. */
export class Endpoint implements AsyncDisposable {
  readonly asked: Asked[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(...turns: Turn[]) {
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    this.#server = Deno.serve(options, async (request) => {
      const { pathname: path } = new URL(request.url);
      const body = JSON.parse(await request.clone().text());
      const turn = turns[Math.min(this.asked.length, turns.length - 1)];
      this.asked.push({ path, headers: request.headers, body });
      return await turn(request);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Events, in chunks of so many bytes; `after` is what the stream does at its end. */
export function streaming(
  text: string,
  { chunk = 7, after = "close" }: { chunk?: number; after?: "close" | "break" | "hang" } = {},
): Turn {
  return () => {
    const bytes = new TextEncoder().encode(text);
    let at = 0;
    let release = () => {};
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (at < bytes.length) return controller.enqueue(bytes.slice(at, at += chunk));
        if (after === "break") return controller.error(new Error("cut"));
        if (after === "hang") return await new Promise<void>((resolve) => release = resolve);
        controller.close();
      },
      cancel: () => release(),
    });
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  };
}

/** A refusal in the words of both vendors. */
export function refusing(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): Turn {
  return () => Response.json({ error: { message, type: "x" } }, { status, headers });
}

/** The events of an OpenAI-compatible answer. */
export function openai(parts: readonly string[], finish: string | null = "stop"): string {
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const deltas = parts.map((content) => chunk({ content }, null));
  const end = finish === null ? "" : `${chunk({}, finish)}data: [DONE]\n\n`;
  return `: ping\n\n${chunk({ role: "assistant", content: "" }, null)}${deltas.join("")}${end}`;
}

/** The events of an answer of Anthropic's. */
export function anthropic(parts: readonly string[], stop: string | null = "end_turn"): string {
  const event = (type: string, data: object) =>
    `event: ${type}\r\ndata: ${JSON.stringify({ type, ...data })}\r\n\r\n`;
  return [
    event("message_start", { message: { content: [] } }),
    event("ping", {}),
    event("content_block_delta", { delta: { type: "thinking_delta", thinking: "Hm." } }),
    ...parts.map((text) => event("content_block_delta", { delta: { type: "text_delta", text } })),
    ...stop === null
      ? []
      : [event("message_delta", { delta: { stop_reason: stop } }), event("message_stop", {})],
  ].join("");
}
