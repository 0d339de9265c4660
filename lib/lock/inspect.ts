// Looks at locks without taking them: their owners, and the files that dead owners left behind.

import type { LockHolder } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { openLockFile } from "./lock_file.ts";
import type { FileLockManager } from "./lock_manager.ts";
import { STALE_THRESHOLD_MS } from "./options.ts";
import { ownerState } from "./owner_state.ts";
import { lockPathOf, temporaryPath } from "./paths.ts";
import { acquisitionOf, readRecord } from "./record.ts";

/** The visible facts of a lock file. */
export interface LockInspection {
  /** It is held, or may be held; an abandoned one is replaced by the next process that wants it. */
  state: "held" | "abandoned";
  /** As the lock file says; null where it is not a complete record. */
  holder: LockHolder | null;
  /** ISO-8601: the owner's last sign of life; null where the lock file does not say. */
  lastSeen: string | null;
  /** Identifies the acquisition; null where the lock file does not say. */
  token: string | null;
}

const TEMPORARY = /^(.+)\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}-[0-9a-z]+)\.tmp$/;

/** Looks at a lock file; undefined if there is none. Throws `IO_ERROR` if the path is no file. */
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
    file.close(); // gives the kernel lock back too
  }
}

/** The file that a temporary file of ours was to replace; undefined for any other name. */
export function targetOfTemporary(path: string): string | undefined {
  return TEMPORARY.exec(path)?.[1];
}

/** Whether a temporary file is left over: its lock is not held. False where it is gone already. */
export function isLeftover(path: string): boolean {
  const target = targetOfTemporary(path);
  if (target === undefined) return false;
  const lock = inspectLock(lockPathOf(target));
  const isInUse = lock?.state === "held" && lock.token !== null &&
    temporaryPath(target, lock.token) === path;
  return !isInUse && sys.lstat(path) !== undefined;
}

/**
 * Removes an abandoned lock: takes it over, which also removes what its owner left half-written,
 * and releases it. Throws `LOCK_TIMEOUT` where it is held after all; `IO_ERROR`.
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
