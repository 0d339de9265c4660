/**
 * Nothing waits in silence: a wait of more than two seconds says so once, also in a pipe.
 *
 * @module
 */

import { note } from "./execute.ts";
import type { Io } from "./io.ts";

const SILENT_MS = 2_000;

/**
 * @param io the streams
 * @param message what is waited for, one sentence without a final period
 * @returns how to end the wait
 */
export function announceWait(io: Io, message: string): () => void {
  const timer = setTimeout(() => note(io, message), SILENT_MS);
  return () => clearTimeout(timer);
}
