/**
 * A model on loopback that plays a script: what each wire has for a turn with words and calls.
 *
 * @module
 */

import { Endpoint, streaming, type Turn } from "../agents/http/endpoint.ts";

/** The wires. */
export const APIS = ["openai", "anthropic"] as const;

/** One of them. */
export type Api = typeof APIS[number];

/** A turn of the model: words, and calls of tools with their arguments, or the text in their place. */
export interface ScriptedTurn {
  text?: string;
  calls?: readonly (readonly [name: string, input: object | string])[];
}

/** The events of a turn, as the wire has them. */
export function turnEvents(api: Api, { text = "", calls = [] }: ScriptedTurn): string {
  const json = (input: object | string) =>
    typeof input === "string" ? input : JSON.stringify(input);
  const event = (data: { type?: string }) =>
    `${data.type === undefined ? "" : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`;
  if (api === "openai") {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      event({ choices: [{ index: 0, delta, finish_reason }] } as object);
    const parts = calls.flatMap(([name, input], index) => {
      const whole = json(input);
      const half = Math.ceil(whole.length / 2);
      const named = { index, id: "call_x", type: "function", function: { name, arguments: "" } };
      const more = (text: string) => ({ index, function: { arguments: text } });
      return [named, more(whole.slice(0, half)), more(whole.slice(half))];
    });
    return [
      ...text === "" ? [] : [chunk({ role: "assistant", content: text })],
      ...parts.map((part) => chunk({ tool_calls: [part] })),
      chunk({}, calls.length > 0 ? "tool_calls" : "stop"),
      "data: [DONE]\n\n",
    ].join("");
  }
  const blocks = calls.flatMap(([name, input], at) => {
    const index = at + 1;
    const block = { type: "tool_use", id: "toolu_x", name, input: {} };
    return [
      { type: "content_block_start", index, content_block: block },
      { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: "" } },
      {
        type: "content_block_delta",
        index,
        delta: { type: "input_json_delta", partial_json: json(input) },
      },
      { type: "content_block_stop", index },
    ];
  });
  return [
    { type: "message_start", message: { content: [] } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    { type: "content_block_stop", index: 0 },
    ...blocks,
    { type: "message_delta", delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn" } },
    { type: "message_stop" },
  ].map(event).join("");
}

/** A turn as an endpoint gives it. */
export function turn(api: Api, scripted: ScriptedTurn): Turn {
  return streaming(turnEvents(api, scripted), { chunk: 50 });
}

/** An endpoint that plays a script, one turn for each request; the last one for all that follow. */
export function scriptedEndpoint(api: Api, ...script: readonly ScriptedTurn[]): Endpoint {
  return new Endpoint(...script.map((each) => turn(api, each)));
}

/** The settings of an agent whose model is there. */
export function httpAgent(api: Api, { url }: Endpoint): object {
  return { preset: "http", http: { api, url: api === "openai" ? `${url}/v1` : url, model: "m" } };
}
