import { assertEquals } from "@std/assert";
import { readTranscript } from "../../../lib/transcripts/mod.ts";
import { lines, said } from "./said.ts";

const timestamp = "2026-03-01T10:00:00.000Z";

function event(type: string, data: Record<string, unknown>) {
  return { type, data, id: "e", timestamp, parentId: null };
}

Deno.test("readTranscript() reads the events of Copilot CLI", () => {
  const text = lines(
    event("session.start", { sessionId: "p-1", version: 1 }),
    event("user.message", { content: "Fix it", transformedContent: "<x>Fix it" }),
    event("user.message", { content: "A skill", source: "skill-pdf" }),
    event("assistant.turn_start", { turnId: "0" }),
    event("assistant.message", { messageId: "m", content: "Fixing.", toolRequests: [] }),
    event("assistant.message", { messageId: "n", content: "sub", parentToolCallId: "t0" }),
    event("tool.execution_start", { toolCallId: "t1", toolName: "edit", arguments: {} }),
    event("tool.execution_complete", {
      toolCallId: "t1",
      success: true,
      result: { content: "File a.ts updated with changes." },
    }),
    event("tool.execution_complete", {
      toolCallId: "t2",
      success: false,
      error: { message: "No match" },
    }),
  );
  assertEquals(readTranscript(text).format, "copilot");
  assertEquals(readTranscript(text).sessionId, "p-1");
  assertEquals(said(text), [
    "user: Fix it",
    "system: A skill",
    "assistant: Fixing.",
    "tool(edit): File a.ts updated with changes.",
    "tool(t2): No match",
  ]);
});

const TERMINAL = {
  kind: "toolInvocationSerialized",
  toolId: "run_in_terminal",
  toolCallId: "c1",
  pastTenseMessage: { value: "Ran `make`" },
  toolSpecificData: {
    kind: "terminal",
    commandLine: { original: "make" },
    terminalCommandOutput: { text: "ok" },
  },
};

const REQUEST = {
  requestId: "r1",
  timestamp: 1772359200000,
  message: { text: "Fix the build", parts: [] },
  response: [
    { kind: "thinking", value: "hidden" },
    { value: "I look at " },
    { kind: "inlineReference", inlineReference: { path: "/w/a.ts" }, name: "a.ts" },
    { value: " now." },
    TERMINAL,
    { ...TERMINAL, subAgentInvocationId: "s" },
    { kind: "textEditGroup", uri: { path: "/w/a.ts" }, edits: [], done: true },
    { kind: "markdownContent", content: { value: "Fixed." } },
  ],
};

const SAID = [
  "user: Fix the build",
  "assistant: I look at `a.ts` now.",
  "tool(run_in_terminal): Ran `make`\nok",
  "tool(edit): Applied edit to /w/a.ts",
  "assistant: Fixed.",
];

Deno.test("readTranscript() reads a chat of VS Code", () => {
  const chat = { version: 3, responderUsername: "x", sessionId: "v-1", requests: [REQUEST] };
  for (const indent of [undefined, 2]) {
    const text = JSON.stringify(chat, null, indent);
    assertEquals(readTranscript(text).sessionId, "v-1");
    assertEquals(said(text), SAID);
  }
  assertEquals(readTranscript(JSON.stringify(chat)).messages[0].timestamp, timestamp);
});

Deno.test("readTranscript() replays the log of a chat of VS Code", () => {
  const { response, ...request } = REQUEST;
  const text = lines(
    { kind: 0, v: { version: 3, sessionId: "v-1", requests: [] } },
    { kind: 2, k: ["requests"], v: [{ ...request, response: [] }] },
    { kind: 2, k: ["requests", 0, "response"], v: [response[0], { value: "replaced" }] },
    { kind: 2, k: ["requests", 0, "response"], v: response.slice(1), i: 1 },
    { kind: 1, k: ["requests", 0, "isHidden"], v: true },
    { kind: 3, k: ["requests", 0, "isHidden"] },
    { kind: 1, k: ["requests", 7, "message"], v: "nowhere" },
    { kind: 1, k: ["requests", 4_000_000_000], v: REQUEST },
    { kind: 1, k: ["__proto__", "polluted"], v: true },
    { kind: 1, k: ["requests", 0, "__proto__"], v: { message: "no" } },
  );
  assertEquals(said(text), SAID);
  assertEquals("polluted" in {}, false);
});
