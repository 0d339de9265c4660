// Opens and discards lock files without reading them.

import { AgentxError, hasCode, type LockHolder } from "../base/errors.ts";
import { TO_SHARE } from "../sys/io_error.ts";
import { type FileInfo, type OpenFile, sys } from "../sys/mod.ts";
import { isShared } from "../sys/modes.ts";
import { lockPathOf } from "./paths.ts";
import { acquisitionOf, readRecord } from "./record.ts";

/** Removes a lock file that its creator cannot fill, unless another process has replaced the file, and closes it. */
export function discardFile(path: string, file: OpenFile): void {
  try {
    if (sys.lstat(path)?.id === file.info().id) sys.removeFile(path);
  } finally {
    file.close();
  }
}

/**
 * Opens an existing lock file; returns undefined if it is gone. Throws `IO_ERROR` if the path is a symlink, a folder
 * or another non-file, or if the file belongs to another user and users do not share the folder.
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

/** Returns the owner that the lock file of a path names; undefined if the lock file cannot be read. */
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

/**
 * Opens a lock file, read-only if it belongs to another user of a shared folder. Reading is enough to see that its
 * owner died, and to replace it.
 */
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

/** Also returns undefined until the creator has given the group access to the file; the caller then tries again. */
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
