import { assert, assertEquals } from "@std/assert";
import { httpModel } from "../../../lib/agents/http/http_model.ts";
import type { ModelMessage } from "../../../lib/agents/language_model.ts";
import { type Api, APIS, turn, turnEvents } from "../../run/scripted_turns.ts";
import { Endpoint, streaming } from "./endpoint.ts";

const TOOL = {
  name: "look",
  description: "Looks",
  input: {
    type: "object",
    properties: { at: { type: "string", description: "What" } },
    required: ["at"],
  },
} as const;

const MESSAGES: ModelMessage[] = [
  { role: "user", text: "Look twice." },
  {
    role: "assistant",
    text: "",
    calls: [{ id: "call_1", name: "look", input: { at: "a" } }, {
      id: "call_2",
      name: "look",
      input: "{not json",
    }],
  },
  { role: "tool", callId: "call_1", text: "A.", isError: false },
  { role: "tool", callId: "call_2", text: "No object", isError: true },
  { role: "user", text: "Well?" },
];

function modelAt({ url }: Endpoint, api: Api) {
  const http = { api, url, model: "m", keyEnv: null, maxTokens: 99 };
  return httpModel({ agent: "engineer", http, timeoutMs: 20_000 });
}

for (const api of APIS) {
  for (const chunk of [1, 7, 100_000]) {
    Deno.test(`httpModel() reads words and calls that ${api} streams in chunks of ${chunk}`, async () => {
      const calls = [["look", { at: "\u00e9\u6f22" }], ["look", '{"at": "cut'], [
        "look",
        "",
      ]] as const;
      const events = turnEvents(api, { text: "I look.", calls });
      await using endpoint = new Endpoint(streaming(events, { chunk }));
      const request = { system: "S", messages: MESSAGES, tools: [TOOL] };
      assertEquals(await modelAt(endpoint, api).respond(request), {
        text: "I look.",
        calls: [
          { id: "call_1", name: "look", input: { at: "\u00e9\u6f22" } },
          { id: "call_2", name: "look", input: '{"at": "cut' },
          { id: "call_3", name: "look", input: {} },
        ],
      });
    });
  }
}

Deno.test("httpModel() writes a conversation as OpenAI has it", async () => {
  await using endpoint = new Endpoint(turn("openai", { text: "Done." }));
  await modelAt(endpoint, "openai").respond({ system: "S", messages: MESSAGES, tools: [TOOL] });
  const { messages, tools } = endpoint.asked[0].body;
  const call = (id: string, json: string) => ({
    id,
    type: "function",
    function: { name: "look", arguments: json },
  });
  assertEquals(messages, [
    { role: "system", content: "S" },
    { role: "user", content: "Look twice." },
    {
      role: "assistant",
      content: null,
      tool_calls: [call("call_1", '{"at":"a"}'), call("call_2", "{}")],
    },
    { role: "tool", tool_call_id: "call_1", content: "A." },
    { role: "tool", tool_call_id: "call_2", content: "No object" },
    { role: "user", content: "Well?" },
  ]);
  const { name, description, input: parameters } = TOOL;
  assertEquals(tools, [{ type: "function", function: { name, description, parameters } }]);
});

Deno.test("httpModel() writes a conversation as Anthropic has it: the roles alternate", async () => {
  await using endpoint = new Endpoint(turn("anthropic", { text: "Done." }));
  await modelAt(endpoint, "anthropic").respond({ system: "S", messages: MESSAGES, tools: [TOOL] });
  const { system, messages, tools } = endpoint.asked[0].body;
  const cache_control = { type: "ephemeral" };
  assertEquals(system, [{ type: "text", text: "S", cache_control }]);
  assertEquals(messages, [
    { role: "user", content: "Look twice." },
    {
      role: "assistant",
      content: [
        { type: "tool_use", id: "call_1", name: "look", input: { at: "a" } },
        { type: "tool_use", id: "call_2", name: "look", input: {} },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "call_1", content: "A." },
        { type: "tool_result", tool_use_id: "call_2", content: "No object", is_error: true },
        { type: "text", text: "Well?", cache_control },
      ],
    },
  ]);
  const { name, description, input: input_schema } = TOOL;
  assertEquals(tools, [{ name, description, input_schema }]);
});

Deno.test("httpModel() gives the tokens that Anthropic counted, cached ones too", async () => {
  const input = { input_tokens: 3, cache_creation_input_tokens: 10, cache_read_input_tokens: 100 };
  const events = [
    { type: "message_start", message: { usage: { ...input, output_tokens: 1 } } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Done." } },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  await using endpoint = new Endpoint(streaming(events));
  const request = { system: "S", messages: MESSAGES, tools: [TOOL] };
  const said = await modelAt(endpoint, "anthropic").respond(request);
  assertEquals(said, { text: "Done.", calls: [], tokens: 120 });
});

Deno.test("httpModel() takes calls that are not numbered for calls of their own", async () => {
  const call = (at: string) => ({ function: { name: "look", arguments: JSON.stringify({ at }) } });
  const delta = { tool_calls: [call("a"), call("b")] };
  const event = (choice: object) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`;
  const events = event({ delta }) + event({ delta: {}, finish_reason: "stop" });
  await using endpoint = new Endpoint(streaming(events));
  const request = { system: "", messages: MESSAGES, tools: [TOOL] };
  const { calls } = await modelAt(endpoint, "openai").respond(request);
  assert(calls.length === 2, JSON.stringify(calls));
  assertEquals(calls.map(({ input }) => input), [{ at: "a" }, { at: "b" }]);
});
