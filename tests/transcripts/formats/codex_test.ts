import { assertEquals } from "@std/assert";
import { readTranscript } from "../../../lib/transcripts/mod.ts";
import { lines, said } from "./said.ts";

const timestamp = "2026-03-01T10:00:00.000Z";

function item(payload: Record<string, unknown>) {
  return { timestamp, type: "response_item", payload };
}

function message(role: string, text: string) {
  const type = role === "assistant" ? "output_text" : "input_text";
  return { type: "message", role, content: [{ type, text }] };
}

const META = { timestamp, type: "session_meta", payload: { id: "c-1", cwd: "/w" } };

Deno.test("readTranscript() reads a rollout of Codex, where most is said twice", () => {
  const text = lines(
    META,
    item(message("developer", "Rules")),
    item(message("user", "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>")),
    item(message("user", "Fix the test")),
    { timestamp, type: "event_msg", payload: { type: "user_message", message: "Fix the test" } },
    { timestamp, type: "turn_context", payload: { model: "m" } },
    item({ type: "reasoning", summary: [], encrypted_content: "x" }),
    item({ type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "k1" }),
    item({
      type: "function_call_output",
      call_id: "k1",
      output: '{"output":"boom","metadata":{"exit_code":2}}',
    }),
    item({ type: "custom_tool_call", name: "apply_patch", input: "*** Begin", call_id: "k2" }),
    item({ type: "custom_tool_call_output", call_id: "k2", output: "Success. Updated" }),
    item(message("assistant", "Done.")),
    { timestamp, type: "event_msg", payload: { type: "agent_message", message: "Done." } },
  );
  assertEquals(readTranscript(text).sessionId, "c-1");
  assertEquals(said(text), [
    "system: Rules",
    "user: Fix the test",
    "tool(shell): Exit code: 2\nboom",
    "tool(apply_patch): Success. Updated",
    "assistant: Done.",
  ]);
});

Deno.test("readTranscript() reads rollouts that say things once, and streams", () => {
  assertEquals(said(lines(META, item(message("user", "Only here")))), ["user: Only here"]);
  const shown = {
    timestamp,
    type: "event_msg",
    payload: { type: "agent_message", message: "Hi." },
  };
  assertEquals(said(lines(META, shown)), ["assistant: Hi."]);
  const old = { id: "c-0", timestamp, instructions: null };
  assertEquals(said(lines(old, message("user", "Old"), message("assistant", "Yes"))), [
    "user: Old",
    "assistant: Yes",
  ]);
  const stream = lines(
    { type: "thread.started", thread_id: "c-2" },
    { type: "item.completed", item: { id: "i0", type: "reasoning", text: "hm" } },
    {
      type: "item.completed",
      item: {
        id: "i1",
        type: "command_execution",
        command: "make",
        aggregated_output: "bad",
        exit_code: 1,
      },
    },
    { type: "item.completed", item: { type: "file_change", changes: [{ path: "a.c" }, {}] } },
    { type: "item.completed", item: { type: "agent_message", text: "Done." } },
  );
  assertEquals(readTranscript(stream).sessionId, "c-2");
  assertEquals(said(stream), [
    "tool(shell): Exit code: 1\nbad",
    "tool(apply_patch): Success. Updated the following files:\nM a.c",
    "assistant: Done.",
  ]);
});

/** A message as Codex 0.171 records it, with where it comes from. */
function sourced(role: string, text: string, provenance: Record<string, unknown>) {
  const metadata = { content_item_metadata: [{ provenance }] };
  return item({
    ...message(role, text),
    internal_chat_message_metadata_passthrough: metadata,
  });
}

const shown = (type: string, content: unknown[]) => ({
  timestamp,
  type: "event_msg",
  payload: { type: "item_completed", item: { type, id: "i", content } },
});

const HOOK = `<hook_prompt hook_run_id="stop:1:/h/hooks.json">We decided to go on.</hook_prompt>`;

Deno.test("readTranscript() tells typed text of Codex 0.171 from that of hooks and host", () => {
  const model = [
    sourced("user", "<environment_context>/w</environment_context>", { type: "harness" }),
    sourced("user", "Fix the test", { type: "user" }),
    sourced("developer", "Never use tabs", { type: "harness", hook: true }),
    item({ type: "function_call", name: "exec_command", arguments: '{"cmd":"x"}', call_id: "k1" }),
    item({
      type: "function_call_output",
      call_id: "k1",
      output: "Chunk ID: cc41bc\nWall time: 0.0 seconds\nProcess exited with code 3\n" +
        "Original token count: 2\nOutput:\nboom\n",
    }),
    item(message("assistant", "Done.")),
    sourced("user", HOOK, { type: "harness", hook: true }),
  ];
  const screen = [
    shown("UserMessage", [{ type: "text", text: "Fix the test" }]),
    shown("AgentMessage", [{ type: "Text", text: "Done." }]),
    { ...shown("HookPrompt", []), fragments: [{ text: "We decided to go on." }] },
  ];
  const expected = [
    "user: Fix the test",
    "system: Never use tabs",
    "tool(exec_command): Exit code: 3\nboom",
    "assistant: Done.",
  ];
  const world = { timestamp, type: "world_state", payload: { full: true, state: {} } };
  assertEquals(said(lines(META, world, ...model)), expected);
  assertEquals(said(lines(META, world, ...model, ...screen)).toSorted(), expected.toSorted());
  assertEquals(said(lines(META, ...screen)), ["user: Fix the test", "assistant: Done."]);
  assertEquals(said(lines(META, item(message("user", HOOK)))), []);
});

Deno.test("readTranscript() takes what an agent told its sub-agent for nobody's words", () => {
  const meta = {
    ...META,
    payload: { ...META.payload, thread_source: "subagent", source: { subagent: {} } },
  };
  const text = lines(
    meta,
    item(message("user", "We decided on X")),
    item(message("assistant", "Done.")),
  );
  assertEquals(said(text), ["assistant: Done."]);
});
