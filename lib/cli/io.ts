// What a command sees of the world outside: its streams, its terminal, its environment.

import { type KeyPress, sys } from "../sys/mod.ts";
import { program } from "../sys/program.ts";
import { makeStyle, type Style } from "../text/style.ts";
import type { RenderView } from "../text/view.ts";
import type { FoundSurface } from "../who/surface.ts";

/** The streams and the terminal of one call of the program. */
export interface Io {
  /** Writes to standard output, which carries the result and nothing else; false if nobody reads it. */
  stdout(text: string): boolean;
  /** Writes to standard error, which carries everything else. */
  stderr(text: string): void;
  /** Reads standard input to its end. */
  readStdin(): Promise<string>;
  /** Reads one line of standard input. */
  readLine(): Promise<string>;
  /** Waits for a key of the terminal. */
  readKey(): KeyPress;
  /** Which streams are a terminal. */
  readonly isTerminal: Readonly<Record<"stdin" | "stdout" | "stderr", boolean>>;
  /** Width of the terminal as it is now; 80 where there is none, or where it does not know. */
  readonly columns: number;
  /** An environment variable. */
  readonly env: (name: string) => string | undefined;
  /** Of a board: where it was started, which says what may be decided there. */
  readonly startedAt?: FoundSurface;
  /** Starts this program with other arguments, as a process that outlives this one; left out, none is. */
  startAgain?(argv: readonly string[]): void;
  /** Ends the program at once: the second Ctrl-C. */
  exit(code: number): void;
}

export function realIo(): Io {
  return {
    stdout: (text) => sys.writeStdout(text),
    stderr: (text) => sys.writeStderr(text),
    readStdin() {
      if (sys.isTerminal("stdin")) {
        sys.writeStderr("note: reading from this terminal; end the text with Ctrl-D\n");
      }
      return sys.readStdin();
    },
    readLine: () => sys.readLine(),
    readKey: () => sys.readKey(),
    isTerminal: {
      stdin: sys.isTerminal("stdin"),
      stdout: sys.isTerminal("stdout"),
      stderr: sys.isTerminal("stderr"),
    },
    get columns() {
      return sys.columns() || 80;
    },
    env: (name) => sys.env(name),
    startAgain: (argv) => sys.startDetached([...program.commandLine, ...argv]),
    exit: (code) => program.exit(code),
  };
}

/** A narrower terminal gets lines that it breaks itself. */
const MIN_COLUMNS = 40;

/** How text for people is drawn on a stream. */
export function viewOf(io: Io, stream: "stdout" | "stderr"): RenderView {
  const width = Math.max(MIN_COLUMNS, io.columns);
  return { style: styleFor(io, stream), width, isPiped: !io.isTerminal[stream] };
}

/**
 * The marks that suit a stream: real ones on a terminal, none elsewhere. `NO_COLOR` turns them off,
 * `FORCE_COLOR` turns them on, and where both are set `NO_COLOR` wins.
 */
function styleFor(io: Io, stream: "stdout" | "stderr"): Style {
  return makeStyle(wantsColour(io, stream));
}

function wantsColour(io: Io, stream: "stdout" | "stderr"): boolean {
  if (io.env("NO_COLOR")) return false;
  const force = io.env("FORCE_COLOR");
  if (force) return force !== "0" && force !== "false";
  return io.isTerminal[stream] && io.env("TERM") !== "dumb";
}
