/**
 * Making, opening and discarding lock files, without a look at what they say.
 *
 * @module
 */

import { AgentxError, hasCode, type LockHolder } from "../errors.ts";
import { type FileInfo, type OpenFile, sys } from "../sys/mod.ts";
import { privateModes } from "../sys/modes.ts";
import { INCOMPLETE_MS } from "./owner_state.ts";
import { lockPathOf } from "./paths.ts";
import { acquisitionOf, readRecord } from "./record.ts";

/** A lock file that was created and not filled yet. */
export interface FreshFile {
  file: OpenFile;
  /** Before it was created, by both clocks: one stops while the machine sleeps, one can be set. */
  wallMs: number;
  monotonicMs: number;
}

/**
 * A lock file is its creator's to fill for this long: half of the time for which
 * everybody takes it to be in the making. A slower creator may be about to be replaced.
 */
const CREATION_MS = INCOMPLETE_MS / 2;

/** For the user alone. */
const OWN_MODE = 0o600;

/** @returns the permissions of a lock file, as the user chose them */
export function lockFileMode(): number {
  try {
    return privateModes().file;
  } catch {
    return OWN_MODE; // a program that may not read its environment chose nothing
  }
}

/**
 * @param path where
 * @param mode its permissions
 * @returns the open file; undefined if there is one already
 */
export function createLockFile(path: string, mode: number): FreshFile | undefined {
  const wallMs = sys.now();
  const monotonicMs = performance.now();
  const file = sys.createFile(path, mode);
  return file && { file, wallMs, monotonicMs };
}

/** @returns whether others may have taken a file to be abandoned since it was created */
export function isLate({ wallMs, monotonicMs }: FreshFile): boolean {
  const sinceMs = sys.now() - wallMs;
  return sinceMs < 0 || sinceMs >= CREATION_MS || performance.now() - monotonicMs >= CREATION_MS;
}

/**
 * Removes a lock file that its creator cannot fill, unless another process replaced it, and closes it.
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
 * @throws {AgentxError} `IO_ERROR` for a symlink, a folder or the like in its place, and for the file
 *   of another user, where users do not share
 */
export function openLockFile(path: string): OpenFile | undefined {
  const seen = sys.lstat(path);
  if (seen === undefined) return undefined;
  if (seen.kind !== "file") {
    throw new AgentxError("IO_ERROR", `Cannot lock "${path}": it is not a file (${seen.kind})`, {
      details: { operation: "lock", path, errno: "EEXIST" },
      next: "Move it aside; agentx keeps a small lock file there while it writes",
    });
  }
  const file = openAsUser(path, seen);
  let isSame = false;
  try {
    isSame = file?.info().id === seen.id;
  } finally {
    if (!isSame) file?.close();
  }
  return isSame ? file : undefined;
}

/** @returns who has a file locked, as the lock file says; undefined where that cannot be read */
export function holderOf(path: string): LockHolder | undefined {
  let file: OpenFile | undefined;
  try {
    file = openLockFile(lockPathOf(path));
    const record = file && readRecord(file);
    return record && acquisitionOf(record);
  } catch {
    return undefined; // the caller has a failure to tell of already
  } finally {
    file?.close();
  }
}

/** To see that its owner died, and to replace it, a file of another user need not be written. */
function openAsUser(path: string, { uid }: FileInfo): OpenFile | undefined {
  try {
    return sys.openFile(path);
  } catch (error) {
    if (!hasCode(error, "IO_ERROR") || error.details.errno !== "EACCES") throw error;
    if (lockFileMode() !== OWN_MODE) return sys.openFile(path, { isReadOnly: true });
    throw new AgentxError("IO_ERROR", `Cannot lock "${path}": it belongs to user ${uid} (EACCES)`, {
      details: { operation: "lock", path, errno: "EACCES" },
      next: "Wait for that user; to share the folder, all its users set AGENTX_SHARED=group",
      cause: error,
    });
  }
}
