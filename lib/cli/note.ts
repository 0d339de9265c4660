// Notes on standard error. A wait of more than two seconds is never silent: it is announced once, also in a pipe; a
// terminal shows the elapsed time.

import { type AgentxError, EXIT_CODES } from "../base/errors.ts";
import type { Mark } from "../text/style.ts";
import { terminalBlock, terminalLine } from "../text/text.ts";
import { type Io, viewOf } from "./io.ts";

const SILENT_MS = 2_000;

const TICK_MS = 1_000;

/** Writes a note, which is neither a result nor an error. It may quote untrusted text. */
export function note(io: Io, message: string): void {
  io.stderr(`${paragraph(io, message, "note:", "dim").join("\n")}\n`);
}

/**
 * Makes text of any origin safe for standard error. Indents the lines behind a label; at a terminal, breaks lines
 * between words, elsewhere returns one line.
 */
export function paragraph(io: Io, text: string, label = "", mark: Mark = "dim"): string[] {
  const { style, width, isPiped } = viewOf(io, "stderr");
  const indent = " ".repeat(Math.max(label.length, 1) + 1);
  const block = { indent, width: isPiped ? Infinity : width };
  const [first, ...rest] = terminalBlock(terminalLine(text), block);
  return [label === "" ? first : style[mark](label) + first.slice(label.length), ...rest];
}

/** Writes a note for each problem: what could not be read, and what to do about it. Returns the exit code. */
export function noteProblems(io: Io, problems: readonly AgentxError[]): number {
  for (const { oneLine } of problems) note(io, oneLine);
  return problems.length > 0 ? EXIT_CODES.CORRUPT_STATE : 0;
}

/** Announces a wait, unless the returned function is called first. */
export function announceWait(io: Io, message: string): () => void {
  const timer = setTimeout(() => note(io, message), SILENT_MS);
  return () => clearTimeout(timer);
}

/**
 * Shows how long a wait has taken. The cursor stays at the start of the line, so any other output overwrites the time.
 * Returns a function that stops it.
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
