// A dialog with a child process, line by line. The child stays in the process group of this program and ends with it.

import { builtin, process } from "./builtin.ts";
import { ioError } from "./io_error.ts";
import { verbatim } from "./node_run.ts";
import { OutputTail } from "./output.ts";

/** A program that answers on standard output. */
export interface Dialog {
  /** Writes a line. If the program has ended, the line is lost. */
  send(line: string): void;
  /**
   * Yields the lines of the output until the program ends. Throws `IO_ERROR` if the program cannot be started, or a
   * line is too long.
   */
  lines(): AsyncGenerator<string>;
  /** The end of the program's standard error. */
  readonly errors: string;
  /** Kills the program, and waits until it has ended. */
  end(): Promise<void>;
}

/** Maximum length of a line, in UTF-16 units. */
const MAX_LINE = 64_000_000;
const MAX_ERROR_BYTES = 64_000;

/** Starts a program with the environment of this process. */
export function startDialog([program, ...args]: readonly string[], cwd: string): Dialog {
  const { spawn } = builtin("node:child_process");
  const child = spawn(program, verbatim(args), { cwd, env: process.env, stdio: "pipe" });
  const errors = new OutputTail(MAX_ERROR_BYTES);
  let failure: Error | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve()).once("error", () => resolve());
  });
  child.on("error", (error) => failure = ioError("run", program, error));
  child.stderr.on("data", (chunk: Uint8Array) => errors.add(chunk));
  child.stdin.on("error", () => {}); // the program has ended, which its output shows
  return {
    send: (line) => void child.stdin.write(`${line}\n`),
    async *lines() {
      let begun = "";
      const decoder = new TextDecoder();
      try {
        for await (const chunk of child.stdout) {
          const parts = (begun + decoder.decode(chunk, { stream: true })).split("\n");
          begun = parts.pop()!;
          yield* parts;
          if (begun.length > MAX_LINE) throw new Error("a line is too long");
        }
      } catch (error) {
        throw failure ?? ioError("read", program, error);
      }
      if (failure !== undefined) throw failure;
    },
    get errors() {
      return errors.text;
    },
    async end() {
      child.kill("SIGKILL");
      await ended;
      // Children of the program may keep the pipes open for ever.
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
    },
  };
}
