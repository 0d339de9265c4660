// The streams as a command gets them: Ctrl-C ends the wait for input, and secrets are removed from standard error.

import { withoutSecrets } from "../redact/border.ts";
import { mayHoldSecret } from "../redact/hint.ts";
import type { KeyPress } from "../sys/mod.ts";
import type { Io } from "./io.ts";

// deno-lint-ignore no-control-regex -- an escape sequence of agentx begins with a control character
const STYLE = /\x1b\[\d{1,2}m/g;

/** The streams of one run of a command. */
export class ContextIo implements Io {
  readonly #io: Io;
  readonly #signal: AbortSignal;
  #pending: Promise<void> | undefined;
  readonly env: Io["env"] = (name) => this.#io.env(name);

  constructor(io: Io, signal: AbortSignal) {
    this.#io = io;
    this.#signal = signal;
  }

  get isTerminal(): Io["isTerminal"] {
    return this.#io.isTerminal;
  }

  get model(): Io["model"] {
    return this.#io.model;
  }

  get startedAt(): Io["startedAt"] {
    return this.#io.startedAt;
  }

  get startAgain(): Io["startAgain"] {
    return this.#io.startAgain;
  }

  get columns(): number {
    return this.#io.columns;
  }

  stdout(text: string): boolean {
    return this.#io.stdout(text);
  }

  /** Writes text. If it may contain a secret, it waits until the rules are loaded, and so does all later text. */
  stderr(text: string): void {
    if (this.#pending === undefined && !mayHoldSecret(text.replaceAll(STYLE, ""))) {
      return this.#io.stderr(text);
    }
    const write = async () => this.#io.stderr(await withoutSecrets(text));
    this.#pending = (this.#pending ?? Promise.resolve()).then(write);
  }

  async flush(): Promise<void> {
    await this.#pending;
  }

  readStdin(): Promise<string> {
    return this.#untilStopped(() => this.#io.readStdin());
  }

  /** Writes the pending question first, then waits for its answer. */
  async readLine(): Promise<string> {
    await this.flush();
    return await this.#untilStopped(() => this.#io.readLine());
  }

  readKey(): KeyPress {
    return this.#io.readKey();
  }

  exit(code: number): void {
    this.#io.exit(code);
  }

  /**
   * Waits for input until the command is stopped. If the terminal closes, the command stops; the empty line that the
   * read then returns does not count as an answer.
   */
  async #untilStopped(read: () => Promise<string>): Promise<string> {
    const signal = this.#signal;
    signal.throwIfAborted();
    const stopped = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    return await Promise.race([read(), stopped]);
  }
}
