import { assertEquals } from "@std/assert";
import { readTranscript } from "../../../lib/transcripts/mod.ts";
import { lines, said } from "./said.ts";

const timestamp = "2026-03-01T10:00:00.000Z";

const META = { sessionId: "g-1", projectHash: "h", startTime: timestamp, lastUpdated: timestamp };

const USER = { id: "1", timestamp, type: "user", content: [{ text: "Rename it" }] };

const AGENT = {
  id: "2",
  timestamp,
  type: "gemini",
  content: "Renamed.",
  thoughts: [{ subject: "hidden", description: "hidden" }],
  toolCalls: [{
    id: "replace-1",
    name: "replace",
    args: { file_path: "/a" },
    status: "success",
    timestamp,
    result: [{ functionResponse: { response: { output: "Successfully modified file: /a" } } }],
  }, { id: "x", name: "read", agentId: "sub", result: [{ text: "hidden" }] }],
};

const SAID = [
  "user: Rename it",
  "assistant: Renamed.",
  "tool(replace): Successfully modified file: /a",
];

Deno.test("readTranscript() reads a session document of Gemini CLI", () => {
  for (const indent of [undefined, 2]) {
    const text = JSON.stringify({ ...META, messages: [USER, AGENT] }, null, indent);
    assertEquals(readTranscript(text).sessionId, "g-1");
    assertEquals(said(text), SAID);
  }
});

Deno.test("readTranscript() reads what is whole of a session document that was cut", () => {
  const text = JSON.stringify({ ...META, messages: [USER, AGENT, USER] }, null, 2);
  const { messages, problems } = readTranscript(text.slice(0, -40));
  assertEquals(messages[0].text, "Rename it");
  assertEquals(problems, ["The file is truncated; the complete part was read"]);
});

Deno.test("readTranscript() reads the log of Gemini CLI as it stands at the end", () => {
  const text = lines(
    META,
    { $set: { lastUpdated: timestamp } },
    { ...USER, displayContent: [{ text: "Rename" }] },
    { ...AGENT, toolCalls: undefined },
    AGENT,
    { ...USER, id: "3", content: "Taken back" },
    { $rewindTo: "3" },
    { id: "4", timestamp, type: "info", content: "Note of the host" },
  );
  assertEquals(said(text), ["user: Rename", ...SAID.slice(1), "system: Note of the host"]);
  const checkpoint = lines(META, USER, { $set: { messages: [AGENT] } });
  assertEquals(said(checkpoint), SAID.slice(1));
});

Deno.test("readTranscript() reads a checkpoint of Gemini CLI", () => {
  const history = [
    {
      role: "user",
      parts: [{ text: "This is the Gemini CLI. We are setting up the context ..." }],
    },
    { role: "user", parts: [{ text: "Rename it" }] },
    {
      role: "model",
      parts: [
        { text: "hidden", thought: true },
        { text: "Renamed." },
        { functionCall: { id: "f1", name: "replace", args: {} } },
      ],
    },
    {
      role: "user",
      parts: [{
        functionResponse: {
          id: "f1",
          name: "replace",
          response: { output: "Successfully modified file: /a" },
        },
      }],
    },
  ];
  assertEquals(said(JSON.stringify(history, null, 2)), SAID);
  assertEquals(said(JSON.stringify({ history, authType: "x" })), SAID);
});

Deno.test("readTranscript() reads a session of Qwen Code, and takes only typed text for its user's", () => {
  const line = (type: string, provenance: string, role: string, parts: unknown[]) => ({
    uuid: crypto.randomUUID(),
    sessionId: "q-1",
    timestamp: "2026-11-28T04:43:22.981Z",
    type,
    provenance,
    message: { role, parts },
  });
  const text = lines(
    line("user", "real_user", "user", [{ text: "Go on" }]),
    { ...line("system", "system", "", []), message: undefined, systemPayload: {} },
    line("user", "harness", "user", [{ text: "We decided nothing" }]),
    line("assistant", "assistant_output", "model", [
      { text: "hidden", thought: true },
      { text: "I look." },
      { functionCall: { id: "c1", name: "run_shell_command", args: { command: "ls" } } },
    ]),
    line("tool_result", "tool_output", "user", [
      { functionResponse: { id: "c1", name: "run_shell_command", response: { output: "a.ts" } } },
    ]),
  );
  assertEquals(readTranscript(text).sessionId, "q-1");
  assertEquals(said(text), [
    "user: Go on",
    "assistant: I look.",
    "tool(run_shell_command): a.ts",
  ]);
});

Deno.test("readTranscript() keeps what was said before Gemini failed to load a session", () => {
  const text = lines(
    { sessionId: "g-1", projectHash: "p", startTime: "2026-11-28T04:43:22.981Z" },
    { id: "1", type: "user", content: "Use tabs" },
    { id: "2", type: "gemini", content: "I do." },
    { $set: { messages: [{ id: "3", type: "info", content: "Context" }] } },
  );
  assertEquals(said(text), ["user: Use tabs", "assistant: I do.", "system: Context"]);
});
