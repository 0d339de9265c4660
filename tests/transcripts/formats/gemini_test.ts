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
