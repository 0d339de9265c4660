// A command's access to the outside: its streams, its terminal, its environment.

import type { LanguageModel } from "../agents/language_model.ts";
import { type KeyPress, sys } from "../sys/mod.ts";
import { program } from "../sys/program.ts";
import { makeStyle, type Style } from "../text/style.ts";
import type { RenderView } from "../text/view.ts";
import type { FoundSurface } from "../who/surface.ts";

/** The streams and the terminal of one call of the program. */
export interface Io {
  /** Writes to standard output, which carries only the result; returns false if nobody reads it. */
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
  /** The current width of the terminal; 80 without a terminal, or if its width is unknown. */
  readonly columns: number;
  /** An environment variable. */
  readonly env: (name: string) => string | undefined;
  /** The surface that started a board or an editor. It determines which decisions that board or editor may make. */
  readonly startedAt?: FoundSurface;
  /** The model of a program that runs commands, such as an editor. */
  readonly model?: LanguageModel;
  /** Stops the running command, as Ctrl-C does at a terminal. */
  readonly signal?: AbortSignal;
  /**
   * Starts this program with other arguments, as a process that outlives this one. If absent, no process is started.
   */
  startAgain?(argv: readonly string[]): void;
  /** Ends the program at once, for the second Ctrl-C. */
  exit(code: number): void;
}

/**
 * Returns the streams of this process. `blocks` is for a program that does nothing else while it reads, see
 * {@linkcode System.readStdin}.
 */
export function realIo({ blocks = false } = {}): Io {
  return {
    stdout: (text) => sys.writeStdout(text),
    stderr: (text) => sys.writeStderr(text),
    readStdin() {
      const isTyped = sys.isTerminal("stdin");
      if (isTyped) {
        sys.writeStderr("note: reading from this terminal; end the text with Ctrl-D\n");
      }
      return sys.readStdin({ blocks: blocks && !isTyped });
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

/** Minimum width for output. A narrower terminal wraps the lines itself. */
const MIN_COLUMNS = 40;

/** Returns how to draw text for people on a stream. */
export function viewOf(io: Io, stream: "stdout" | "stderr"): RenderView {
  const width = Math.max(MIN_COLUMNS, io.columns);
  return { style: styleFor(io, stream), width, isPiped: !io.isTerminal[stream] };
}

/**
 * Returns the style for a stream: colors on a terminal, none elsewhere. `NO_COLOR` turns them off, `FORCE_COLOR` turns
 * them on; if both are set, `NO_COLOR` wins.
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
