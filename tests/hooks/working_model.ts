/**
 * A model on loopback that works: it calls a tool as often as it is told, then says what it was told to
 * say, in the words of Anthropic Messages, OpenAI Responses, OpenAI Chat and Gemini; a shell in those of the
 * first three. It keeps what it was asked.
 *
 * @module
 */

/** What the model does at its next request. */
export type Step = { shell: string } | { text: string } | { patch: string } | ToolStep;

/** A call of a tool; on the wire of OpenAI, those of a server are in a namespace. */
interface ToolStep {
  tool: string;
  input: object;
  namespace?: string;
}

/** Gives the next step, having seen what it was asked; the last one is a text. */
export type Script = (request: string, number: number) => Promise<Step> | Step;

const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

/** Serves until the end of the block that is `using` it. */
export class WorkingModel implements AsyncDisposable {
  /** The bodies of the requests that were part of the conversation. */
  readonly requests: string[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(script: Script) {
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    this.#server = Deno.serve(options, async (request) => {
      const path = new URL(request.url).pathname;
      const body = await request.text();
      const format = path.endsWith("/messages")
        ? anthropic
        : path.endsWith("/responses")
        ? responses
        : path.endsWith("/chat/completions")
        ? chat
        : path.endsWith(":streamGenerateContent")
        ? gemini
        : undefined;
      if (format === undefined) return new Response(null, { status: 404 });
      // Hosts ask for titles and the like beside the conversation, with no tools.
      if (!/"tools":\[\{/.test(body)) return stream(format({ text: "Work" }, 0));
      this.requests.push(body);
      const number = this.requests.length;
      return stream(format(await script(body, number), number));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

type StreamedEvent = Record<string, unknown>;

function stream(events: readonly StreamedEvent[]): Response {
  const text = events.map((event) => {
    const name = event.type === undefined ? "" : `event: ${event.type}\n`;
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  return new Response(text.join(""), { headers: { "content-type": "text/event-stream" } });
}

function anthropic(step: Step, number: number): StreamedEvent[] {
  const { tool, input } = "tool" in step
    ? step
    : { tool: "Bash", input: { command: "shell" in step && step.shell, description: "work" } };
  const [block, delta] = "text" in step
    ? [{ type: "text", text: "" }, { type: "text_delta", text: step.text }]
    : [
      { type: "tool_use", id: `toolu_${number}`, name: tool, input: {} },
      { type: "input_json_delta", partial_json: JSON.stringify(input) },
    ];
  const message = { id: `m${number}`, type: "message", role: "assistant", model: "m", content: [] };
  const stop_reason = "text" in step ? "end_turn" : "tool_use";
  return [
    { type: "message_start", message: { ...message, usage: USAGE } },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason }, usage: USAGE },
    { type: "message_stop" },
  ];
}

function responses(step: Step, number: number): StreamedEvent[] {
  if ("patch" in step) {
    const call = { type: "custom_tool_call", id: `p${number}`, call_id: `call_${number}` };
    return streamed({ ...call, name: "apply_patch", input: step.patch }, number);
  }
  const { tool, input, namespace } = "tool" in step
    ? step
    : { tool: "exec_command", input: { cmd: "shell" in step && step.shell }, namespace: undefined };
  const item = "text" in step
    ? {
      type: "message",
      role: "assistant",
      id: `m${number}`,
      content: [{ type: "output_text", text: step.text }],
    }
    : {
      type: "function_call",
      id: `f${number}`,
      call_id: `call_${number}`,
      name: tool,
      namespace,
      arguments: JSON.stringify(input),
    };
  return streamed(item, number);
}

function streamed(item: object, number: number): StreamedEvent[] {
  return [
    { type: "response.created", response: { id: `r${number}` } },
    { type: "response.output_item.done", item },
    { type: "response.completed", response: { id: `r${number}`, usage: USAGE } },
  ];
}

/** The shell is that of Qwen Code. */
function chat(given: Step, number: number): StreamedEvent[] {
  const step = "shell" in given
    ? {
      tool: "run_shell_command",
      input: { command: given.shell, description: "work", is_background: false },
    }
    : given;
  const chunk = (delta: object, finish_reason: string | null) => {
    const choices = [{ index: 0, delta, finish_reason }];
    return { id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices };
  };
  if ("tool" in step) {
    const called = { name: step.tool, arguments: JSON.stringify(step.input) };
    const tool_calls = [{ index: 0, id: `call_${number}`, type: "function", function: called }];
    return [chunk({ role: "assistant", tool_calls }, null), chunk({}, "tool_calls")];
  }
  const content = "text" in step ? step.text : "Done.";
  return [chunk({ role: "assistant", content }, null), chunk({}, "stop")];
}

function gemini(step: Step): StreamedEvent[] {
  const part = "tool" in step
    ? { functionCall: { name: step.tool, args: step.input } }
    : { text: "text" in step ? step.text : "Done." };
  const content = { role: "model", parts: [part] };
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  return [{ candidates: [{ content, finishReason: "STOP" }], usageMetadata }];
}
