import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { RECALL_BEGIN, RECALL_END } from "../../lib/text/recall_markers.ts";
import { readTranscript } from "../../lib/transcripts/mod.ts";
import { lines, said } from "./formats/said.ts";

const BODY = "## Memory Recall\n\n> Chose JSON files.\n> - decision, obs-engineer-1-1-abcdef";

const RECALL = `${RECALL_BEGIN}\n${BODY}\n${RECALL_END}`;

function user(content: unknown) {
  return { type: "user", sessionId: "s", message: { role: "user", content } };
}

/** What is left of a message. */
function left(text: string): string {
  return said(lines(user(text))).join("|").replace(/\s+/g, " ");
}

Deno.test("readTranscript() takes recalled memory out of messages, and keeps it apart", () => {
  const text = lines(user(`Before.\n${RECALL}\nAfter.`));
  assertEquals(left(`Before.\n${RECALL}\nAfter.`), "user: Before. After.");
  assertEquals(readTranscript(text).recalled.join("").includes("Chose JSON files."), true);
});

Deno.test("readTranscript() finds recalled memory however it was quoted, escaped or cut", () => {
  const quoted = RECALL.split("\n").map((line) => `  > > ${line}`).join("\n");
  const escaped = JSON.stringify({ additionalContext: RECALL });
  const unicode = escaped.replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");
  const html = RECALL.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const twice = `${RECALL_BEGIN}\n${RECALL}\nChose JSON files.\n${RECALL_END}`;
  for (const form of [quoted, escaped, unicode, html, twice, RECALL.replace(RECALL_BEGIN, "")]) {
    assertEquals(left(`${form}\nAfter.`).includes("Chose"), false, form);
    assertEquals(left(`${form}\nAfter.`).endsWith("After."), true, form);
  }
  for (let length = RECALL_BEGIN.length; length < RECALL.length; length++) {
    assertEquals(left(`Before.\n${RECALL.slice(0, length)}`), "user: Before.");
  }
});

Deno.test("readTranscript() finds recalled memory by its heading where the markers are gone", () => {
  assertEquals(
    left(`Before.\n${BODY}\n### Detail\nChose\n## Task\nAfter.`),
    "user: Before. ## Task After.",
  );
  assertEquals(left(`Before.\n${JSON.stringify(BODY)}`).includes("Chose"), false);
});

Deno.test("readTranscript() finds recalled memory in attachments and in output of our commands", () => {
  const call = {
    type: "assistant",
    message: {
      content: [{
        type: "tool_use",
        id: "t",
        name: "Bash",
        input: { command: "agentx memory search json" },
      }],
    },
  };
  const { messages, recalled } = readTranscript(lines(
    {
      type: "attachment",
      sessionId: "s",
      attachment: { type: "hook_additional_context", content: [RECALL] },
    },
    call,
    user([{ type: "tool_result", tool_use_id: "t", content: "Chose SQLite." }]),
    user([{ type: "tool_result", tool_use_id: "u", content: `log\n${RECALL}` }]),
  ));
  assertEquals(messages.map(({ text }) => text.trim()), ["log"]);
  assertEquals(recalled.length, 3);
});

Deno.test("readTranscript() never leaves recalled memory between markers, wherever they stand", () => {
  const piece = fc.constantFrom(RECALL_BEGIN, RECALL_END, "\n", "> ", "x ");
  fc.assert(fc.property(fc.array(piece), fc.array(piece), (before, after) => {
    const text = `${before.join("")}${RECALL_BEGIN} secret ${RECALL_END}${after.join("")}`;
    assertEquals(left(text).includes("secret"), false);
  }));
});
