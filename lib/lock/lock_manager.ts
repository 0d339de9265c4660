/**
 * Both locks in the right order: first come, first served inside the process, then the lock file.
 *
 * @module
 */

import { AgentxError } from "../errors.ts";
import type { TaskLocal } from "../sys/task_local.ts";
import type { LockHandle } from "./held_lock.ts";
import { LazyRunner } from "./lazy_runner.ts";
import { AsyncMutex } from "./mutex.ts";
import type { JsonFileLockOptions } from "./options.ts";
import { type LockedFile, lockedFile } from "./paths.ts";

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
  readonly #runner: LazyRunner;
  readonly #processMutex = new AsyncMutex();
  readonly #maxWaitMs: number;

  /**
   * Makes the locks of a process.
   *
   * @param options of the {@linkcode JsonFileLock} underneath
   * @throws {RangeError} if a number is negative or `NaN`
   */
  constructor(options: JsonFileLockOptions = {}) {
    this.#runner = new LazyRunner(options);
    this.#maxWaitMs = options.maxWaitMs ?? 5_000;
  }

  /**
   * Runs a function while a file is locked.
   *
   * @param filePath the file to lock
   * @param agent who asks; shown to those who wait
   * @param fn runs while both locks are held; `lock.verify()` proves it before a write. It must not
   *   wait for an agent, the network or a person
   * @returns what `fn` returns
   * @throws {AgentxError} `LOCK_TIMEOUT`, `LOCK_LOST`; `LOCK_REENTRANT` if the task already holds it
   */
  async withSafeLock<T>(
    filePath: string,
    agent: string,
    fn: (lock: LockHandle) => T | Promise<T>,
  ): Promise<T> {
    const tasks = lockOfTask ??= await (loading ??= loadTasks());
    const locked = lockedFile(filePath);
    refuseNested(locked);
    const held: TaskLock = { path: locked.path, isHeld: true, outer: tasks.getStore() };
    try {
      const work = (lock: LockHandle) => tasks.run(held, () => fn(lock));
      return await this.#run(locked, agent, work, performance.now());
    } finally {
      held.isHeld = false;
    }
  }

  /**
   * As {@linkcode FileLockManager.withSafeLock}, for a caller that cannot nest: `fn` starts nothing
   * that locks. It is cheaper at the start of a process.
   *
   * @param filePath the file to lock
   * @param agent who asks; shown to those who wait
   * @param fn runs while both locks are held
   * @param sinceMs when the wait began, on the monotonic clock
   */
  async exclusive<T>(
    filePath: string,
    agent: string,
    fn: (lock: LockHandle) => T | Promise<T>,
    sinceMs: number = performance.now(),
  ): Promise<T> {
    return await this.#run(lockedFile(filePath), agent, fn, sinceMs);
  }

  async #run<T>(
    locked: LockedFile,
    agent: string,
    fn: (lock: LockHandle) => T | Promise<T>,
    sinceMs: number,
  ): Promise<T> {
    const leave = this.#processMutex.tryAcquire(locked.path) ??
      await this.#processMutex.acquire(locked.path, {
        maxWaitMs: Math.max(0, this.#maxWaitMs - (performance.now() - sinceMs)),
      });
    if (leave === undefined) {
      const waitedMs = performance.now() - sinceMs;
      const [{ lockTimeout }, { holderOf }] = await Promise.all([
        import("./backoff.ts"),
        import("./lock_file.ts"),
      ]);
      throw lockTimeout(locked.name, waitedMs, holderOf(locked.path));
    }
    try {
      const runner = this.#runner.current ?? await this.#runner.load();
      return await runner.run(locked, agent, fn, sinceMs);
    } finally {
      leave();
    }
  }

  /**
   * Throws if the calling task would wait for itself.
   *
   * @param filePath a file that is about to be locked
   * @throws {AgentxError} `LOCK_REENTRANT` if the calling task already holds its lock
   */
  refuseNested(filePath: string): void {
    if (lockOfTask?.getStore() !== undefined) refuseNested(lockedFile(filePath));
  }
}

async function loadTasks(): Promise<TaskLocal<TaskLock>> {
  try {
    const { taskLocal } = await import("../sys/task_local.ts");
    return await taskLocal();
  } catch (error) {
    loading = undefined; // the next lock tries again
    throw error;
  }
}

function refuseNested({ name, path }: LockedFile): void {
  let lock = lockOfTask?.getStore();
  while (lock !== undefined && !(lock.isHeld && lock.path === path)) lock = lock.outer;
  if (lock === undefined) return;
  throw new AgentxError("LOCK_REENTRANT", `Cannot lock "${name}": this task already holds it`, {
    details: { path: name },
    next: "Make the inner change under the lock already held, or after releasing it",
  });
}
