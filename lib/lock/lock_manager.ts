// Takes both locks in the right order: first the mutex of the process, first come, first served; then the lock file.

import { AgentxError } from "../base/errors.ts";
import { TaskLocal } from "../sys/task_local.ts";
import { lockTimeout } from "./backoff.ts";
import type { LockHandle } from "./held_lock.ts";
import { holderOf } from "./lock_file.ts";
import { LockRunner } from "./lock_runner.ts";
import { AsyncMutex } from "./mutex.ts";
import { type JsonFileLockOptions, MAX_WAIT_MS } from "./options.ts";
import { type LockedFile, lockedFile } from "./paths.ts";

/** A lock of a task, with a link to the lock that the task already held. */
interface TaskLock {
  path: string;
  /** False after the release. A task that outlives the lock under which it started may take that lock again. */
  isHeld: boolean;
  outer: TaskLock | undefined;
}

/** The locks of the running task, shared by all managers of the process. */
const lockOfTask = new TaskLocal<TaskLock>();

/**
 * Locks files for the tasks of this process against each other and against other processes
 * (SPEC-1 section 2.6).
 */
export class FileLockManager {
  readonly #runner: LockRunner;
  readonly #processMutex = new AsyncMutex();
  readonly #maxWaitMs: number;

  /** Creates a manager with the options for its locks. */
  constructor(options: JsonFileLockOptions = {}) {
    this.#runner = new LockRunner(options);
    this.#maxWaitMs = options.maxWaitMs ?? MAX_WAIT_MS;
  }

  /**
   * Runs a function while a file is locked. The function must not wait for an agent, the network or a person, and
   * calls `lock.verify()` right before it writes. Waiters see `agent` as the holder. `sinceMs` is when the wait
   * began, on the monotonic clock.
   *
   * @throws {AgentxError} `LOCK_TIMEOUT`, `LOCK_LOST`; `LOCK_REENTRANT` if the task already holds the lock
   */
  async withSafeLock<T>(
    filePath: string,
    agent: string,
    fn: (lock: LockHandle) => T | Promise<T>,
    sinceMs: number = performance.now(),
  ): Promise<T> {
    const locked = lockedFile(filePath);
    refuseNested(locked);
    const held: TaskLock = { path: locked.path, isHeld: true, outer: lockOfTask.getStore() };
    try {
      const work = (lock: LockHandle) => lockOfTask.run(held, () => fn(lock));
      return await this.#run(locked, agent, work, sinceMs);
    } finally {
      held.isHeld = false;
    }
  }

  async #run<T>(
    locked: LockedFile,
    agent: string,
    fn: (lock: LockHandle) => T | Promise<T>,
    sinceMs: number,
  ): Promise<T> {
    const leave = await this.#processMutex.acquire(locked.path, {
      maxWaitMs: Math.max(0, this.#maxWaitMs - (performance.now() - sinceMs)),
    });
    if (leave === undefined) {
      throw lockTimeout(locked.name, performance.now() - sinceMs, holderOf(locked.path));
    }
    try {
      return await this.#runner.run(locked, agent, fn, sinceMs);
    } finally {
      leave();
    }
  }

  /** Throws `LOCK_REENTRANT` if the calling task holds the lock of this file, since the task would wait for itself. */
  refuseNested(filePath: string): void {
    if (lockOfTask.getStore() !== undefined) refuseNested(lockedFile(filePath));
  }
}

function refuseNested({ name, path }: LockedFile): void {
  let lock = lockOfTask.getStore();
  while (lock !== undefined && !(lock.isHeld && lock.path === path)) lock = lock.outer;
  if (lock === undefined) return;
  throw new AgentxError("LOCK_REENTRANT", `Cannot lock "${name}": this task already holds it`, {
    details: { path: name },
    next: "Make the inner change under the lock already held, or after releasing it",
  });
}
