// The streams of a command that a tool runs. There is no terminal and no standard input, standard output belongs to the
// protocol, and lines on standard error go into the result.

import { MCP_VARIABLE } from "../who/host_session.ts";
import type { Io } from "../cli/io.ts";
import { type KeyPress, sys } from "../sys/mod.ts";

export class McpIo implements Io {
  /** The lines of standard error, the oldest first. */
  readonly notes: string[] = [];
  readonly isTerminal: Io["isTerminal"] = { stdin: false, stdout: false, stderr: false };
  readonly columns = 100;

  readonly #variables: Readonly<Record<string, string>>;

  constructor(variables: Readonly<Record<string, string>>) {
    this.#variables = { ...variables, [MCP_VARIABLE]: "1" }; // tells the command that its caller is an agent
  }

  readonly env: Io["env"] = (name) =>
    Object.hasOwn(this.#variables, name) ? this.#variables[name] : sys.env(name);

  stdout(): boolean {
    return false;
  }

  stderr(text: string): void {
    this.notes.push(text.trim().replace(/^note: /, ""));
  }

  readStdin(): Promise<string> {
    return Promise.resolve("");
  }

  readLine(): Promise<string> {
    return Promise.resolve("");
  }

  readKey(): KeyPress {
    return { key: Promise.resolve(null), stop() {} };
  }

  exit(): void {}
}
