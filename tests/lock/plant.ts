/**
 * Lock files that somebody else has left, as they are found after a crash.
 *
 * @module
 */

import { type ProcessSpace, sys } from "../../lib/sys/mod.ts";
import { formatRecord, type LockRecord } from "../../lib/lock/record.ts";
import { lockPathOf, takeoverPathOf } from "../../lib/lock/paths.ts";

/** Process id of a process that has just ended. */
export const DEAD_PID: number = await endedProcess();

/** This process, if its lock file should say so; undefined without `/proc`. */
export const HERE: ProcessSpace | null = sys.processSpace() ?? null;

/** A process of this space that has ended. */
const ENDED: ProcessSpace | null = HERE && { ...HERE, start: "1" };

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
    since: new Date().toISOString(),
    process: ENDED,
    ...changes,
  });
}

/**
 * The text of a lock file of the version before this one, which knew nothing of process spaces.
 *
 * @param changes what is different
 */
export function olderLockText(changes: Partial<LockRecord> = {}): string {
  const { since: _since, boot: _boot, pidNamespace: _namespace, start: _start, ...older } = JSON
    .parse(lockText(changes));
  return JSON.stringify(older);
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
  "a process whose id another one has by now": (path) =>
    plantLock(path, lockText({ pid: Deno.pid, witness: "heartbeat" })),
  "an older version without a heartbeat for 31 s": (path) =>
    plantLock(path, olderLockText({ pid: 1, witness: "heartbeat", timestamp: ago(31_000) })),
  "another boot without a heartbeat for 31 s": (path) =>
    plantLock(path, lockText({ process: elsewhere({ boot: "other" }), timestamp: ago(31_000) })),
  "another pid namespace without a heartbeat for 31 s": (path) =>
    plantLock(
      path,
      lockText({
        witness: "heartbeat",
        process: elsewhere({ pidNamespace: "1" }),
        timestamp: ago(31_000),
      }),
    ),
  "the original format, 31 s old": (path) => plantLock(path, originalLockText(31_000)),
  "another host without a heartbeat for 31 s": (path) =>
    plantLock(path, lockText({ host: "elsewhere", process: null, timestamp: ago(31_000) })),
  "garbage, 3 s old": (path) => plantLock(path, '{"pid": 12', 3_000),
  "an empty file, 3 s old": (path) => plantLock(path, "", 3_000),
  "a dead process, and a dead taker of its lock": (path) => {
    const token = crypto.randomUUID();
    plantLock(path, lockText({ token }));
    Deno.writeTextFileSync(takeoverPathOf(path, token), lockText({ witness: "heartbeat" }));
  },
};

/**
 * @param changes what is different from this process
 * @returns a process that cannot be looked at from here
 */
export function elsewhere(changes: Partial<ProcessSpace>): ProcessSpace {
  return { boot: "b", pidNamespace: "2", start: "3", ...HERE, ...changes };
}

function ago(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

async function endedProcess(): Promise<number> {
  const child = new Deno.Command("true").spawn();
  await child.status;
  return child.pid;
}
