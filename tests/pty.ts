/**
 * A program at a pseudo-terminal: what it prints there, keys that are pressed, and the terminal's end.
 *
 * @module
 */

import { assert } from "@std/assert";
import { isInstalled } from "./installed_package.ts";

/**
 * Runs a program behind a terminal of 80 columns; its standard input is what is typed there. As an orphan,
 * as the server of a terminal is: an agent that runs the tests is no ancestor of the program.
 */
const RELAY = `
import fcntl, os, pty, select, signal, struct, sys, termios
ended, ends = os.pipe()
if os.fork():
    os.close(ends)
    sys.exit((os.read(ended, 1) or b"\\x7f")[0])
os.setsid()
if os.fork():
    os._exit(0)
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
typed = sys.stdin.fileno()
sources = [terminal, typed]
while terminal in sources:
    for source in select.select(sources, [], [])[0]:
        try:
            data = os.read(source, 65536)
        except OSError:
            data = b""
        if source == terminal:
            if data:
                os.write(1, data)
            else:
                sources = []
        elif data:
            os.write(terminal, data)
        else:
            os.close(terminal)
            sources = []
os.write(ends, bytes([os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 255]))
`;

/** A test that needs a terminal; ignored, and named, where there is no Python to make one. */
export function terminalTest(name: string, fn: (test: Deno.TestContext) => Promise<void>): void {
  Deno.test({ name, ignore: !HAS_PYTHON, fn });
}

const HAS_PYTHON = await isInstalled("python3");

/** A program and the terminal that it runs at. */
export class Pty implements AsyncDisposable {
  /** All that was printed so far. */
  out = "";
  readonly #child: Deno.ChildProcess;
  readonly #keys: WritableStreamDefaultWriter<Uint8Array>;
  readonly #read: Promise<void>;
  #isClosed = false;

  /** Starts a program, in an environment without an agent. */
  constructor(argv: readonly string[], { cwd, env }: { cwd: string; env: Record<string, string> }) {
    this.#child = new Deno.Command("python3", {
      args: ["-c", RELAY, ...argv],
      cwd,
      clearEnv: true,
      env: { TERM: "xterm", ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#keys = this.#child.stdin.getWriter();
    this.#read = this.#collect();
  }

  /** Waits until something is printed, and fails after so many milliseconds. */
  async shows(text: string | RegExp, waitMs = 30_000): Promise<void> {
    const endMs = performance.now() + waitMs;
    const isThere = () => typeof text === "string" ? this.out.includes(text) : text.test(this.out);
    while (!isThere()) {
      assert(performance.now() < endMs, `it never showed ${text}: ${this.out}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Presses keys. */
  async type(keys: string): Promise<void> {
    await this.#keys.write(new TextEncoder().encode(keys));
  }

  /** Closes the terminal, as a window that is closed does. */
  async hangUp(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#keys.close().catch(() => {}); // the program has ended
  }

  /** Waits for the end of the program. */
  async ended(): Promise<number> {
    const { code } = await this.#child.status;
    await this.#read;
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.hangUp();
    await this.ended();
  }

  async #collect(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.#child.stdout) {
      this.out += decoder.decode(chunk, { stream: true });
    }
  }
}
