import { assertEquals } from "@std/assert";
import { readTranscript } from "../../../lib/transcripts/mod.ts";
import { said } from "./said.ts";

const entry = (id: string, parentId: string | null, role: string, content: unknown) => ({
  type: "message",
  id,
  parentId,
  timestamp: "2026-03-01T10:00:00.000Z",
  message: { role, content },
});

const SESSION = [
  { type: "session", version: 3, id: "s1", timestamp: "2026-03-01T10:00:00.000Z", cwd: "/work" },
  entry("a", null, "user", "Fix it"),
  entry("b", "a", "assistant", [{ type: "text", text: "A wrong way." }]),
  entry("c", "a", "assistant", [
    { type: "thinking", thinking: "hidden" },
    { type: "text", text: "The right way." },
    { type: "toolCall", id: "t1", name: "bash", arguments: { command: "make" } },
  ]),
  {
    ...entry("d", "c", "toolResult", [{ type: "text", text: "boom" }]),
    message: { role: "toolResult", toolCallId: "t1", content: [{ type: "text", text: "boom" }] },
  },
  { type: "custom_message", id: "e", parentId: "d", customType: "x", content: "injected" },
  { type: "compaction", id: "f", parentId: "e", summary: "What was done." },
  { type: "label", id: "g", parentId: "f", targetId: "a", label: "x" },
].map((line) => JSON.stringify(line)).join("\n");

Deno.test("readTranscript() reads a session of pi: its last branch, and nothing that was injected", () => {
  const { format, sessionId, messages, problems } = readTranscript(SESSION);
  assertEquals([format, sessionId, problems], ["pi", "s1", []]);
  assertEquals(said(SESSION), [
    "user: Fix it",
    "assistant: The right way.",
    "tool(bash): boom",
    "system: What was done.",
  ]);
  assertEquals(messages[2].command, "make");
});
