// Opens and discards lock files without reading them.

import { AgentxError, hasCode, type LockHolder } from "../base/errors.ts";
import { TO_SHARE } from "../sys/io_error.ts";
import { type FileInfo, type OpenFile, sys } from "../sys/mod.ts";
import { isShared } from "../sys/modes.ts";
import { lockPathOf } from "./paths.ts";
import { acquisitionOf, readRecord } from "./record.ts";

/**
 * Removes a lock file that its creator cannot fill, unless another process replaced it, and closes it.
 */
export function discardFile(path: string, file: OpenFile): void {
  try {
    if (sys.lstat(path)?.id === file.info().id) sys.removeFile(path);
  } finally {
    file.close();
  }
}

/**
 * Opens an existing lock file; undefined if it is gone. Throws `IO_ERROR` for a symlink, a folder
 * or the like in its place, and for the file of another user, where users do not share.
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

/** The owner of a lock, as its file says; undefined where that cannot be read. */
export function holderOf(path: string): LockHolder | undefined {
  let file: OpenFile | undefined;
  try {
    file = openLockFile(lockPathOf(path));
    const record = file && readRecord(file);
    return record && acquisitionOf(record);
  } catch {
    return undefined; // the caller reports a failure already
  } finally {
    file?.close();
  }
}

/** To see that its owner died, and to replace it, a file of another user need not be written. */
function openAsUser(path: string, { uid }: FileInfo): OpenFile | undefined {
  try {
    return sys.openFile(path);
  } catch (error) {
    if (!isDenied(error)) throw error;
    if (isShared()) return openToRead(path);
    throw new AgentxError("IO_ERROR", `Cannot lock "${path}": it belongs to user ${uid} (EACCES)`, {
      details: { operation: "lock", path, errno: "EACCES" },
      next: `Wait for that user; to share the folder, ${TO_SHARE}`,
      cause: error,
    });
  }
}

/** Undefined also before its creator has opened it to the group: it is looked at again. */
function openToRead(path: string): OpenFile | undefined {
  try {
    return sys.openFile(path, { isReadOnly: true });
  } catch (error) {
    if (!isDenied(error)) throw error;
    return undefined;
  }
}

function isDenied(error: unknown): boolean {
  return hasCode(error, "IO_ERROR") && error.details.errno === "EACCES";
}
