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

const NOTED =
  "  obs-engineer-42-1795719666436-287wd7  decision  2026-11-26  7 tokens\n    Use tabs.\n";
const REFUSED = 'Cannot use "- a..." as text: it has 7 notes; the limit is 5';

function claudeCall(name: string, input: unknown, printed: string): string {
  const call = { content: [{ type: "tool_use", id: "t", name, input }] };
  const result = [{ type: "tool_result", tool_use_id: "t", content: printed }];
  return lines({ type: "assistant", message: call }, user(result), user("Go on."));
}

function codexCall(name: string, namespace: string | undefined, output: string): string {
  const call = { type: "function_call", name, namespace, arguments: "{}", call_id: "k" };
  const result = { type: "function_call_output", call_id: "k", output };
  return lines(
    { type: "session_meta", payload: { id: "s" } },
    ...[call, result].map((payload) => ({ type: "response_item", payload })),
  );
}

/** Where the agent noted something, and how much of memory was found. */
function notesIn(text: string): [notes: (string | undefined)[], recalled: number] {
  const { messages, recalled } = readTranscript(text);
  return [messages.filter(({ isNote }) => isNote).map(({ tool }) => tool), recalled.length];
}

Deno.test("readTranscript() marks where the agent kept a note, by any name of the tool", () => {
  const tool = "mcp__agentx__memory_note";
  const command = { command: 'agentx memory note --agent engineer "- decision: tabs"' };
  assertEquals(notesIn(claudeCall(tool, {}, NOTED)), [[tool], 1]);
  assertEquals(notesIn(claudeCall("memory_note", {}, NOTED)), [["memory_note"], 1]);
  assertEquals(notesIn(claudeCall("Bash", command, NOTED)), [["Bash"], 1]);
  assertEquals(notesIn(codexCall("memory_note", "mcp__agentx", '{"id":"obs-e-1-1-abcdef"}'))[0], [
    tool,
  ]);
  assertEquals(notesIn(claudeCall(tool, {}, REFUSED)), [[], 0]);
  assertEquals(notesIn(claudeCall("Bash", { command: "cat memory_note.md" }, "obs-x")), [[], 0]);
});

Deno.test("readTranscript() takes out what our own tools find, as every host names them", () => {
  const found = '{"observations":[{"id":"obs-e-1-1-abcdef","summary":"Chose tabs"}]}';
  for (
    const text of [
      claudeCall("mcp__agentx__memory_search", { query: "tabs" }, found),
      codexCall("memory_search", "mcp__agentx", found),
      claudeCall("mcp__agentx__memory_get", { id: "obs-e-1-1-abcdef" }, found),
      codexCall("memory_get", "mcp__agentx", found),
      ...["view a1b2c3 --json", "review --json", "retract --because Wrong a1b2c3 --json"]
        .map((args) => claudeCall("Bash", { command: `agentx memory ${args}` }, found)),
      claudeCall("Bash", { command: "npx agentx memory compact --undo --issue 4 --json" }, found),
    ]
  ) {
    const { messages, recalled } = readTranscript(text);
    assertEquals(messages.some((message) => message.text.includes("tabs")), false);
    assertEquals(recalled, [found]);
  }
});
