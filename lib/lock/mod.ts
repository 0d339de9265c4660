/**
 * Files that many processes share safely: the lock and what is built on it.
 *
 * @example A file of any format is changed by one process at a time
 * ```ts
 * import { FileLockManager } from "@agentx/toolkit/lock";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = Deno.makeTempDirSync();
 * const path = `${folder}/notes.txt`;
 * Deno.writeTextFileSync(path, "");
 * const locks = new FileLockManager();
 * const add = (agent: string) =>
 *   locks.withSafeLock(path, agent, async (lock) => {
 *     const text = await Deno.readTextFile(path);
 *     lock.verify(); // throws if another process took the lock over
 *     await Deno.writeTextFile(path, `${text}${agent}\n`);
 *   });
 * await Promise.all([add("engineer"), add("reviewer")]);
 * assertEquals(Deno.readTextFileSync(path).split("\n").sort(), ["", "engineer", "reviewer"]);
 * Deno.removeSync(folder, { recursive: true });
 * ```
 *
 * @module
 */

export { AsyncMutex } from "./mutex.ts";
export type { MutexOptions, Release } from "./mutex.ts";
export { JsonFileLock } from "./file_lock.ts";
export type { IFileLock } from "./file_lock.ts";
export type { LockHandle } from "./held_lock.ts";
export type { JsonFileLockOptions, LockEvent } from "./options.ts";
export { FileLockManager } from "./lock_manager.ts";
export type { LockHolder } from "../errors.ts";
export { JsonFile } from "./json_file.ts";
export type { JsonFileOptions, JsonFormat } from "./json_file.ts";
