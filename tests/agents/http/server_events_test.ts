import { assert, assertEquals } from "@std/assert";
import { serverEvents } from "../../../lib/agents/http/server_events.ts";

async function eventsIn(text: string, chunk: number): Promise<string[]> {
  const bytes = new TextEncoder().encode(text);
  const parts = Array.from(
    { length: Math.ceil(bytes.length / chunk) },
    (_, index) => bytes.slice(index * chunk, (index + 1) * chunk),
  );
  return await Array.fromAsync(serverEvents(ReadableStream.from(parts)));
}

/** Streams, and the data in them (WHATWG HTML, section 9.2.6). */
const STREAMS: [text: string, data: string[]][] = [
  ["data: a\n\ndata: b\n\n", ["a", "b"]],
  ["data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
  ["data: a\r\rdata: b\r\r", ["a", "b"]],
  ["data:a\ndata: b\ndata:  c\n\n", ["a\nb\n c"]],
  [": ping\n\nevent: x\nid: 1\nretry: 5\ndata: a\n\n\n\n", ["a"]],
  ["data: a\n\ndata: not ended", ["a"]],
  ["data: a\n\ndata: not ended\n", ["a"]],
  ["datas: a\n\n data: b\n\n", []],
  ["data: \u6f22\u00e9\n\n", ["\u6f22\u00e9"]],
  ["data:\n\n", [""]],
  ["", []],
];

for (const [text, data] of STREAMS) {
  Deno.test(`serverEvents() of ${JSON.stringify(text)}, however it is cut`, async () => {
    for (const chunk of [1, 2, 3, 1_000]) assertEquals(await eventsIn(text, chunk), data);
  });
}

Deno.test("serverEvents() gives up on an event that does not end, in one line or in many", async () => {
  for (const line of ["x", "data: x\n"]) {
    const text = `data: ${line.repeat(Math.ceil(6_000_000 / line.length))}`;
    const error = await eventsIn(text, 1_024).catch((error) => error);
    assert(error instanceof RangeError && error.message.includes("does not end"), `${error}`);
  }
});
