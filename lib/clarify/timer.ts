/**
 * A wait that a signal ends.
 *
 * @module
 */

import { pause } from "../pause.ts";

/**
 * @param ms how long
 * @param signal ends it: the wait rejects with its reason
 */
export async function timer(ms: number, signal?: AbortSignal): Promise<void> {
  await pause(ms, signal);
  signal?.throwIfAborted();
}
