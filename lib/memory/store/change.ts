/**
 * How the files of memory are written: only under the lock of the store.
 *
 * @module
 */

import { hasCode } from "../../errors.ts";
import { commitFile } from "../../lock/commit.ts";
import type { LockHandle } from "../../lock/mod.ts";
import { privateModes } from "../../sys/modes.ts";
import type { ReplaceFile } from "../files.ts";

/** One change of the files, for as long as the lock is held. */
export interface StoreChange {
  /** ISO-8601: what the files say about when they were written. */
  updatedAt: string;
  /** Throws if the lock is no longer ours. */
  verify: () => void;
  /** Replaces a file in one step, and waits for the disk. */
  replaceFile: ReplaceFile;
  /** The same for a file that is not for git, also in another folder. */
  replacePrivate: ReplaceFile;
  /** Replaces a file that can be rebuilt: it does not wait for the disk, and is not for git. */
  replaceDerived: ReplaceFile;
}

/** `lockedPath` is the file whose lock is held. */
export function storeChange(lock: LockHandle, lockedPath: string, updatedAt: string): StoreChange {
  return {
    updatedAt,
    verify: () => lock.verify(),
    replaceFile: (path, content) => commitFile(lock, path, content, { fsync: true, lockedPath }),
    replacePrivate(path, content) {
      commitFile(lock, path, content, { fsync: true, mode: privateModes().file, lockedPath });
    },
    replaceDerived(path, content) {
      const mode = privateModes().file;
      commitFile(lock, path, content, { fsync: false, mode, lockedPath });
    },
  };
}

/** Tells of what a full disk or another process prevents: it can be done later. Throws the rest. */
export function tellHindered(
  what: string,
  error: unknown,
  tell: (message: string) => void,
): void {
  if (!hasCode(error, "IO_ERROR") && !hasCode(error, "LOCK_TIMEOUT")) throw error;
  tell(`${what}: ${error.oneLine}`);
}
