import { assertEquals } from "@std/assert";
import {
  formatRecord,
  freshToken,
  INCOMPLETE_MS,
  judgeOwner,
  type LockRecord,
  readRecord,
  timestampOffset,
} from "../../lib/lock/record.ts";
import type { FileInfo, OpenFile } from "../../lib/sys/mod.ts";
import { replace } from "./faults.ts";
import { DEAD_PID } from "./plant.ts";

const NOW_MS = Date.parse("2026-03-01T10:00:00.000Z");

const RECORD: LockRecord = {
  pid: Deno.pid,
  timestamp: new Date(NOW_MS).toISOString(),
  agent: "engineer",
  host: Deno.hostname(),
  token: "a-0",
  witness: "kernel",
};

function read(text: string): LockRecord | undefined {
  return readRecord({ read: (max: number) => text.slice(0, max) } as OpenFile);
}

function judge(record: LockRecord | undefined, ageMs = 0): string {
  const modifiedMs = NOW_MS - ageMs;
  const info: FileInfo = {
    kind: "file",
    id: "1:1",
    links: 1,
    size: 9,
    modifiedMs,
    uid: 0,
    mode: 0o600,
  };
  return judgeOwner(record, info, { staleThresholdMs: 30_000, nowMs: NOW_MS });
}

function aged(ageMs: number, changes: Partial<LockRecord> = {}): LockRecord {
  return { ...RECORD, timestamp: new Date(NOW_MS - ageMs).toISOString(), ...changes };
}

Deno.test("formatRecord() writes the documents' keys first and reads back", () => {
  const text = formatRecord(RECORD);
  assertEquals(Object.keys(JSON.parse(text)).slice(0, 3), ["pid", "timestamp", "agent"]);
  assertEquals(read(text), RECORD);
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
  const found = { pid, timestamp, agent, host: null, token: null, witness: null };
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

Deno.test("judgeOwner() calls an owner dead whose kernel lock is free", () => {
  assertEquals(judge(RECORD), "dead");
});

Deno.test("judgeOwner() asks for the process where it cannot see the kernel lock", () => {
  using _ = replace("hasKernelLock", () => false);
  assertEquals(judge(RECORD), "alive");
  assertEquals(judge({ ...RECORD, pid: DEAD_PID }), "dead");
});

Deno.test("judgeOwner() goes by the process for an owner with a heartbeat on this host", () => {
  assertEquals(judge(aged(3_600_000, { witness: "heartbeat" })), "alive");
  assertEquals(judge(aged(0, { witness: "heartbeat", pid: DEAD_PID })), "dead");
});

Deno.test("judgeOwner() goes by the clock for another host and for the original format", () => {
  for (const host of ["elsewhere", null]) {
    assertEquals(judge(aged(29_000, { host })), "alive");
    assertEquals(judge(aged(31_000, { host })), "expired");
  }
});

Deno.test("judgeOwner() goes by the file's time where the timestamp is none, or in the future", () => {
  for (const timestamp of ["yesterday", "2030-01-01T00:00:00.000Z"]) {
    const record = { ...RECORD, host: null, timestamp };
    assertEquals([judge(record, 29_000), judge(record, 31_000)], ["alive", "expired"]);
  }
});

Deno.test("judgeOwner() does not wait for a future that a clock cannot go wrong by", () => {
  const record = { ...RECORD, host: null, timestamp: "2030-01-01T00:00:00.000Z" };
  assertEquals(judge(record, -3_600_000), "expired");
});

Deno.test("judgeOwner() takes a file without a record to be in the making for two seconds", () => {
  assertEquals(judge(undefined, INCOMPLETE_MS - 100), "alive");
  assertEquals(judge(undefined, INCOMPLETE_MS + 100), "expired");
});
