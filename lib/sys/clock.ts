/**
 * The time and waiting, the same on every runtime.
 *
 * @module
 */

import { pause } from "../pause.ts";
import type { System } from "./system.ts";

/** The wall clock and its waits. */
export const clock: Pick<System, "now" | "wait"> = {
  now: () => Date.now(),

  async wait(ms, signal) {
    await pause(ms, signal);
    signal?.throwIfAborted();
  },
};
