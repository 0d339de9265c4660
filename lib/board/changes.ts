// Reports every change on disk. The system reports that something changed; then we look at the files of the state, which
// somebody may edit by hand. Now and then we look anyway, since the system does not report for every disk. Without a
// listener we do not look.

import { AgentxError } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { watchFolder } from "../sys/watch.ts";

/** A command causes several events, which are handled at once. */
const SETTLE_MS = 100;

/** How often the files are looked at where the system tells of changes, and where it does not. */
const POLL_MS = { told: 10_000, untold: 600 };

/** Time alone changes what waits: so often it is looked at, whatever is on disk. */
const TURN_MS = 30_000;

/** The files to look at. */
export interface ChangesOptions {
  /** The folder that all of it is below. */
  folder: string;
  /** Tells one state of the files from another. */
  stamp: () => string;
  /** The line for listeners after a change. */
  summary: () => Promise<string>;
}

/** The changes of one workspace, for any number of listeners. */
export class Changes {
  readonly #options: ChangesOptions;
  readonly #listeners = new Set<(summary: string) => void>();
  #last = "";
  #told = "";
  #stop = () => {};

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /** Returns a function that stops it. One that cannot be told the first time is not told again. */
  async listen(listener: (summary: string) => void): Promise<() => void> {
    const before = this.#stamp();
    const first = await this.#options.summary();
    listener(first);
    this.#last = before; // what changed since is told
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
        this.#last = ""; // what holds a lock for too long lets go of it
      }
    }
    unwatch?.();
  }

  /** An unreadable folder has a stamp, too: the views report it. */
  #stamp(): string {
    try {
      return this.#options.stamp();
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      return error.message;
    }
  }
}
