// The streams of a command that the board runs. Its output is kept for the page. If the command asks a person a
// question, the page answers it.

import type { Io } from "../cli/io.ts";
import { type KeyPress, sys } from "../sys/mod.ts";
import type { FoundSurface } from "../who/surface.ts";

/** The streams of one command. */
export class BoardIo implements Io {
  readonly isTerminal: Io["isTerminal"] = { stdin: false, stdout: false, stderr: false };
  readonly columns = 100;
  readonly startedAt: FoundSurface;
  readonly env: Io["env"] = (name) => name === "NO_COLOR" ? "1" : sys.env(name);
  readonly #ask: (said: string) => Promise<string>;
  #out = "";
  #err = "";

  /**
   * @param startedAt the surface that started the board
   * @param ask shows the output so far, and returns the person's line
   */
  constructor(startedAt: FoundSurface, ask: (said: string) => Promise<string>) {
    this.startedAt = startedAt;
    this.#ask = ask;
  }

  /** Returns the output and the messages since the last call, and clears them. */
  taken(): { result: string; said: string } {
    const taken = { result: this.#out.trim(), said: this.#err.trim() };
    [this.#out, this.#err] = ["", ""];
    return taken;
  }

  stdout(text: string): boolean {
    this.#out += text;
    return true;
  }

  stderr(text: string): void {
    this.#err += text;
  }

  /** Returns an empty text, because a page has no standard input. */
  readStdin(): Promise<string> {
    return Promise.resolve("");
  }

  readLine(): Promise<string> {
    return this.#ask(this.taken().said);
  }

  readKey(): KeyPress {
    return { key: Promise.resolve(null), stop() {} };
  }

  exit(): void {}
}
