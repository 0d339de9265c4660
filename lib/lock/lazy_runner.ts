/**
 * The machinery of a lock, loaded when something is locked for the first time: what only reads, such as
 * a listing, starts without it.
 *
 * @module
 */

import type { LockRunner } from "./lock_runner.ts";
import { checkLockOptions, type JsonFileLockOptions } from "./options.ts";

/** A {@linkcode LockRunner} that is made when it is needed. */
export class LazyRunner {
  /** Undefined before the first {@linkcode LazyRunner.load}. */
  current: LockRunner | undefined;
  readonly #options: JsonFileLockOptions;

  /**
   * @param options of the lock
   * @throws {RangeError} if a number is negative or `NaN`
   */
  constructor(options: JsonFileLockOptions) {
    checkLockOptions(options);
    this.#options = { ...options };
  }

  /** @returns the one runner of this object */
  async load(): Promise<LockRunner> {
    const { LockRunner } = await import("./lock_runner.ts");
    return this.current ??= new LockRunner(this.#options);
  }
}
