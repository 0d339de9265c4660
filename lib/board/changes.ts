/**
 * Says that something has changed on disk, whoever changed it: the log is followed, and the files of the
 * state are looked at, which somebody may edit by hand. Nothing is looked at while nobody listens.
 *
 * @module
 */

import { sys } from "../sys/mod.ts";

const POLL_MS = 600;

/** What is looked at. */
export interface ChangesOptions {
  /** Tells one state of the files from another. */
  stamp: () => string;
  /** Gives what listeners are told after a change. */
  summary: () => Promise<string>;
}

/** The changes of one workspace, for any number of listeners. */
export class Changes {
  readonly #options: ChangesOptions;
  readonly #listeners = new Set<(summary: string) => void>();
  #last = "";
  #stop = () => {};

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /** @returns how to stop */
  async listen(listener: (summary: string) => void): Promise<() => void> {
    const { stamp, summary } = this.#options;
    if (this.#listeners.size === 0) {
      this.#last = stamp();
      this.#follow();
    }
    this.#listeners.add(listener);
    listener(await summary());
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  #follow(): void {
    const ended = new AbortController();
    this.#stop = () => ended.abort();
    const look = async () => {
      while (!ended.signal.aborted) {
        await sys.wait(POLL_MS, ended.signal).catch(() => {});
        const stamp = this.#options.stamp();
        if (ended.signal.aborted || stamp === this.#last) continue;
        this.#last = stamp;
        const summary = await this.#options.summary();
        for (const listener of this.#listeners) listener(summary);
      }
    };
    look();
  }
}
