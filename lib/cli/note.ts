/**
 * What is said on standard error besides failures. Nothing waits in silence: a wait of more than two
 * seconds says so once, also in a pipe; on a terminal the time goes on.
 *
 * @module
 */

import { type AgentxError, EXIT_CODES } from "../errors.ts";
import { terminalLine } from "../text/text.ts";
import { type Io, styleFor } from "./io.ts";

const SILENT_MS = 2_000;

const TICK_MS = 1_000;

/** Says something on standard error that is neither result nor failure; it may quote anybody. */
export function note(io: Io, message: string): void {
  io.stderr(`${styleFor(io, "stderr").dim("note:")} ${terminalLine(message)}\n`);
}

/**
 * Names what could not be read and was left out, with what to do about it.
 *
 * @returns the exit code that tells of it
 */
export function noteProblems(io: Io, problems: readonly AgentxError[]): number {
  for (const { oneLine } of problems) note(io, oneLine);
  return problems.length > 0 ? EXIT_CODES.CORRUPT_STATE : 0;
}

/** @returns how to end the wait */
export function announceWait(io: Io, message: string): () => void {
  const timer = setTimeout(() => note(io, message), SILENT_MS);
  return () => clearTimeout(timer);
}

/**
 * Shows how long a wait has taken. The cursor stays at the start of the line, so that whatever is said
 * meanwhile takes its place.
 */
export function showElapsed(io: Io, who: string): () => void {
  if (!io.isTerminal.stderr) {
    return announceWait(io, `still waiting for ${who} after ${SILENT_MS / 1_000} s`);
  }
  const startMs = performance.now();
  let shown = "";
  const timer = setInterval(() => {
    shown = `  ${Math.trunc((performance.now() - startMs) / 1_000)} s`;
    io.stderr(`${shown}\r`);
  }, TICK_MS);
  return () => {
    clearInterval(timer);
    if (shown !== "") io.stderr(`${" ".repeat(shown.length)}\r`);
  };
}
