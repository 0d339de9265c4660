// Mutual exclusion between processes, by a lock file beside the data (SPEC-1 sections 2.6 and 4.4,
// ADR-1 decision 1).
//
// The guarantees depend on the runtimes:
// - Deno processes and workers under one kernel, in any containers: there are never two owners, even if a process is
//   killed, stopped or late, and the lock of a dead owner is free at once.
// - Node or Bun processes, which have no kernel lock: the same holds among processes that see each other's process
//   ids. A worker that is terminated inside a living process keeps its lock until the process ends.
// - Processes that cannot see each other (other hosts, other containers without a kernel lock, no `/proc`): an owner
//   counts as gone after 30 seconds without a heartbeat, as the documents say.

import { AgentxError } from "../base/errors.ts";
import type { HeldLock, LockHandle } from "./held_lock.ts";
import { LockRunner } from "./lock_runner.ts";
import type { JsonFileLockOptions } from "./options.ts";
import { type LockedFile, lockedFile } from "./paths.ts";

/** An acquired lock, with the path as the caller gave it. */
interface Acquisition {
  name: string;
  locked: LockedFile;
  lock: HeldLock;
}

/**
 * A lock file (SPEC-1 section 4.4). Where the runtime has kernel locks, a kernel lock on the file proves that the
 * owner lives.
 */
export class JsonFileLock {
  readonly #runner: LockRunner;
  /** The locks in the order of acquisition. One file has more than one entry only if a lock of it was lost. */
  readonly #acquired: Acquisition[] = [];

  /**
   * Makes a lock for any number of files.
   *
   * @throws {RangeError} if a number is negative or `NaN`
   */
  constructor(options: JsonFileLockOptions = {}) {
    this.#runner = new LockRunner(options);
  }

  /**
   * Waits for the lock of a file. The lock file is `{filePath}.lock`. Waiters see `agent` as the holder.
   *
   * @throws {AgentxError} `LOCK_TIMEOUT` with the holder; `IO_ERROR`
   */
  async acquire(filePath: string, agent: string): Promise<true> {
    const locked = lockedFile(filePath);
    const lock = await this.#runner.acquire(locked, agent);
    this.#acquired.push({ name: filePath, locked, lock });
    return true;
  }

  /**
   * Frees the lock of a file.
   *
   * @throws {AgentxError} `LOCK_LOST`; the lock of another owner is left alone
   */
  // deno-lint-ignore require-await -- the specification's signature: failures are rejections
  async release(filePath: string): Promise<void> {
    const index = this.#find(filePath);
    if (index === -1) throw notHeld(filePath);
    const [{ locked, lock }] = this.#acquired.splice(index, 1);
    this.#runner.release(locked, lock);
  }

  /**
   * Returns the index of a lock: by the caller's path, even if the current folder has changed; else by the resolved
   * path.
   */
  #find(filePath: string): number {
    const index = this.#acquired.findIndex(({ name }) => name === filePath);
    if (index !== -1) return index;
    const { path } = lockedFile(filePath);
    return this.#acquired.findIndex(({ locked }) => locked.path === path);
  }

  /**
   * Runs a function while a file is locked. The function calls `lock.verify()` right before it writes.
   *
   * @throws {AgentxError} `LOCK_TIMEOUT`; `LOCK_LOST` if the lock was gone when `fn` had finished
   */
  async withLock<T>(
    filePath: string,
    agent: string,
    fn: (lock: LockHandle) => T | Promise<T>,
  ): Promise<T> {
    return await this.#runner.run(lockedFile(filePath), agent, fn, performance.now());
  }
}

function notHeld(path: string): AgentxError<"LOCK_LOST"> {
  return new AgentxError(
    "LOCK_LOST",
    `Cannot release the lock of "${path}": this object does not hold it`,
    {
      details: { path },
      next: "Release a lock once, through the object that acquired it",
    },
  );
}
