/**
 * The signs of life of all locks that are held through one object.
 *
 * @module
 */

import { sys } from "../sys/mod.ts";
import type { HeldLock } from "./held_lock.ts";

const HEARTBEAT_MS = 10_000;

/** One timer, which runs while there is a lock that needs it. */
export class Heartbeat {
  readonly #locks = new Set<HeldLock>();
  #stopTimer: () => void = () => {};

  /**
   * Shows that the owner of a lock lives, until the lock ends. One that is freed before the event
   * loop turns needs no sign.
   *
   * @param lock the lock
   */
  keep(lock: HeldLock): void {
    if (this.#locks.size === 0) this.#stopTimer = sys.every(HEARTBEAT_MS, () => this.#beat());
    this.#locks.add(lock);
    lock.onEnd(() => {
      this.#locks.delete(lock);
      if (this.#locks.size === 0) this.#stopTimer();
    });
  }

  #beat(): void {
    const nowMs = sys.now();
    this.#locks.forEach((lock) => lock.beat(nowMs));
  }
}
