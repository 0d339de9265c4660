// The content of a lock file: the owner's record of SPEC-1 section 4.4, with keys of our own.

import { isText, objectOf, tryParseJson } from "../base/checks.ts";
import type { LockHolder } from "../base/errors.ts";
import type { OpenFile, ProcessSpace } from "../sys/mod.ts";
import { randomBytes } from "../sys/random_bytes.ts";

export interface LockRecord extends LockHolder {
  /** Time of the acquisition; null in lock files of older versions. `timestamp` is a heartbeat. */
  since: string | null;
  /** The process as `/proc` tells it from others; null where it does not, and in older versions. */
  process: ProcessSpace | null;
  /** Identifies one acquisition; null in lock files of the original format. */
  token: string | null;
  /**
   * How the owner shows that it lives: a kernel lock on this very file, or a heartbeat in
   * `timestamp`; null in lock files of the original format.
   */
  witness: "kernel" | "heartbeat" | null;
}

/** No more of a lock file is read: a longer file is not a lock. */
export const MAX_RECORD_BYTES = 2_048;

const MAX_AGENT_CHARACTERS = 100;

/** The content of a lock file: one line of JSON that begins with process id and timestamp. */
export function formatRecord(record: LockRecord): string {
  const { pid, timestamp, host, token, witness, since } = record;
  const agent = record.agent.slice(0, MAX_AGENT_CHARACTERS);
  const { boot, pidNamespace, start } = record.process ?? {};
  const place = { boot, pidNamespace, start }; // what is undefined is left out
  return JSON.stringify({ pid, timestamp, agent, host, token, witness, v: 2, since, ...place });
}

/** Where the timestamp stands in {@linkcode formatRecord}, in bytes. */
export function timestampOffset(pid: number): number {
  return `{"pid":${pid},"timestamp":"`.length;
}

/** The record, or undefined while (or because) the text is not a whole one. */
function parseRecord(text: string): LockRecord | undefined {
  // Incomplete or foreign: the caller goes by the file's age.
  const value = objectOf(tryParseJson(text.replace(/[\0\s]+$/, "")));
  const { pid, timestamp, agent, host, token, witness, since, boot, pidNamespace, start } = value;
  if (!Number.isSafeInteger(pid) || typeof timestamp !== "string") return undefined;
  return {
    pid: pid as number,
    timestamp,
    agent: typeof agent === "string" ? agent : "unknown",
    host: typeof host === "string" ? host : null,
    // It becomes part of a file name: only our own form is taken.
    token: typeof token === "string" && /^[0-9a-z-]{1,64}$/.test(token) ? token : null,
    witness: witness === "kernel" || witness === "heartbeat" ? witness : null,
    since: typeof since === "string" ? since : null,
    process: isText(boot) && isText(pidNamespace) && isText(start)
      ? { boot, pidNamespace, start }
      : null,
  };
}

/** The record of an open lock file, or undefined if it has no whole one. */
export function readRecord(file: OpenFile): LockRecord | undefined {
  return parseRecord(file.read(MAX_RECORD_BYTES));
}

/** The owner as messages name it: since when it holds the lock, not its last sign. */
export function acquisitionOf({ pid, timestamp, agent, host, since }: LockRecord): LockHolder {
  return { pid, timestamp: since ?? timestamp, agent, host };
}

let tokenPrefix: string | undefined;
let tokenCount = 0;

/** A token that is never used again: random for the thread, counted within it. */
export function freshToken(): string {
  tokenPrefix ??= Array.from(randomBytes(16), (byte) => byte.toString(16).padStart(2, "0"))
    .join("").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"); // as names of temporary files have it
  return `${tokenPrefix}-${(tokenCount++).toString(36)}`;
}
