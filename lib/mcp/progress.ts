// Reports the progress of a waiting call, because hosts give up on a silent one.

import type { Caller } from "./caller.ts";
import { inertJson } from "./inert.ts";

const EVERY_MS = 2_000;

/** Reports the progress of a wait; returns a function that stops it. */
export function showProgress(caller: Caller, totalMs: number, about: () => string): () => void {
  const startMs = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startMs) / 1_000);
    caller.progress(seconds, totalMs / 1_000, inertJson(about()));
  }, EVERY_MS);
  return () => clearInterval(timer);
}
