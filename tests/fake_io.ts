/**
 * Streams that remember what was written to them.
 *
 * @module
 */

import type { Io } from "../lib/commands/io.ts";

/** Options of {@linkcode FakeIo}. */
export interface FakeIoOptions {
  /**
   * What standard input holds.
   *
   * @default {""}
   */
  stdin?: string;
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
  readonly columns: number;
  readonly #stdin: string;
  readonly #env: Record<string, string>;

  constructor({ stdin = "", terminal = false, env = {}, columns = 80 }: FakeIoOptions = {}) {
    this.columns = columns;
    this.#stdin = stdin;
    this.#env = env;
    this.isTerminal = { stdin: terminal, stdout: terminal, stderr: terminal };
  }

  stdout(text: string): void {
    this.out += text;
  }

  stderr(text: string): void {
    this.err += text;
  }

  readStdin(): Promise<string> {
    this.stdinReads++;
    return Promise.resolve(this.#stdin);
  }

  env(name: string): string | undefined {
    return this.#env[name];
  }

  exit(code: number): void {
    this.exited = code;
  }
}
