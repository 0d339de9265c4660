/**
 * The transport of the official client over a child process. Its own one leaves timers behind, and
 * shows neither how the process ended nor what it was when it did.
 *
 * @module
 */

import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
} from "@modelcontextprotocol/client";

/** A server as a process, one message on a line. */
export class ChildTransport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** What it said on standard error. */
  err = "";
  readonly child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  #output: Promise<void> | undefined;
  readonly #errors: Promise<void>;

  constructor(program: string, options: Deno.CommandOptions) {
    this.child = new Deno.Command(program, {
      ...options,
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#input = this.child.stdin.getWriter();
    this.#errors = this.#readErrors();
  }

  // deno-lint-ignore require-await -- the interface wants a promise
  async start(): Promise<void> {
    this.#output = this.#read();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.write(serializeMessage(message));
  }

  /** Writes to its standard input. */
  async write(text: string): Promise<void> {
    await this.#input.write(new TextEncoder().encode(text));
  }

  /** Closes its standard input, and waits for its end. */
  async end(): Promise<number> {
    await this.#input.close().catch(() => {}); // it may have ended before
    const { code } = await this.child.status;
    await Promise.all([this.#output, this.#errors]);
    return code;
  }

  async close(): Promise<void> {
    await this.end();
    this.onclose?.();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of this.child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.onmessage?.(deserializeMessage(line));
    }
  }

  async #readErrors(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.child.stderr) this.err += decoder.decode(chunk);
  }
}
