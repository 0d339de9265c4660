// Reports changes on disk. When the system reports an event, the files of the state are checked, because somebody may
// also edit them by hand. They are also checked at intervals, because the system does not report events for every disk.
// Without a listener, nothing is checked.

import { AgentxError } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { watchFolder } from "../sys/watch.ts";

/** Time to wait after an event, because one command causes several. */
const SETTLE_MS = 100;

/** Interval of checks, if the system reports events (`told`) or does not (`untold`). */
const POLL_MS = { told: 10_000, untold: 600 };

/** Maximum time without a new summary, because the passing of time alone changes it. */
const TURN_MS = 30_000;

/** The files to watch. */
export interface ChangesOptions {
  /** The folder that contains all the files. */
  folder: string;
  /** Returns a text that differs when the files differ. */
  stamp: () => string;
  /** Returns the line that listeners get after a change. */
  summary: () => Promise<string>;
}

/** Watches one workspace for any number of listeners. */
export class Changes {
  readonly #options: ChangesOptions;
  readonly #listeners = new Set<(summary: string) => void>();
  #last = "";
  #told = "";
  #stop = () => {};

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /**
   * Adds a listener, and calls it with the current summary. If that fails, the listener is not added. Returns a
   * function that removes the listener.
   */
  async listen(listener: (summary: string) => void): Promise<() => void> {
    const before = this.#stamp();
    const first = await this.#options.summary();
    listener(first);
    this.#last = before; // a change after this stamp will be reported
    if (this.#listeners.size === 0) {
      this.#told = first;
      this.#follow();
    }
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  async #follow(): Promise<void> {
    const { folder, summary } = this.#options;
    const ended = new AbortController();
    this.#stop = () => ended.abort();
    let told = new AbortController();
    const unwatch = await watchFolder(folder, () => told.abort());
    let lookedMs = sys.now();
    const pollMs = unwatch === undefined ? POLL_MS.untold : POLL_MS.told;
    while (!ended.signal.aborted) {
      await sys.wait(pollMs, AbortSignal.any([ended.signal, told.signal])).catch(() => {});
      if (told.signal.aborted) await sys.wait(SETTLE_MS, ended.signal).catch(() => {});
      told = new AbortController();
      const now = this.#stamp();
      const isSame = now === this.#last;
      if (ended.signal.aborted || isSame && sys.now() - lookedMs < TURN_MS) continue;
      [this.#last, lookedMs] = [now, sys.now()];
      try {
        const text = await summary();
        if (isSame && text === this.#told) continue;
        this.#told = text;
        for (const listener of this.#listeners) listener(text);
      } catch (error) {
        if (!(error instanceof AgentxError) && !ended.signal.aborted) throw error;
        this.#last = ""; // another process holds a lock; the next round tries again
      }
    }
    unwatch?.();
  }

  /** Returns the stamp of the files. For an unreadable folder, that is the error; the views report it. */
  #stamp(): string {
    try {
      return this.#options.stamp();
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      return error.message;
    }
  }
}
