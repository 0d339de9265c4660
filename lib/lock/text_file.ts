/**
 * A text file of ours that is written as a whole.
 *
 * @module
 */

import { commitFile } from "./commit.ts";
import type { FileLockManager } from "./lock_manager.ts";

/** Options of {@linkcode replaceTextFile}. */
export interface ReplaceTextOptions {
  /** The agent that writes, named to those who wait. */
  agent: string;
  /** The locks of this process. */
  locks: FileLockManager;
}

/**
 * Writes a file beside and puts it in place in one step: a reader sees the old text or the new one.
 *
 * @param path where it is or will be, in an existing folder
 * @param text the whole content
 * @param options who writes
 * @throws {AgentxError} `LOCK_TIMEOUT`, `LOCK_LOST`, `IO_ERROR`; the old text stays then
 */
export async function replaceTextFile(
  path: string,
  text: string,
  { agent, locks }: ReplaceTextOptions,
): Promise<void> {
  await locks.exclusive(path, agent, (lock) => commitFile(lock, path, text, { fsync: false }));
}
