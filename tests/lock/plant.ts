/**
 * Lock files that somebody else has left, as they are found after a crash.
 *
 * @module
 */

import { formatRecord, type LockRecord } from "../../lib/lock/record.ts";
import { claimPathOf, lockPathOf } from "../../lib/lock/paths.ts";

/** Process id of a process that has just ended. */
export const DEAD_PID: number = await endedProcess();

/**
 * Writes a lock file.
 *
 * @param path the locked file
 * @param text what the lock file says
 * @param ageMs how old it looks
 */
export function plantLock(path: string, text: string, ageMs = 0): void {
  Deno.writeTextFileSync(lockPathOf(path), text);
  if (ageMs !== 0) {
    const time = new Date(Date.now() - ageMs);
    Deno.utimeSync(lockPathOf(path), time, time);
  }
}

/**
 * The text of a lock file, complete and of a dead process on this host unless `changes` say else.
 *
 * @param changes what is different
 */
export function lockText(changes: Partial<LockRecord> = {}): string {
  return formatRecord({
    pid: DEAD_PID,
    timestamp: new Date().toISOString(),
    agent: "late",
    host: Deno.hostname(),
    token: crypto.randomUUID(),
    witness: "kernel",
    ...changes,
  });
}

/**
 * The text of a lock file of the original format (SPEC-1 section 4.4).
 *
 * @param ageMs how long ago it was taken
 */
export function originalLockText(ageMs: number): string {
  const timestamp = new Date(Date.now() - ageMs).toISOString();
  return JSON.stringify({ pid: DEAD_PID, timestamp, agent: "original" });
}

/** Abandoned lock files of each kind, by name: each plants one for `path`. */
export const ABANDONED: Record<string, (path: string) => void> = {
  "a dead process with a kernel lock": (path) => plantLock(path, lockText()),
  "a dead process with a heartbeat": (path) => plantLock(path, lockText({ witness: "heartbeat" })),
  "the original format, 31 s old": (path) => plantLock(path, originalLockText(31_000)),
  "another host without a heartbeat for 31 s": (path) =>
    plantLock(path, lockText({ host: "elsewhere", timestamp: ago(31_000) })),
  "garbage, 3 s old": (path) => plantLock(path, '{"pid": 12', 3_000),
  "an empty file, 3 s old": (path) => plantLock(path, "", 3_000),
  "a dead process, and a dead claimer of its lock": (path) => {
    const token = crypto.randomUUID();
    plantLock(path, lockText({ token }));
    Deno.writeTextFileSync(claimPathOf(path, token), lockText({ witness: "heartbeat" }));
  },
};

function ago(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

async function endedProcess(): Promise<number> {
  const child = new Deno.Command("true").spawn();
  await child.status;
  return child.pid;
}
