// Takeovers: how exactly one of many takers replaces a dead owner, without any lock to take.
//
// On a system with kernel locks, the one of the dead owner's file elects the taker. Elsewhere takers need a name
// that only one of them can create: the file of a takeover carries the dead owner's key. Keys are unique, so of all
// takers that find this owner dead one creates the file and renames it over the dead owner's file. That path is
// never absent and never half-written. Latecomers find another owner there and withdraw. The file of a takeover is
// a lock file itself: if the taker dies on the way, another one replaces it in the same manner.

import { type FileInfo, type OpenFile, sys } from "../sys/mod.ts";
import { HeldLock, type NewOwner } from "./held_lock.ts";
import { openLockFile } from "./lock_file.ts";
import type { OwnerState } from "./owner_state.ts";
import { takeoverPathOf } from "./paths.ts";
import { type LockRecord, readRecord } from "./record.ts";

/** The owner of a lock file, as one look shows it. */
export interface Owner {
  /** Tells this owner from all others: its token, or else the file and its time. */
  key: string;
  /** Null where the lock file does not say. */
  token: string | null;
  state: OwnerState;
}

/** The taker's part in a takeover. */
export interface Taker extends NewOwner {
  /** Judges an owner without a kernel lock: it is free, or the system has none. */
  stateOf(record: LockRecord | undefined, info: FileInfo, hasKernelLock: boolean): OwnerState;
}

/** The right to replace one dead owner. */
export interface Takeover {
  path: string;
  /** The lock, once the takeover is renamed to its path. */
  lock: HeldLock;
}

/**
 * Looks once at the owner of an open lock file: the judged owner and the replaced owner must be the same.
 */
export function lookAtOwner(file: OpenFile, hasKernelLock: boolean, taker: Taker): Owner {
  const info = file.info();
  const record = readRecord(file);
  const token = record?.token ?? null;
  const state = taker.stateOf(record, info, hasKernelLock);
  return { key: keyOf(token, info), token, state };
}

/** Gets the right to replace a dead owner; undefined while another taker has it, or used it. */
export function beginTakeover(dead: OpenFile, key: string, taker: Taker): Takeover | undefined {
  const path = takeoverPathOf(taker.locked.path, key);
  const lock = HeldLock.create(path, taker) ?? inheritTakeover(path, taker);
  if (lock === undefined) return undefined;
  const takeover = { path, lock };
  let isDue = false;
  try {
    const info = dead.info();
    isDue = info.links > 0 && keyOf(readRecord(dead)?.token ?? null, info) === key;
  } finally {
    if (!isDue) withdraw(takeover);
  }
  return isDue ? takeover : undefined;
}

/** Replaces the dead owner's lock file. A taker that dies here leaves `leftover` to the next. */
export function commitTakeover(takeover: Takeover, path: string, leftover?: string): HeldLock {
  try {
    if (leftover !== undefined) removeQuietly(leftover);
    sys.rename(takeover.path, path);
  } catch (error) {
    withdraw(takeover);
    throw error;
  }
  return takeover.lock;
}

function withdraw({ path, lock }: Takeover): void {
  try {
    sys.removeFile(path);
  } finally {
    lock.close();
  }
}

function inheritTakeover(path: string, taker: Taker): HeldLock | undefined {
  const file = openLockFile(path);
  if (file === undefined) return undefined;
  try {
    const isLocked = file.tryLock();
    if (isLocked === false) return undefined;
    const { key, state } = lookAtOwner(file, isLocked === true, taker);
    const takeover = state === "alive" ? undefined : beginTakeover(file, key, taker);
    return takeover && commitTakeover(takeover, path);
  } finally {
    file.close();
  }
}

function removeQuietly(path: string): void {
  try {
    sys.removeFile(path);
  } catch {
    // It stays as litter; the lock is held all the same.
  }
}

function keyOf(token: string | null, { id, modifiedMs }: FileInfo): string {
  return token ?? `${id.replace(":", "-")}-${Math.trunc(modifiedMs)}`;
}
