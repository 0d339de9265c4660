/**
 * Progress of a call that waits: hosts give up on one that says nothing.
 *
 * @module
 */

import type { Caller } from "./caller.ts";
import { inert } from "./inert.ts";

const EVERY_MS = 2_000;

/**
 * @param caller who is told
 * @param totalMs how long the wait takes at most
 * @param about what is waited for
 * @returns how to stop
 */
export function showProgress(caller: Caller, totalMs: number, about: () => string): () => void {
  const startMs = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startMs) / 1_000);
    caller.progress(seconds, totalMs / 1_000, inert(about()));
  }, EVERY_MS);
  return () => clearInterval(timer);
}
