import { assertEquals } from "@std/assert";
import { readTranscript } from "../../../lib/transcripts/mod.ts";
import { lines, said } from "./said.ts";

const COMMON = { sessionId: "s-1", timestamp: "2026-03-01T10:00:00.000Z", isSidechain: false };

function user(content: unknown, changes: Record<string, unknown> = {}) {
  return { ...COMMON, type: "user", message: { role: "user", content }, ...changes };
}

function assistant(content: unknown, changes: Record<string, unknown> = {}) {
  return { ...COMMON, type: "assistant", message: { role: "assistant", content }, ...changes };
}

Deno.test("readTranscript() reads a session of Claude Code", () => {
  const text = lines(
    { type: "summary", summary: "Title", leafUuid: "x" },
    user("Use per-issue files."),
    assistant([
      { type: "thinking", thinking: "hidden" },
      { type: "text", text: "I will." },
      { type: "tool_use", id: "t1", name: "Edit", input: { file_path: "/a.ts" } },
    ]),
    user([{ type: "tool_result", tool_use_id: "t1", content: "The file /a.ts has been updated." }]),
    user([{ type: "tool_result", tool_use_id: "t2", content: [{ type: "text", text: "out" }] }]),
  );
  const transcript = readTranscript(text);
  assertEquals(transcript.format, "claude");
  assertEquals(transcript.sessionId, "s-1");
  assertEquals(transcript.problems, []);
  assertEquals(transcript.messages[0].timestamp, COMMON.timestamp);
  assertEquals(said(text), [
    "user: Use per-issue files.",
    "assistant: I will.",
    "tool(Edit): The file /a.ts has been updated.",
    "tool(t2): out",
  ]);
});

Deno.test("readTranscript() takes nothing of the host and of sub-agents for a statement", () => {
  const text = lines(
    user("Hello.", { uuid: "u1", rowSource: "local", promptSource: "typed" }),
    user("Hello.", { uuid: "u1" }),
    user("Sub-agent prompt", { isSidechain: true }),
    assistant([{ type: "text", text: "Sub-agent answer" }], { parent_tool_use_id: "t9" }),
    user("<system-reminder>\nDo not say so.\n</system-reminder>"),
    user("<command-name>/model</command-name>\n<command-args>opus</command-args>"),
    user("[Request interrupted by user]"),
    user("Injected by a hook", { isMeta: true }),
    user("Stop hook feedback", { rowSource: "hook" }),
    user("A background agent is done", { origin: { kind: "task-notification" } }),
    user("This session is being continued from a previous conversation: ..."),
    user("A summary", { isCompactSummary: true }),
    assistant([{ type: "text", text: "API Error: 529" }], { isApiErrorMessage: true }),
    { ...COMMON, type: "attachment", attachment: { type: "queued_command", prompt: "Stop that." } },
    { ...COMMON, type: "system", content: "noise" },
  );
  assertEquals(said(text), [
    "user: Hello.",
    "user: opus",
    "system: Injected by a hook",
    "system: Stop hook feedback",
    "system: A background agent is done",
    "system: A summary",
    "user: Stop that.",
  ]);
});

Deno.test("readTranscript() leaves out damaged lines and names them", () => {
  const whole = lines(user("One."), assistant([{ type: "text", text: "Two." }]));
  const { messages, problems } = readTranscript(
    `\ufeff${whole.replaceAll("\n", "\r\n")}[1]\r\n{"type":"user","mess`,
  );
  assertEquals(messages.map(({ text }) => text), ["One.", "Two."]);
  assertEquals(problems, [
    "Line 3 is not a JSON object; skipped",
    "Line 4 is incomplete; skipped",
  ]);
});

Deno.test("readTranscript() is not impressed by values of another type", () => {
  const text = lines(
    user(null),
    user(7),
    user([null, 1, "x", { type: "text", text: 4 }, { type: "tool_result", content: { a: 1 } }]),
    { type: "user", message: "no object", sessionId: 3 },
    { type: "assistant", message: { content: [{ type: "tool_use", id: 1, name: {}, input: [] }] } },
    user("Said.", { timestamp: "yesterday" }),
  );
  assertEquals(said(text), ["user: Said."]);
});
