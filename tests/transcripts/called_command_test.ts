import { assertEquals } from "@std/assert";
import { readTranscript, type TranscriptFormat } from "../../lib/transcripts/mod.ts";
import { lines } from "./formats/said.ts";

/** A session with one call and its result `out`, as each host records it. */
const HOSTS: Record<string, (tool: string, input: Record<string, unknown>) => string> = {
  claude: (name, input) =>
    lines(
      {
        type: "assistant",
        sessionId: "s",
        message: { content: [{ type: "tool_use", id: "1", name, input }] },
      },
      {
        type: "user",
        sessionId: "s",
        message: { content: [{ type: "tool_result", tool_use_id: "1", content: "out" }] },
      },
    ),
  codex: (name, input) =>
    lines(
      {
        type: "response_item",
        payload: { type: "function_call", call_id: "1", name, arguments: JSON.stringify(input) },
      },
      {
        type: "response_item",
        payload: { type: "function_call_output", call_id: "1", output: "out" },
      },
    ),
  gemini: (name, args) =>
    JSON.stringify([
      { role: "model", parts: [{ functionCall: { id: "1", name, args } }] },
      {
        role: "user",
        parts: [{ functionResponse: { id: "1", name, response: { output: "out" } } }],
      },
    ]),
  copilot: (toolName, args) =>
    lines(
      { type: "tool.execution_start", data: { toolCallId: "1", toolName, arguments: args } },
      { type: "tool.execution_complete", data: { toolCallId: "1", result: { content: "out" } } },
    ),
};

function commandOf(format: string, tool: string, input: Record<string, unknown>) {
  const text = HOSTS[format](tool, input);
  return readTranscript(text, { format: format as TranscriptFormat }).messages[0].command;
}

for (const format of Object.keys(HOSTS)) {
  Deno.test(`readTranscript() knows the command line of a call: ${format}`, () => {
    assertEquals(commandOf(format, "shell", { command: "deno test" }), "deno test");
    assertEquals(commandOf(format, "exec", { cmd: "deno test" }), "deno test");
    const words = { command: ["bash", "-lc", "deno test\nexit"] };
    assertEquals(commandOf(format, "shell", words), "deno test");
    assertEquals(commandOf(format, "write", { file_path: "plan.md", content: "Plan" }), undefined);
    assertEquals(commandOf(format, "write", { path: 3, content: [], command: {} }), undefined);
  });
}
