// Looks at locks without taking them: their owners, and the files that dead owners left behind.

import type { LockHolder } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { openLockFile } from "./lock_file.ts";
import type { FileLockManager } from "./lock_manager.ts";
import { STALE_THRESHOLD_MS } from "./options.ts";
import { ownerState } from "./owner_state.ts";
import { lockPathOf, temporaryPath } from "./paths.ts";
import { acquisitionOf, readRecord } from "./record.ts";

/** The visible facts of a lock. */
export interface LockInspection {
  /**
   * `held`: a process holds the lock, or may hold it. `abandoned`: the next process that wants the lock takes it
   * over.
   */
  state: "held" | "abandoned";
  /** The owner that the lock file names; null if the lock file has no complete record. */
  holder: LockHolder | null;
  /** ISO-8601: the owner's last sign of life; null if the lock file does not state it. */
  lastSeen: string | null;
  /** Identifies the acquisition; null if the lock file does not state it. */
  token: string | null;
}

const TEMPORARY = /^(.+)\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}-[0-9a-z]+)\.tmp$/;

/** Looks at a lock file; returns undefined if it does not exist. Throws `IO_ERROR` if the path is not a file. */
export function inspectLock(lockPath: string): LockInspection | undefined {
  const file = openLockFile(lockPath);
  if (file === undefined) return undefined;
  try {
    const record = readRecord(file);
    const isLocked = file.tryLock();
    const clock = { nowMs: sys.now(), staleThresholdMs: STALE_THRESHOLD_MS };
    const isAlive = isLocked === false ||
      ownerState(record, file.info(), { hasKernelLock: isLocked === true, ...clock }) === "alive";
    return {
      state: isAlive ? "held" : "abandoned",
      holder: record ? acquisitionOf(record) : null,
      lastSeen: record?.timestamp ?? null,
      token: record?.token ?? null,
    };
  } finally {
    file.close(); // also releases the kernel lock
  }
}

/** Returns the file that a temporary file of agentx was to replace; undefined for any other name. */
export function targetOfTemporary(path: string): string | undefined {
  return TEMPORARY.exec(path)?.[1];
}

/** Whether a temporary file is left over, so that no owner of its lock uses it. False if the file no longer exists. */
export function isLeftover(path: string): boolean {
  const target = targetOfTemporary(path);
  if (target === undefined) return false;
  const lock = inspectLock(lockPathOf(target));
  const isInUse = lock?.state === "held" && lock.token !== null &&
    temporaryPath(target, lock.token) === path;
  return !isInUse && sys.lstat(path) !== undefined;
}

/**
 * Removes an abandoned lock. Taking the lock over also removes the owner's unfinished temporary file; then the lock
 * is released. Throws `LOCK_TIMEOUT` if a process holds the lock after all; `IO_ERROR`.
 */
export async function removeAbandonedLock(
  lockPath: string,
  locks: FileLockManager,
): Promise<void> {
  await locks.withSafeLock(lockPath.slice(0, -lockPathOf("").length), "doctor", () => {});
}

/**
 * Removes a left-over temporary file under the lock of its target, so that no other process writes.
 * Throws `LOCK_TIMEOUT`, `IO_ERROR`.
 */
export async function removeLeftover(path: string, locks: FileLockManager): Promise<boolean> {
  const target = targetOfTemporary(path);
  if (target === undefined) return false;
  return await locks.withSafeLock(target, "doctor", () => sys.removeFile(path));
}
