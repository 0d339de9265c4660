/**
 * Both locks in the right order: first come, first served inside the process, then the lock file.
 *
 * @module
 */

import { AgentxError } from "../errors.ts";
import { type TaskLocal, taskLocal } from "../sys/task_local.ts";
import { holderOf } from "./claim.ts";
import { JsonFileLock, type JsonFileLockOptions, type LockHandle } from "./file_lock.ts";
import { AsyncMutex } from "./mutex.ts";
import { lockTimeout } from "./wait.ts";

/** A lock of a task, and the locks it was taken under. */
interface TaskLock {
  path: string;
  /** A task that outlives the lock it was started under may ask for it again. */
  isHeld: boolean;
  outer: TaskLock | undefined;
}

/** What the running task has locked, shared by all managers of the process. */
let lockOfTask: TaskLocal<TaskLock> | undefined;
let loading: Promise<TaskLocal<TaskLock>> | undefined;

/**
 * Locks files for the tasks of this process against each other and against other processes
 * (SPEC-1 section 2.6).
 *
 * @example Two tasks of one process and any other process take turns
 * ```ts
 * import { FileLockManager } from "@agentx/toolkit/lock";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = Deno.makeTempDirSync();
 * const path = `${folder}/ledger.json`;
 * const locks = new FileLockManager();
 * let inside = 0;
 * const counts = await Promise.all([1, 2].map(() =>
 *   locks.withSafeLock(path, "engineer", async () => {
 *     const count = ++inside;
 *     await new Promise((resolve) => setTimeout(resolve, 1));
 *     inside--;
 *     return count;
 *   })
 * ));
 * assertEquals(counts, [1, 1]);
 * Deno.removeSync(folder, { recursive: true });
 * ```
 */
export class FileLockManager {
  readonly #fileLock: JsonFileLock;
  readonly #processMutex = new AsyncMutex();
  readonly #maxWaitMs: number;

  /**
   * Makes the locks of a process.
   *
   * @param options of the {@linkcode JsonFileLock} underneath
   */
  constructor(options: JsonFileLockOptions = {}) {
    this.#fileLock = new JsonFileLock(options);
    this.#maxWaitMs = options.maxWaitMs ?? 5_000;
  }

  /**
   * Runs a function while a file is locked.
   *
   * @param filePath the file to lock
   * @param agent who asks, for those who wait
   * @param fn runs while both locks are held; `lock.verify()` proves it before a commit. It must not
   *   wait for an agent, the network or a person
   * @returns what `fn` returns
   * @throws {AgentxError} `LOCK_TIMEOUT`, `LOCK_LOST`; `LOCK_REENTRANT` where the task has it already
   */
  async withSafeLock<T>(
    filePath: string,
    agent: string,
    fn: (lock: LockHandle) => T | Promise<T>,
  ): Promise<T> {
    const tasks = lockOfTask ??= await (loading ??= taskLocal());
    this.refuseNested(filePath);
    const held: TaskLock = { path: filePath, isHeld: true, outer: tasks.getStore() };
    try {
      return await this.exclusive(filePath, agent, (lock) => tasks.run(held, () => fn(lock)));
    } finally {
      held.isHeld = false;
    }
  }

  /**
   * As {@linkcode FileLockManager.withSafeLock}, for a caller that cannot nest: `fn` starts nothing
   * that locks. It is cheaper at the start of a process.
   *
   * @param filePath the file to lock
   * @param agent who asks, for those who wait
   * @param fn runs while both locks are held
   * @param sinceMs when the wait began, on the monotonic clock
   */
  async exclusive<T>(
    filePath: string,
    agent: string,
    fn: (lock: LockHandle) => T | Promise<T>,
    sinceMs: number = performance.now(),
  ): Promise<T> {
    const waitedMs = () => performance.now() - sinceMs;
    const leave = this.#processMutex.tryAcquire(filePath) ??
      await this.#processMutex.acquire(filePath, {
        maxWaitMs: Math.max(0, this.#maxWaitMs - waitedMs()),
      });
    if (leave === undefined) throw lockTimeout(filePath, waitedMs(), holderOf(filePath));
    try {
      return await this.#fileLock.withLock(filePath, agent, fn, sinceMs);
    } finally {
      leave();
    }
  }

  /**
   * Refuses what would wait for itself.
   *
   * @param filePath a file that is about to be locked
   * @throws {AgentxError} `LOCK_REENTRANT` if the calling task has it locked: it would wait for itself
   */
  refuseNested(filePath: string): void {
    let lock = lockOfTask?.getStore();
    while (lock !== undefined && !(lock.isHeld && lock.path === filePath)) lock = lock.outer;
    if (lock === undefined) return;
    throw new AgentxError("LOCK_REENTRANT", `Cannot lock "${filePath}": this task holds it`, {
      details: { path: filePath },
      next: "Do the inner change with the lock that is held, or after it is released",
    });
  }
}
