// How the owner of a lock replaces a file: written beside, then renamed.

import { wrongKind } from "../sys/path_guard.ts";
import { sys } from "../sys/mod.ts";
import { replaceFile } from "../sys/replace_file.ts";
import type { LockHandle } from "./held_lock.ts";
import { temporaryPath } from "./paths.ts";

export interface CommitOptions {
  /**
   * Wait until the new content is on the disk before it takes the place of the old one, and until
   * that is on the disk too.
   */
  fsync: boolean;
  /**
   * The locked file, if it is another one of the same folder. The temporary file carries its name, so the next
   * owner of the lock can remove it if this one dies.
   */
  lockedPath?: string;
  mode?: number;
}

/**
 * Replaces a file in one step; if that fails, the old one stays and nothing else is left. A link in
 * its place is not followed. Throws `LOCK_LOST`, `IO_ERROR`.
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
    lock.verify(); // a new owner removes what it finds, and a removed folder takes the lock with it
    throw error;
  }
}

/** The mode of a file that is there. */
function modeOf(path: string): number | undefined {
  const seen = sys.lstat(path);
  if (seen !== undefined && seen.kind !== "file") throw wrongKind("replace", path, seen.kind);
  return seen?.mode;
}
