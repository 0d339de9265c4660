import { assertEquals } from "@std/assert";
import { RECALL_BEGIN, RECALL_END } from "../../../lib/text/recall_markers.ts";
import { readTranscript } from "../../../lib/transcripts/mod.ts";
import { said } from "./said.ts";

const created = Date.parse("2026-03-01T10:00:00.000Z");

function message(info: object, ...parts: object[]) {
  return { info: { id: "msg_1", sessionID: "ses_1", time: { created }, ...info }, parts };
}

function tool(name: string, state: object) {
  return { type: "tool", callID: `call-${name}`, tool: name, state };
}

const SESSION = {
  info: { id: "ses_1", directory: "/work", version: "1.18.33" },
  messages: [
    message({ role: "user" }, { type: "text", text: "Fix it" }, {
      type: "text",
      text: "Called the Read tool",
      synthetic: true,
    }, { type: "file", mime: "text/plain", url: "file:///a" }),
    message(
      { role: "assistant" },
      { type: "step-start" },
      { type: "reasoning", text: "hidden" },
      tool("bash", {
        status: "completed",
        input: { command: "make" },
        output: "boom\n",
        metadata: { exit: 2 },
      }),
      tool("read", { status: "error", input: { filePath: "/b" }, error: "File not found: /b" }),
      tool("grep", { status: "running", input: { pattern: "x" } }),
      { type: "text", text: "Fixed." },
    ),
    message({ role: "assistant", summary: true }, { type: "text", text: "What was done." }),
  ],
};

for (
  const [what, text] of [
    ["as `opencode export` prints it", JSON.stringify(SESSION, null, 2)],
    ["on one line", JSON.stringify(SESSION)],
  ]
) {
  Deno.test(`readTranscript() reads a session of opencode ${what}`, () => {
    const { format, sessionId, messages } = readTranscript(text);
    assertEquals([format, sessionId], ["opencode", "ses_1"]);
    assertEquals(said(text), [
      "user: Fix it",
      "tool(bash): Exit code: 2\nboom",
      "tool(read): File not found: /b",
      "assistant: Fixed.",
      "system: What was done.",
    ]);
    const [user, bash] = messages;
    assertEquals([user.timestamp, bash.command], ["2026-03-01T10:00:00.000Z", "make"]);
  });
}

Deno.test("readTranscript() reads what is whole of a truncated session of opencode", () => {
  const text = JSON.stringify(SESSION);
  const { format, problems } = readTranscript(text.slice(0, text.indexOf("What was done")));
  assertEquals([format, problems.length], ["opencode", 1]);
});

Deno.test("readTranscript() takes no text that opencode put in, but what was recalled in it", () => {
  const recalled = `${RECALL_BEGIN}\nKnown.\n${RECALL_END}\n`;
  const messages = [
    message({ role: "user" }, { type: "text", text: recalled }),
    message({ role: "user" }, { type: "text", text: recalled, synthetic: true }),
  ];
  const { messages: left, recalled: found } = readTranscript(
    JSON.stringify({ info: { id: "ses_1" }, messages }),
  );
  assertEquals([left, found.length], [[], 2]);
});
