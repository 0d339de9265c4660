/**
 * A model that wants to use tools: what each vendor's wire has for it.
 *
 * @module
 */

/** A tool by the name that a host gives it, and what it is called with. */
export type ToolCall = readonly [name: string, input: Record<string, unknown>];

/** An event of a stream, with the name that stands before it. */
type StreamEvent = [name: string, data: unknown];

const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

/** Writing, in the words of every host, and reading, of a file in the current folder. */
export function wishes(folder: string, file: string): ToolCall[] {
  const [path, made] = [`${folder}/${file}`, `${folder}/made.txt`];
  const command = `cat ${path}; echo x >${made}`;
  return [
    ["Write", { file_path: made, content: "x" }], // Claude Code
    ["Bash", { command, description: "x" }],
    ["Read", { file_path: path }],
    ["exec_command", { cmd: command }], // Codex
    ["write_file", { file_path: made, content: "x" }], // Gemini CLI
    ["run_shell_command", { command }],
    ["read_file", { file_path: path }],
    ["create", { path: made, file_text: "x" }], // Copilot CLI
    ["edit", { path, old_str: "a", new_str: "b", filePath: path, oldString: "a", newString: "b" }],
    ["bash", { command, description: "x" }],
    ["view", { path }],
    ["write", { filePath: made, content: "x" }], // opencode
    ["read", { filePath: path }],
  ];
}

/** @returns the names of the tools that a request offers */
// deno-lint-ignore no-explicit-any -- of four vendors
export function toolsIn({ tools = [] }: any): string[] {
  // deno-lint-ignore no-explicit-any -- as above
  return tools.flatMap((tool: any) =>
    tool.functionDeclarations?.map(({ name }: { name: string }) => name) ??
      [tool.name ?? tool.function?.name]
  );
}

/** @returns the events that call a tool, by the end of the path */
export function callEvents([name, input]: ToolCall): Record<string, StreamEvent[]> {
  const id = `call_${crypto.randomUUID().slice(0, 8)}`;
  const named = (events: { type: string; [key: string]: unknown }[]): StreamEvent[] =>
    events.map((event) => [event.type, event]);
  const json = JSON.stringify(input);
  const message = { id: "1", type: "message", role: "assistant", model: "m", content: [] };
  const chunk = (delta: object, finish_reason: string | null): StreamEvent => [
    "",
    {
      id: "1",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [{ index: 0, delta, finish_reason }],
    },
  ];
  const toolCall = { index: 0, id, type: "function", function: { name, arguments: json } };
  const block = { type: "tool_use", id, name, input: {} };
  const item = { type: "function_call", id: "1", call_id: id, name, arguments: json };
  return {
    "/messages": named([
      { type: "message_start", message: { ...message, usage: USAGE } },
      { type: "content_block_start", index: 0, content_block: block },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json: json },
      },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: USAGE },
      { type: "message_stop" },
    ]),
    "/responses": named([
      { type: "response.created", response: { id: "1" } },
      { type: "response.output_item.done", item },
      { type: "response.completed", response: { id: "1", usage: USAGE } },
    ]),
    "/chat/completions": [
      chunk({ role: "assistant", tool_calls: [toolCall] }, null),
      chunk({}, "tool_calls"),
      ["", "[DONE]"],
    ],
    ":streamGenerateContent": [["", {
      candidates: [{
        content: { role: "model", parts: [{ functionCall: { name, args: input } }] },
        finishReason: "STOP",
      }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    }]],
  };
}
