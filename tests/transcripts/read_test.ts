import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { AgentxError } from "../../lib/base/errors.ts";
import {
  readTranscript,
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
} from "../../lib/transcripts/mod.ts";
import { refusal } from "../refusal.ts";
import { grownTooFast } from "../steps/steps.ts";
import { lines, said } from "./formats/said.ts";
import { often } from "../often.ts";

Deno.test("readTranscript() refuses a binary file and says what was found", async () => {
  const decode = (bytes: number[]) => new TextDecoder().decode(new Uint8Array(bytes));
  const noise = Array.from({ length: 4_000 }, (_, index) => (index * 7919) % 251 + 1);
  const files: [string, string][] = [
    [decode([0x1f, 0x8b, 8, 0, 0, 0]), "gzip"],
    ["SQLite format 3\0more", "SQLite"],
    [decode([0x89, 0x50, 0x4e, 0x47, 13, 10]), "PNG"],
    [decode([0xff, 0xfe, 65, 0, 66, 0]), "UTF-16"],
    ["text\0more", "a zero byte at 4"],
    [decode(noise), "control characters"],
  ];
  for (const [file, found] of files) {
    const { message } = await refusal("INVALID_INPUT", () => readTranscript(file));
    assertEquals(message.includes(found), true, message);
  }
});

Deno.test("readTranscript() reads text with colours, odd characters and lone surrogates", () => {
  assertEquals(said("User: \x1b[31mred\x1b[0m \ud800 \u4e2d\nAI: ok \ufffd"), [
    "user: \x1b[31mred\x1b[0m \ud800 \u4e2d",
    "assistant: ok \ufffd",
  ]);
});

Deno.test("readTranscript() refuses JSON that is no session, and formats that there are not", async () => {
  for (const text of ['{"name":"x"}', '[{"role":"user","content":"x"}]', "[]", "{}"]) {
    await refusal("INVALID_INPUT", () => readTranscript(text));
  }
  const format = "cursor" as TranscriptFormat;
  await refusal("INVALID_INPUT", () => readTranscript("", { format }));
});

Deno.test("readTranscript() reads in the format that it is told", () => {
  const { format, messages } = readTranscript("#### Hello\n", { format: "aider" });
  assertEquals([format, messages.map(({ role }) => role)], ["aider", ["user"]]);
  const wrong = readTranscript("no JSON", { format: "claude" });
  assertEquals(wrong.problems, ["Line 1 is incomplete; skipped"]);
});

Deno.test("readTranscript() takes out of a message what the host put in", () => {
  const kept = (content: string) =>
    said(lines({ type: "user", sessionId: "s", message: { content } })).join("|");
  assertEquals(
    kept("Go on. <hook_context>x <b>y</b></hook_context> Please."),
    "user: Go on.  Please.",
  );
  assertEquals(kept("a <thinking>b <thinking>c</thinking> d</thinking> e"), "user: a  e");
  const hash = "7bbeb8e1441453ad999a0bbba8a46d4b";
  assertEquals(
    kept(`a <thinking-content-${hash}>b</thinking-content-${hash}> e`),
    "user: a  e",
  );
  assertEquals(kept("An open <system-reminder> stays"), "user: An open <system-reminder> stays");
  assertEquals(
    kept("# Context from my IDE setup:\n\n## Open tabs:\n- a\n\n## My request for Codex:\nFix it"),
    "user: Fix it",
  );
  const tags = "a <system-reminder>x <private> y</system-reminder> hidden </private> z";
  assertEquals(kept(tags).includes("hidden"), false);
});

const SAMPLES = [
  lines(
    {
      type: "user",
      sessionId: "s",
      uuid: "u",
      timestamp: "2026-03-01T10:00:00Z",
      message: { content: "Use <b>" },
    },
    {
      type: "assistant",
      message: { content: [{ type: "text", text: "Done." }, { type: "tool_use", id: "t" }] },
    },
  ),
  lines(
    { type: "session_meta", payload: { id: "c" } },
    { type: "response_item", payload: { type: "message", role: "user", content: [{ text: "x" }] } },
    { type: "response_item", payload: { type: "function_call_output", output: '{"output":"x"}' } },
  ),
  JSON.stringify({
    sessionId: "g",
    projectHash: "h",
    messages: [{ id: "1", type: "gemini", content: "x", toolCalls: [{}] }],
  }),
  lines({ type: "user.message", data: { content: "x" } }, {
    type: "tool.execution_complete",
    data: { result: {} },
  }),
  lines({ kind: 0, v: { requests: [] } }, {
    kind: 2,
    k: ["requests"],
    v: [{ response: [{ value: "x" }] }],
  }),
  "# aider chat started at 2026-03-01 10:00:00\n#### x\n> Applied edit to a\n",
  "## User\nx\n## Assistant\ny\n",
];

Deno.test("readTranscript() throws nothing but AgentxError, whatever it is given", () => {
  const damaged = fc.tuple(fc.constantFrom(...SAMPLES), fc.nat(400), fc.nat(60), fc.string()).map(
    ([sample, at, length, put]) => sample.slice(0, at) + put + sample.slice(at + length),
  );
  const odd = fc.tuple(fc.constantFrom(...SAMPLES), fc.jsonValue()).map(([sample, value]) =>
    sample.replaceAll('"x"', JSON.stringify(value))
  );
  const units = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes));
  const text = fc.oneof(damaged, odd, fc.string(), fc.json(), units);
  const format = fc.option(fc.constantFrom(...TRANSCRIPT_FORMATS), { nil: undefined });
  fc.assert(
    fc.property(text, format, (text, format) => {
      try {
        readTranscript(text, { format });
      } catch (error) {
        if (!(error instanceof AgentxError)) throw error;
      }
    }),
    often(200),
  );
});

Deno.test("readTranscript() takes steps in proportion to the length", async () => {
  const repeated = [
    "<system-reminder>",
    "</system-reminder><thinking>",
    "<!-- agentx:memory-recall -->",
    "\n## Memory Recall\n",
    "\\\\u003c!-- agentx:memory-recall",
    '{"a":["',
    "\n\n \t> > ",
    "## User\n",
    "**User:** x\n",
    "- a: [b](c) **d**\n",
    '{"kind":2,"k":["requests"],"v":[{"response":[{"value":"x"}]}]}\n',
  ];
  for (const wrap of [String, wrapped]) {
    const work = (part: string, characters: number) => {
      try {
        readTranscript(wrap(part.repeat(Math.ceil(characters / part.length))));
      } catch (error) {
        if (!(error instanceof AgentxError)) throw error;
      }
    };
    assertEquals(await grownTooFast(repeated, work, 1_000), []);
  }
});

function wrapped(content: string): string {
  return lines({ type: "user", sessionId: "s", message: { content } });
}
