import { assertEquals } from "@std/assert";
import {
  acquisitionOf,
  formatRecord,
  freshToken,
  type LockRecord,
  readRecord,
  timestampOffset,
} from "../../lib/lock/record.ts";
import type { OpenFile } from "../../lib/sys/mod.ts";

const RECORD: LockRecord = {
  pid: Deno.pid,
  timestamp: "2026-03-01T10:00:10.000Z",
  agent: "engineer",
  host: Deno.hostname(),
  token: "a-0",
  witness: "kernel",
  since: "2026-03-01T10:00:00.000Z",
  process: { boot: "b7f0", pidNamespace: "4026531836", start: "900" },
};

function read(text: string): LockRecord | undefined {
  return readRecord({ read: (max: number) => text.slice(0, max) } as OpenFile);
}

Deno.test("formatRecord() writes the documents' keys first and reads back", () => {
  const text = formatRecord(RECORD);
  assertEquals(Object.keys(JSON.parse(text)).slice(0, 3), ["pid", "timestamp", "agent"]);
  assertEquals(read(text), RECORD);
});

Deno.test("formatRecord() leaves out a process that is not known", () => {
  for (const process of [null, RECORD.process, null]) {
    assertEquals(read(formatRecord({ ...RECORD, process })), { ...RECORD, process });
  }
});

Deno.test("acquisitionOf() tells since when the lock is held, and of older versions the last sign", () => {
  assertEquals(acquisitionOf(RECORD).timestamp, RECORD.since);
  assertEquals(acquisitionOf({ ...RECORD, since: null }).timestamp, RECORD.timestamp);
});

Deno.test("formatRecord() keeps a long agent name from hiding the token", () => {
  const text = formatRecord({ ...RECORD, agent: "\u0001".repeat(5_000) });
  assertEquals(read(text)?.token, RECORD.token);
});

Deno.test("timestampOffset() is where formatRecord() puts the timestamp", () => {
  const offset = timestampOffset(RECORD.pid);
  assertEquals(formatRecord(RECORD).slice(offset, offset + 24), RECORD.timestamp);
});

Deno.test("readRecord() reads the original format", () => {
  const { pid, timestamp, agent } = RECORD;
  const none = { host: null, token: null, witness: null, since: null, process: null };
  const found = { pid, timestamp, agent, ...none };
  assertEquals(read(JSON.stringify({ pid, timestamp, agent }, null, 2)), found);
});

Deno.test("readRecord() does not mind the newlines of those who wait", () => {
  assertEquals(read(formatRecord(RECORD) + "\n\n\n"), RECORD);
});

Deno.test("readRecord() finds no record in what is incomplete or none of ours", () => {
  const texts = ["", "{", "null", "[]", '"x"', '{"pid":1.5,"timestamp":"x"}', '{"pid":1}', "\0\0"];
  assertEquals(texts.map(read), texts.map(() => undefined));
});

Deno.test("readRecord() takes no token that could lead a file name elsewhere", () => {
  for (const token of ["../../etc", "a/b", "", "A".repeat(9), "a".repeat(65), 7]) {
    assertEquals(read(JSON.stringify({ ...RECORD, token }))?.token, null);
  }
});

Deno.test("readRecord() reads no more than 2 KiB", () => {
  assertEquals(read(" ".repeat(2_048) + formatRecord(RECORD)), undefined);
});

Deno.test("freshToken() never repeats and stays legal in a file name", () => {
  const tokens = Array.from({ length: 2_000 }, freshToken);
  assertEquals(new Set(tokens).size, tokens.length);
  assertEquals(tokens.every((token) => /^[0-9a-z-]{1,64}$/.test(token)), true);
});
