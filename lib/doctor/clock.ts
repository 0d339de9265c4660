// Finds times in the future: ages, SLAs and the owners of locks are judged by the clock.

import { formatDuration } from "../base/time.ts";
import { type Finding, warn } from "./finding.ts";

/** The clocks of several hosts differ by less. */
const TOLERANCE_MS = 60_000;

/** A warning where the latest time that a file names, or was written at, is yet to come. */
export function fromFuture(path: string, ms: number, nowMs: number): Finding[] {
  if (!(ms - nowMs > TOLERANCE_MS)) return [];
  const message = `"${path}" is ${formatDuration(ms - nowMs)} ahead of this machine's clock`;
  return [warn("clock", message, "Set the clock of this machine, or of the one that wrote it")];
}
