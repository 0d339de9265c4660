// Takeovers: how exactly one of many takers replaces a dead owner, without another lock.
//
// On a system with kernel locks, the kernel lock of the dead owner's file elects the taker. Elsewhere takers need a
// name that only one of them can create: the name of a takeover file contains the dead owner's key. Keys are unique,
// so of all takers that find this owner dead, one creates the takeover file and renames it over the dead owner's
// file. So the lock path always leads to a complete file. Later takers find a new owner at that path and withdraw.
// The takeover file is a lock file itself: if its taker dies before the rename, another taker replaces that taker in
// the same manner.

import { type FileInfo, type OpenFile, sys } from "../sys/mod.ts";
import { HeldLock, type NewOwner } from "./held_lock.ts";
import { openLockFile } from "./lock_file.ts";
import type { OwnerState } from "./owner_state.ts";
import { takeoverPathOf } from "./paths.ts";
import { type LockRecord, readRecord } from "./record.ts";

/** The owner of a lock file, as seen at one moment. */
export interface Owner {
  /** Identifies this owner: its token, or else the id and the time of its file. */
  key: string;
  /** Null if the lock file does not state it. */
  token: string | null;
  state: OwnerState;
}

/** A process that may replace a dead owner. */
export interface Taker extends NewOwner {
  /**
   * Judges an owner that holds no kernel lock: the kernel lock of its file is free, or the system has no kernel
   * locks.
   */
  stateOf(record: LockRecord | undefined, info: FileInfo, hasKernelLock: boolean): OwnerState;
}

/** The right to replace one dead owner. */
export interface Takeover {
  path: string;
  /** The lock that is held once the takeover file is renamed to the lock path. */
  lock: HeldLock;
}

/** Reads the owner of an open lock file once, so that the owner that is judged is the owner that is replaced. */
export function lookAtOwner(file: OpenFile, hasKernelLock: boolean, taker: Taker): Owner {
  const info = file.info();
  const record = readRecord(file);
  const token = record?.token ?? null;
  const state = taker.stateOf(record, info, hasKernelLock);
  return { key: keyOf(token, info), token, state };
}

/** Gets the right to replace a dead owner; returns undefined if another taker has this right or has used it. */
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

/**
 * Replaces the dead owner's lock file and removes `leftover`, the dead owner's temporary file. If the taker dies
 * before that, the next taker does both.
 */
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
    // The temporary file stays as litter; this taker holds the lock all the same.
  }
}

function keyOf(token: string | null, { id, modifiedMs }: FileInfo): string {
  return token ?? `${id.replace(":", "-")}-${Math.trunc(modifiedMs)}`;
}
