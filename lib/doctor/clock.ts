// Finds times in the future, because the clock determines ages, SLAs and the owners of locks.

import { formatDuration } from "../base/time.ts";
import { type Finding, warn } from "./finding.ts";

/** Maximum clock difference between hosts that is accepted. */
const TOLERANCE_MS = 60_000;

/**
 * Returns a warning if the latest time of a file is in the future: a time in its content, or the time of its last
 * write.
 */
export function fromFuture(path: string, ms: number, nowMs: number): Finding[] {
  if (!(ms - nowMs > TOLERANCE_MS)) return [];
  const message = `"${path}" is ${formatDuration(ms - nowMs)} ahead of this machine's clock`;
  return [warn("clock", message, "Set the clock of this machine, or of the one that wrote it")];
}
