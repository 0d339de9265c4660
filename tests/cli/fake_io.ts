/**
 * Streams that remember what was written to them.
 *
 * @module
 */

import type { Io } from "../../lib/cli/io.ts";
import type { KeyPress } from "../../lib/sys/mod.ts";

/** Options of {@linkcode FakeIo}. */
export interface FakeIoOptions {
  /**
   * What standard input holds.
   *
   * @default {""}
   */
  stdin?: string;
  /**
   * Whether anybody reads standard output.
   *
   * @default {true}
   */
  isRead?: boolean;
  /**
   * Whether the three streams are a terminal.
   *
   * @default {false}
   */
  terminal?: boolean;
  /**
   * The environment.
   *
   * @default {{}}
   */
  env?: Record<string, string>;
  /**
   * Width of the terminal.
   *
   * @default {80}
   */
  columns?: number;
}

/** An {@linkcode Io} for tests. */
export class FakeIo implements Io {
  /** Everything written to standard output. */
  out = "";
  /** Everything written to standard error. */
  err = "";
  /** How often standard input was read. */
  stdinReads = 0;
  /** What {@linkcode FakeIo.exit} was given; undefined until then. */
  exited: number | undefined;
  readonly isTerminal: Io["isTerminal"];
  columns: number;
  readonly #stdin: string;
  readonly #lines: string[];
  readonly #isRead: boolean;
  readonly #env: Record<string, string>;

  constructor(
    { stdin = "", isRead = true, terminal = false, env = {}, columns = 80 }: FakeIoOptions = {},
  ) {
    this.columns = columns;
    this.#stdin = stdin;
    this.#lines = stdin.split("\n");
    this.#isRead = isRead;
    this.#env = env;
    this.isTerminal = { stdin: terminal, stdout: terminal, stderr: terminal };
  }

  stdout(text: string): boolean {
    this.out += text;
    return this.#isRead;
  }

  stderr(text: string): void {
    this.err += text;
  }

  readStdin(): Promise<string> {
    this.stdinReads++;
    return Promise.resolve(this.#stdin);
  }

  readLine(): Promise<string> {
    return Promise.resolve(this.#lines.shift() ?? "");
  }

  /** Nobody types. */
  readKey(): KeyPress {
    return { key: Promise.resolve(null), stop() {} };
  }

  readonly env = (name: string): string | undefined => this.#env[name];

  exit(code: number): void {
    this.exited = code;
  }
}
