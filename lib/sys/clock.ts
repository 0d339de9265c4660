// The time and waiting, the same on every runtime.

import type { System } from "./system.ts";

/** The wall clock and its waits. */
export const clock: Pick<System, "now" | "wait"> = {
  now: () => Date.now(),

  async wait(ms, signal) {
    await pause(ms, signal);
    signal?.throwIfAborted();
  },
};

/** Waits, or returns at once when the signal fires or has fired. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}
