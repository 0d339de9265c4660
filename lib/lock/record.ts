// The content of a lock file: the owner's record of SPEC-1 section 4.4, with additional keys.

import { isText, objectOf, tryParseJson } from "../base/checks.ts";
import type { LockHolder } from "../base/errors.ts";
import type { OpenFile, ProcessSpace } from "../sys/mod.ts";
import { randomBytes } from "../sys/random_bytes.ts";

export interface LockRecord extends LockHolder {
  /** Time of the acquisition; null in lock files of older versions. `timestamp` is the last heartbeat. */
  since: string | null;
  /**
   * Identifies the process by data of `/proc`; null if the system has no such data, and in lock files of older
   * versions.
   */
  process: ProcessSpace | null;
  /** Identifies one acquisition; null in lock files of the original format. */
  token: string | null;
  /**
   * How the owner shows that it lives: by a kernel lock on this very file, or by a heartbeat in `timestamp`; null in
   * lock files of the original format.
   */
  witness: "kernel" | "heartbeat" | null;
}

/** Only this many bytes of a lock file are read. A longer file is not a lock file. */
export const MAX_RECORD_BYTES = 2_048;

const MAX_AGENT_CHARACTERS = 100;

/** Returns the content of a lock file: one line of JSON that begins with process id and timestamp. */
export function formatRecord(record: LockRecord): string {
  const { pid, timestamp, host, token, witness, since } = record;
  const agent = record.agent.slice(0, MAX_AGENT_CHARACTERS);
  const { boot, pidNamespace, start } = record.process ?? {};
  const place = { boot, pidNamespace, start }; // JSON leaves out undefined values
  return JSON.stringify({ pid, timestamp, agent, host, token, witness, v: 2, since, ...place });
}

/** Returns the byte offset of the timestamp in the text of {@linkcode formatRecord}. */
export function timestampOffset(pid: number): number {
  return `{"pid":${pid},"timestamp":"`.length;
}

/** Returns the record, or undefined if the text is not a complete record. */
function parseRecord(text: string): LockRecord | undefined {
  // For an incomplete or foreign text, the caller relies on the age of the file.
  const value = objectOf(tryParseJson(text.replace(/[\0\s]+$/, "")));
  const { pid, timestamp, agent, host, token, witness, since, boot, pidNamespace, start } = value;
  if (!Number.isSafeInteger(pid) || typeof timestamp !== "string") return undefined;
  return {
    pid: pid as number,
    timestamp,
    agent: typeof agent === "string" ? agent : "unknown",
    host: typeof host === "string" ? host : null,
    // The token becomes part of a file name, so only the format of agentx tokens is accepted.
    token: typeof token === "string" && /^[0-9a-z-]{1,64}$/.test(token) ? token : null,
    witness: witness === "kernel" || witness === "heartbeat" ? witness : null,
    since: typeof since === "string" ? since : null,
    process: isText(boot) && isText(pidNamespace) && isText(start)
      ? { boot, pidNamespace, start }
      : null,
  };
}

/** Returns the record of an open lock file, or undefined if the file has no complete record. */
export function readRecord(file: OpenFile): LockRecord | undefined {
  return parseRecord(file.read(MAX_RECORD_BYTES));
}

/** Returns the owner for messages, with the time of the acquisition in place of the last heartbeat. */
export function acquisitionOf({ pid, timestamp, agent, host, since }: LockRecord): LockHolder {
  return { pid, timestamp: since ?? timestamp, agent, host };
}

let tokenPrefix: string | undefined;
let tokenCount = 0;

/** Returns a token that is never used again: a random part for the thread, then a counter. */
export function freshToken(): string {
  tokenPrefix ??= Array.from(randomBytes(16), (byte) => byte.toString(16).padStart(2, "0"))
    .join("").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"); // as in temporary file names
  return `${tokenPrefix}-${(tokenCount++).toString(36)}`;
}
