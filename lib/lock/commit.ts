// Replaces a file on behalf of the owner of its lock: writes a temporary file, then renames it.

import { wrongKind } from "../sys/path_guard.ts";
import { sys } from "../sys/mod.ts";
import { replaceFile } from "../sys/replace_file.ts";
import type { LockHandle } from "./held_lock.ts";
import { temporaryPath } from "./paths.ts";

export interface CommitOptions {
  /**
   * Wait until the new content is on the disk before it replaces the old content, and then until the rename is on the
   * disk.
   */
  fsync: boolean;
  /**
   * The locked file, if it is another file of the same folder. The temporary file carries its name, so the next
   * owner of the lock can remove the temporary file if this owner dies.
   */
  lockedPath?: string;
  mode?: number;
}

/**
 * Replaces a file in one step. If that fails, the old file stays and no other file is left behind. A link at the
 * path is not followed. Throws `LOCK_LOST`, `IO_ERROR`.
 */
export function commitFile(
  lock: LockHandle,
  path: string,
  content: string | Uint8Array,
  { fsync, lockedPath = path, mode = modeOf(path) }: CommitOptions,
): void {
  const temporary = temporaryPath(lockedPath, lock.token);
  try {
    replaceFile(path, content, { mode, fsync, temporary, verify: () => lock.verify() });
  } catch (error) {
    lock.verify(); // a new owner or a removed folder may have caused the failure
    throw error;
  }
}

/** Returns the mode of an existing file. */
function modeOf(path: string): number | undefined {
  const seen = sys.lstat(path);
  if (seen !== undefined && seen.kind !== "file") throw wrongKind("replace", path, seen.kind);
  return seen?.mode;
}
