// Mutual exclusion between the tasks of one process (or worker), first come, first served for each key. This module
// knows nothing of files or of other processes.

/** Hands the mutex to the next task. A second call does nothing. */
export type Release = () => void;

/** The longest delay of a timer: 24 days. A longer timer would fire at once, so a longer wait gets no timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Options of {@linkcode AsyncMutex.acquire}. */
export interface MutexOptions {
  /** Longest wait in milliseconds. */
  maxWaitMs?: number;
}

/** A first-come-first-served mutex per key (SPEC-1 section 2.6). */
export class AsyncMutex {
  /** The waiting tasks of each key that is held. */
  readonly #waiting = new Map<string, Array<() => void>>();

  /** Waits for the key without a time limit. */
  acquire(key: string, options?: { maxWaitMs?: undefined }): Promise<Release>;
  /**
   * Waits for the key, up to `maxWaitMs`.
   *
   * @returns a function that releases the key, or undefined if the wait ended first
   * @throws {RangeError} if `maxWaitMs` is negative or not a number
   */
  acquire(key: string, options?: MutexOptions): Promise<Release | undefined>;
  acquire(key: string, { maxWaitMs = Infinity }: MutexOptions = {}): Promise<Release | undefined> {
    if (!(maxWaitMs >= 0)) {
      throw new RangeError(`Cannot wait "${maxWaitMs}" ms for a mutex: it must be 0 or more`);
    }
    const queue = this.#waiting.get(key);
    if (queue === undefined) {
      this.#waiting.set(key, []);
      return Promise.resolve(this.#releaser(key));
    }
    return new Promise((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const enter = () => {
        clearTimeout(timer);
        resolve(this.#releaser(key));
      };
      queue.push(enter);
      if (maxWaitMs <= MAX_TIMER_MS) {
        timer = setTimeout(() => {
          queue.splice(queue.indexOf(enter), 1);
          resolve(undefined);
        }, maxWaitMs);
      }
    });
  }

  /** Runs a function while the key is held. */
  async withLock<T>(key: string, fn: () => T | Promise<T>): Promise<T> {
    const release = await this.acquire(key);
    try {
      return await fn();
    } finally {
      release();
    }
  }

  #releaser(key: string): Release {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = this.#waiting.get(key)?.shift();
      if (next) next();
      else this.#waiting.delete(key);
    };
  }
}
