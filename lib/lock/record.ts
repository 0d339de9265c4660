/**
 * What a lock file says about its owner (SPEC-1 section 4.4, and three keys of ours), and whether
 * that owner is still there.
 *
 * @module
 */

import type { LockHolder } from "../errors.ts";
import { type FileInfo, type OpenFile, sys } from "../sys/mod.ts";

/** The content of a lock file. */
export interface LockRecord extends LockHolder {
  /** Identifies one acquisition; null in lock files of the original format. */
  token: string | null;
  /**
   * How the owner shows that it lives: a kernel lock on this very file, or a heartbeat in
   * `timestamp`; null in lock files of the original format.
   */
  witness: "kernel" | "heartbeat" | null;
}

/** A lock file without a complete record may still be in the making until it is this old. */
export const INCOMPLETE_MS = 2_000;

/** No more of a lock file is read: what is longer is none of ours. */
const MAX_RECORD_BYTES = 2_048;

const MAX_AGENT_CHARACTERS = 100;

/** @returns the content of a lock file, one line of JSON; put together by hand, as it is hot */
export function formatRecord(record: LockRecord): string {
  const { pid, timestamp, agent, host, token, witness } = record;
  const name = JSON.stringify(agent.slice(0, MAX_AGENT_CHARACTERS));
  return `{"pid":${pid},"timestamp":"${timestamp}","agent":${name},"host":${
    JSON.stringify(host)
  },` +
    `"token":${JSON.stringify(token)},"witness":${JSON.stringify(witness)},"v":2}`;
}

let formattedMs = NaN;
let formatted = "";

/** @returns ISO-8601; remembered, since many turns fall into one millisecond and it costs 2 us */
export function timestampOf(ms: number): string {
  if (ms !== formattedMs) {
    formatted = new Date(ms).toISOString();
    formattedMs = ms;
  }
  return formatted;
}

/** @returns where the timestamp stands in {@linkcode formatRecord}, in bytes */
export function timestampOffset(pid: number): number {
  return `{"pid":${pid},"timestamp":"`.length;
}

/** @returns the record, or undefined while (or because) the text is not a whole one */
function parseRecord(text: string): LockRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/[\0\s]+$/, ""));
  } catch {
    return undefined; // incomplete or foreign: the caller goes by the file's age
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { pid, timestamp, agent, host, token, witness } = value as Record<string, unknown>;
  if (!Number.isSafeInteger(pid) || typeof timestamp !== "string") return undefined;
  return {
    pid: pid as number,
    timestamp,
    agent: typeof agent === "string" ? agent : "unknown",
    host: typeof host === "string" ? host : null,
    // It becomes part of a file name: only our own form is taken.
    token: typeof token === "string" && /^[0-9a-z-]{1,64}$/.test(token) ? token : null,
    witness: witness === "kernel" || witness === "heartbeat" ? witness : null,
  };
}

/** @returns the record of an open lock file, or undefined if it has no whole one */
export function readRecord(file: OpenFile): LockRecord | undefined {
  return parseRecord(file.read(MAX_RECORD_BYTES));
}

const tokenPrefix = crypto.randomUUID();
let tokenCount = 0;

/** @returns a token that is never used again: random for the thread, counted within it */
export function freshToken(): string {
  return `${tokenPrefix}-${(tokenCount++).toString(36)}`;
}

/** What can be said of an owner. */
export type Verdict = "alive" | "dead" | "expired";

/** The clock by which an owner is judged that cannot be probed. */
export interface JudgeOptions {
  /** After this many milliseconds without a sign it is given up. */
  staleThresholdMs: number;
  /** Milliseconds since the epoch. */
  nowMs: number;
}

/**
 * Decides about the owner of a lock file whose kernel lock is free (or does not exist here): it is
 * `alive`, or must be taken to be; `dead` for certain; or `expired` by the clock.
 *
 * On this host nothing is left to the clock: a free kernel lock has lost its owner, and a process
 * id tells whether a process exists. The 30 seconds of the documents (ADR-1 decision 1) remain for
 * other hosts, for lock files of the original format, and for unreadable ones.
 *
 * @param record what the lock file says; undefined when it is no whole record
 * @param info the lock file itself
 * @param options the clock
 */
export function judgeOwner(
  record: LockRecord | undefined,
  info: FileInfo,
  { staleThresholdMs, nowMs }: JudgeOptions,
): Verdict {
  if (record === undefined) {
    return ageMs(nowMs, info.modifiedMs, staleThresholdMs) > INCOMPLETE_MS ? "expired" : "alive";
  }
  if (record.host === sys.hostname) {
    if (record.witness === "kernel" && sys.hasKernelLock) return "dead";
    return sys.isProcessAlive(record.pid) ? "alive" : "dead";
  }
  const stampMs = Date.parse(record.timestamp);
  const signMs = stampMs <= nowMs ? stampMs : info.modifiedMs; // NaN is not <=
  return ageMs(nowMs, signMs, staleThresholdMs) > staleThresholdMs ? "expired" : "alive";
}

/** A sign from further in the future than a clock goes wrong is no sign of life. */
function ageMs(nowMs: number, signMs: number, toleranceMs: number): number {
  const age = nowMs - signMs;
  return age < -toleranceMs ? Infinity : age;
}
