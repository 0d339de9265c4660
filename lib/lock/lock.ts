/**
 * Files that many processes share safely: one function runs under a lock, another changes a JSON file.
 *
 * @example Any number of processes change one file, one at a time
 * ```ts
 * import { lock, updateJson } from "@agentx/toolkit/lock";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = Deno.makeTempDirSync();
 * const notes = `${folder}/notes.txt`;
 * Deno.writeTextFileSync(notes, "");
 * const add = (word: string) =>
 *   lock(notes, async ({ verify }) => {
 *     const text = await Deno.readTextFile(notes);
 *     verify(); // throws if another process took the lock over
 *     await Deno.writeTextFile(notes, `${text}${word}\n`);
 *   });
 * await Promise.all([add("one"), add("two")]);
 * assertEquals(Deno.readTextFileSync(notes).split("\n").sort(), ["", "one", "two"]);
 *
 * const raise = () =>
 *   updateJson(`${folder}/counter.json`, (now) => ({ count: (now?.count ?? 0) + 1 }));
 * await Promise.all([raise(), raise()]);
 * assertEquals(await raise(), { count: 3 });
 * Deno.removeSync(folder, { recursive: true });
 * ```
 *
 * @module
 */

import type { LockHandle } from "./held_lock.ts";
import { JsonFile } from "./json_file.ts";
import { FileLockManager } from "./lock_manager.ts";

export type { LockHandle } from "./held_lock.ts";

/** Options of {@linkcode lock} and {@linkcode updateJson}. */
export interface LockOptions {
  /** The name of the agent that wants the lock. Other waiters see it. */
  agent?: string;
  /** Longest wait for the lock, in milliseconds. */
  maxWaitMs?: number;
  /** Ends the wait when it fires. */
  signal?: AbortSignal;
}

/** Callers without own wait options share this manager, so they take turns in their order of arrival. */
const shared = new FileLockManager();

/**
 * Runs a function while a file is locked against every other process, worker and task. The file need not exist. The
 * lock file is `{path}.lock`, which is removed afterwards.
 *
 * @param fn must not wait for an agent, the network or a person, because others wait for the lock
 * @returns the result of `fn`
 * @throws {AgentxError} `LOCK_TIMEOUT` with the holder; `LOCK_LOST` if the lock was lost before `fn` had finished;
 *   `LOCK_REENTRANT` if the caller already holds the lock; `INVALID_INPUT`, `IO_ERROR`
 */
export async function lock<T>(
  path: string,
  fn: (held: LockHandle) => T | Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const { agent, locks } = waiting(options);
  return await locks.withSafeLock(path, agent, (held) => {
    return fn({ token: held.token, verify: () => held.verify() });
  });
}

/**
 * Changes a JSON file under its lock: reads it again, changes it, and replaces it in one step. Neither a reader nor
 * a crash ever leaves half of a change visible.
 *
 * @throws {AgentxError} as {@linkcode lock}; `CORRUPT_STATE` if the file is not JSON; the file is not changed
 */
// deno-lint-ignore no-explicit-any -- as JSON.parse() has it, where the caller does not say
export async function updateJson<T = any>(
  path: string,
  change: (now: T | undefined) => T,
  options: LockOptions = {},
): Promise<T> {
  const { agent, locks } = waiting(options);
  return await new JsonFile<T>(path, locks).update(agent, change);
}

function waiting(
  { agent = "agent", maxWaitMs, signal }: LockOptions,
): { agent: string; locks: FileLockManager } {
  const isUsual = maxWaitMs === undefined && signal === undefined;
  return { agent, locks: isUsual ? shared : new FileLockManager({ maxWaitMs, signal }) };
}
