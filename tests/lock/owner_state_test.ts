import { assertEquals } from "@std/assert";
import { INCOMPLETE_MS, ownerState } from "../../lib/lock/owner_state.ts";
import type { LockRecord } from "../../lib/lock/record.ts";
import type { FileInfo, ProcessSpace, System } from "../../lib/sys/mod.ts";
import { replace } from "./faults.ts";

const NOW_MS = Date.parse("2026-03-01T10:00:00.000Z");

const SPACE: ProcessSpace = { boot: "b7f0", pidNamespace: "4026531836", start: "900" };

const RECORD: LockRecord = {
  pid: 7,
  timestamp: new Date(NOW_MS).toISOString(),
  agent: "engineer",
  host: Deno.hostname(),
  token: "a-0",
  witness: "kernel",
  since: null,
  process: SPACE,
};

/** An owner that has no kernel lock, or whose kernel lock cannot be seen. */
const BEATING: LockRecord = { ...RECORD, witness: "heartbeat" };

interface Look {
  ageMs?: number;
  hasKernelLock?: boolean;
  /** This process, as it knows itself. */
  here?: ProcessSpace;
  /** What it learns of process 7. */
  start?: string | null;
}

function stateOf(record: LockRecord | undefined, look: Look = {}): string {
  const { ageMs = 0, hasKernelLock = true } = look;
  const here = "here" in look ? look.here : SPACE;
  using _space = replace("processSpace", () => () => here);
  using _start = replace("processStart", (): System["processStart"] => () => look.start);
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
  return ownerState(record, info, { hasKernelLock, staleThresholdMs: 30_000, nowMs: NOW_MS });
}

function aged(ageMs: number, record: LockRecord): LockRecord {
  return { ...record, timestamp: new Date(NOW_MS - ageMs).toISOString() };
}

/** It goes by the heartbeat, whatever is or is not found under its id. */
function assertByHeartbeat(record: LockRecord, look: Look = {}): void {
  for (const start of [null, "900", "901", undefined]) {
    const states = [29_000, 31_000].map((ageMs) =>
      stateOf(aged(ageMs, record), { start, ...look })
    );
    assertEquals(states, ["alive", "expired"], String(start));
  }
}

Deno.test("ownerState() calls an owner dead whose kernel lock is free, also under another host name", () => {
  assertEquals(stateOf(RECORD), "dead");
  assertEquals(stateOf({ ...RECORD, host: "elsewhere" }), "dead");
  assertEquals(stateOf({ ...RECORD, process: { ...SPACE, pidNamespace: "1" } }), "dead");
});

Deno.test("ownerState() does not believe the kernel lock of another kernel", () => {
  assertByHeartbeat({ ...RECORD, process: { ...SPACE, boot: "other" } });
  assertByHeartbeat({ ...RECORD, process: null, host: "elsewhere" });
});

Deno.test("ownerState() goes by the host where the kernel is not named", () => {
  assertEquals(stateOf({ ...RECORD, process: null }), "dead");
  assertEquals(stateOf(RECORD, { here: undefined }), "dead");
});

Deno.test("ownerState() never robs a process that is there, however old its heartbeat", () => {
  assertEquals(stateOf(aged(3_600_000, BEATING), { start: "900" }), "alive");
  assertEquals(stateOf(aged(3_600_000, RECORD), { start: "900", hasKernelLock: false }), "alive");
});

Deno.test("ownerState() calls a process dead that has ended, or whose id another one has", () => {
  for (const start of [null, "901"]) {
    assertEquals(stateOf(BEATING, { start }), "dead");
    assertEquals(stateOf(RECORD, { start, hasKernelLock: false }), "dead");
  }
});

Deno.test("ownerState() goes by the heartbeat of what cannot be looked at", () => {
  assertByHeartbeat({ ...BEATING, process: { ...SPACE, pidNamespace: "1" } });
  assertByHeartbeat({ ...BEATING, process: { ...SPACE, boot: "other" } });
  assertByHeartbeat(BEATING, { here: undefined });
  assertByHeartbeat(BEATING, { start: undefined });
});

Deno.test("ownerState() never believes the process id of an older version or of the original format", () => {
  assertByHeartbeat({ ...BEATING, process: null });
  assertByHeartbeat({ ...RECORD, process: null }, { hasKernelLock: false });
  assertByHeartbeat({ ...BEATING, process: null, host: null, token: null, witness: null });
});

Deno.test("ownerState() goes by the file's time where the timestamp is none, or in the future", () => {
  for (const timestamp of ["yesterday", "2030-01-01T00:00:00.000Z"]) {
    const record = { ...BEATING, process: null, timestamp };
    const states = [29_000, 31_000].map((ageMs) => stateOf(record, { ageMs }));
    assertEquals(states, ["alive", "expired"]);
  }
});

Deno.test("ownerState() does not wait for a future that a clock cannot go wrong by", () => {
  const record = { ...BEATING, process: null, timestamp: "2030-01-01T00:00:00.000Z" };
  assertEquals(stateOf(record, { ageMs: -3_600_000 }), "expired");
});

Deno.test("ownerState() takes a file without a record to be in the making for two seconds", () => {
  assertEquals(stateOf(undefined, { ageMs: INCOMPLETE_MS - 100 }), "alive");
  assertEquals(stateOf(undefined, { ageMs: INCOMPLETE_MS + 100 }), "expired");
});
