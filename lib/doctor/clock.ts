/**
 * Finds times in the future: ages, SLAs and the owners of locks are judged by the clock.
 *
 * @module
 */

import { formatDuration } from "../base/time.ts";
import { type Finding, warn } from "./finding.ts";

/** The clocks of several hosts differ by less. */
const TOLERANCE_MS = 60_000;

/**
 * @param path a file
 * @param ms the latest time that it names, or that it was written at
 * @param nowMs the time by this machine's clock
 * @returns a warning where that is yet to come
 */
export function fromFuture(path: string, ms: number, nowMs: number): Finding[] {
  if (!(ms - nowMs > TOLERANCE_MS)) return [];
  const message = `"${path}" is ${formatDuration(ms - nowMs)} ahead of this machine's clock`;
  return [warn("clock", message, "Set the clock of this machine, or of the one that wrote it")];
}
