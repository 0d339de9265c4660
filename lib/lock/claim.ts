/**
 * Claims: how exactly one of many takers replaces a dead owner, without any lock to take.
 *
 * A claim is a lock file whose name carries the dead owner's key. Keys are never used twice, so of
 * all who find this owner dead one creates the claim; it then renames the claim over the dead
 * owner's file, whose path is never absent and never half-written. Who comes later finds another
 * owner there and withdraws. A claim is a lock file itself: where the claimer died on the way, it is
 * replaced in the same manner.
 *
 * @module
 */

import { AgentxError, type LockHolder } from "../errors.ts";
import { type FileInfo, type OpenFile, sys } from "../sys/mod.ts";
import { HeldLock } from "./held_lock.ts";
import { claimPathOf, lockPathOf } from "./paths.ts";
import { INCOMPLETE_MS, type OwnerState } from "./owner_state.ts";
import { acquisitionOf, type LockRecord, readRecord } from "./record.ts";

/** The owner of a lock file, as one look shows it. */
export interface Owner {
  /** Tells this owner from all others: its token, or else the file and its time. */
  key: string;
  /** Null where the lock file does not say. */
  token: string | null;
  state: OwnerState;
}

/** What a claim needs to know of who claims. */
export interface Claimant {
  /** The locked file. */
  filePath: string;
  /** The claimant as the lock file will name it. */
  record(): LockRecord;
  /** Judges an owner whose kernel lock is free. */
  judge(record: LockRecord | undefined, info: FileInfo): OwnerState;
}

/** The right to replace one dead owner. */
export interface Claim {
  path: string;
  /** The lock, once the claim is renamed to its path. */
  lock: HeldLock;
}

/**
 * A lock file that somebody created is theirs to fill for this long: half of the time for which
 * everybody takes it to be in the making. Who was slower may have been replaced.
 */
const CREATION_MS = INCOMPLETE_MS / 2;

/**
 * @param startMs before the lock file was created, epoch milliseconds
 * @returns whether others may have taken it to be abandoned since
 */
export function isLate(startMs: number): boolean {
  return Date.now() - startMs >= CREATION_MS;
}

/**
 * Looks at the owner of an open lock file, once: what is judged and what is claimed must be the same.
 *
 * @param file the lock file, with its kernel lock in hand where there is one
 * @param claimant who judges
 */
export function lookAtOwner(file: OpenFile, claimant: Claimant): Owner {
  const info = file.info();
  const record = readRecord(file);
  const token = record?.token ?? null;
  const state = claimant.judge(record, info);
  return { key: keyOf(token, info), token, state };
}

/**
 * Claims the right to replace a dead owner.
 *
 * @param dead the open lock file of the dead owner
 * @param key that owner's
 * @param claimant who claims
 * @returns the claim, or undefined while another claimant is at it or was
 */
export function claimOwner(dead: OpenFile, key: string, claimant: Claimant): Claim | undefined {
  const path = claimPathOf(claimant.filePath, key);
  const lock = createClaim(path, claimant) ?? inheritClaim(path, claimant);
  if (lock === undefined) return undefined;
  const claim = { path, lock };
  let isDue = false;
  try {
    const info = dead.info();
    isDue = info.links > 0 && keyOf(readRecord(dead)?.token ?? null, info) === key;
  } finally {
    if (!isDue) withdrawClaim(claim);
  }
  return isDue ? claim : undefined;
}

/**
 * Replaces the dead owner's lock file by the claim.
 *
 * @param claim the right to do so
 * @param path the dead owner's lock file
 * @param leftover what else the dead owner may have left; who dies here leaves it to the next one
 */
export function commitClaim(claim: Claim, path: string, leftover?: string): HeldLock {
  try {
    if (leftover !== undefined) removeQuietly(leftover);
    sys.rename(claim.path, path);
  } catch (error) {
    withdrawClaim(claim);
    throw error;
  }
  return claim.lock;
}

/** Gives the right up. */
function withdrawClaim({ path, lock }: Claim): void {
  try {
    sys.removeFile(path);
  } finally {
    lock.abandon();
  }
}

function createClaim(path: string, claimant: Claimant): HeldLock | undefined {
  const startMs = Date.now();
  const file = sys.createFile(path);
  if (file === undefined) return undefined;
  let lock: HeldLock | undefined;
  try {
    // Somebody may just be looking at the empty claim with the kernel lock in hand: try later.
    if (file.tryLock() || !sys.hasKernelLock) {
      lock = new HeldLock(claimant.filePath, file, claimant.record());
    }
  } finally {
    if (lock === undefined) discardFile(path, file);
  }
  if (lock === undefined || !isLate(startMs)) return lock;
  lock.disown();
  return undefined;
}

function inheritClaim(path: string, claimant: Claimant): HeldLock | undefined {
  const file = openLockFile(path);
  if (file === undefined) return undefined;
  try {
    if (!file.tryLock() && sys.hasKernelLock) return undefined;
    const { key, state } = lookAtOwner(file, claimant);
    const claim = state === "alive" ? undefined : claimOwner(file, key, claimant);
    return claim && commitClaim(claim, path);
  } finally {
    file.close();
  }
}

/**
 * Removes a lock file that its creator cannot fill, unless somebody replaced it, and closes it.
 *
 * @param path where it was created
 * @param file the open lock file
 */
export function discardFile(path: string, file: OpenFile): void {
  try {
    if (sys.lstat(path)?.id === file.info().id) sys.removeFile(path);
  } finally {
    file.close();
  }
}

/**
 * Opens an existing lock file.
 *
 * @param path the path of the lock file
 * @returns the open file, or undefined if it is gone
 * @throws {AgentxError} `IO_ERROR` for a symlink, a folder or the like in its place
 */
export function openLockFile(path: string): OpenFile | undefined {
  const seen = sys.lstat(path);
  if (seen === undefined) return undefined;
  if (seen.kind !== "file") {
    throw new AgentxError("IO_ERROR", `Cannot lock "${path}": it is not a file (${seen.kind})`, {
      details: { operation: "lock", path, errno: "EEXIST" },
      next: "Move it away; the toolkit keeps a small file there while it writes",
    });
  }
  const file = sys.openFile(path);
  let isSame = false;
  try {
    isSame = file?.info().id === seen.id;
  } finally {
    if (!isSame) file?.close();
  }
  return isSame ? file : undefined;
}

/** @returns who has a file locked, as the lock file says; undefined where that cannot be read */
export function holderOf(filePath: string): LockHolder | undefined {
  let file: OpenFile | undefined;
  try {
    file = openLockFile(lockPathOf(filePath));
    const record = file && readRecord(file);
    return record && acquisitionOf(record);
  } catch {
    return undefined; // the caller has a failure to tell of already
  } finally {
    file?.close();
  }
}

function removeQuietly(path: string): void {
  try {
    sys.removeFile(path);
  } catch {
    // It stays as litter, which is no reason to go without the lock.
  }
}

function keyOf(token: string | null, info: FileInfo): string {
  return token ?? `${info.id.replace(":", "-")}-${Math.trunc(info.modifiedMs)}`;
}
