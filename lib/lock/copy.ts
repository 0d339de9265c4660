// Keeps a copy of the last text of a file with data that cannot be derived again. Another program may truncate or
// overwrite the file.

import { tryParseJson } from "../base/checks.ts";
import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { commitFile } from "./commit.ts";
import type { LockHandle } from "./held_lock.ts";
import type { FileLockManager } from "./lock_manager.ts";

/** Returns the path of the copy of a file. */
export function copyPathOf(path: string): string {
  return `${path}.copy`;
}

/** Copies the text. A failure is ignored, since the file itself was written. */
export function keepCopy(lock: LockHandle, path: string, text: string, mode?: number): void {
  const how = { fsync: false, lockedPath: path, mode };
  orElse(undefined, () => commitFile(lock, copyPathOf(path), text, how));
}

/** A damaged file and the copy that replaced it. */
export interface Restored {
  damaged: string;
  copy: string;
  /** Time of the copy, in milliseconds since the epoch. */
  copiedMs: number;
}

/**
 * Replaces a damaged file with its copy and keeps the damaged text as `.damaged`. Returns undefined without a usable
 * copy.
 */
export async function restoreCopy(
  path: string,
  agent: string,
  locks: FileLockManager,
): Promise<Restored | undefined> {
  return await locks.withSafeLock(path, agent, (lock) => {
    const info = sys.lstat(copyPathOf(path));
    const [damaged, copy] = [path, copyPathOf(path)].map((each) => sys.readTextFile(each));
    if (info === undefined || damaged === undefined || copy === undefined) return;
    if (tryParseJson(copy) === undefined) return; // the copy is damaged as well: both stay as they are
    commitFile(lock, `${path}.damaged`, damaged, {
      fsync: true,
      lockedPath: path,
      mode: info.mode,
    });
    commitFile(lock, path, copy, { fsync: true, mode: info.mode });
    return { damaged, copy, copiedMs: info.modifiedMs };
  });
}
