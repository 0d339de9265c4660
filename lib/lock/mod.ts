// Files that many processes share safely: the lock and the files built on it.

export { AsyncMutex } from "./mutex.ts";
export type { MutexOptions, Release } from "./mutex.ts";
export { JsonFileLock } from "./file_lock.ts";
export type { LockHandle } from "./held_lock.ts";
export type { JsonFileLockOptions, LockEvent } from "./options.ts";
export { FileLockManager } from "./lock_manager.ts";
export type { LockHolder } from "../base/errors.ts";
export { JsonFile } from "./json_file.ts";
export type { JsonFileOptions, JsonFormat } from "./json_file.ts";
