import { assertEquals } from "@std/assert";
import { readTranscript, type TranscriptFormat } from "../../lib/transcripts/mod.ts";
import { lines } from "./formats/said.ts";

const PLAN = "# Plan\n\nUse one file per issue.\n";

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

function callOf(format: string, tool: string, input: Record<string, unknown>) {
  const text = HOSTS[format](tool, input);
  const { messages: [{ command, document }] } = readTranscript(text, {
    format: format as TranscriptFormat,
  });
  return { command, document };
}

for (const format of Object.keys(HOSTS)) {
  Deno.test(`readTranscript() knows the command line and the document of a call: ${format}`, () => {
    assertEquals(callOf(format, "shell", { command: "deno test" }).command, "deno test");
    assertEquals(callOf(format, "exec", { cmd: "deno test" }).command, "deno test");
    const words = { command: ["bash", "-lc", "deno test\nexit"] };
    assertEquals(callOf(format, "shell", words).command, "deno test");
    assertEquals(callOf(format, "write", { file_path: "a/plan.md", content: PLAN }), {
      command: undefined,
      document: PLAN,
    });
    assertEquals(callOf(format, "create", { path: "plan.md", file_text: PLAN }).document, PLAN);
    const patch = `*** Begin Patch\n*** Add File: plan.md\n${
      PLAN.trimEnd().split("\n").map((line) => `+${line}`).join("\n")
    }\n*** End Patch`;
    assertEquals(callOf(format, "apply_patch", { input: patch }).document, PLAN);
    assertEquals(callOf(format, "write", { file_path: "a.ts", content: PLAN }).document, undefined);
    assertEquals(callOf(format, "write", { path: 3, content: [], command: {} }), {
      command: undefined,
      document: undefined,
    });
  });
}

Deno.test("readTranscript() cuts private parts out of a document", () => {
  const content = "Use one file.\n<private>Ask Ann</private>\n";
  const { document } = callOf("claude", "Write", { file_path: "plan.md", content });
  assertEquals(document?.includes("Ann"), false);
  assertEquals(document?.includes("Use one file."), true);
});
