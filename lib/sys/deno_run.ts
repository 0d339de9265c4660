/**
 * Runs a child process on Deno.
 *
 * @module
 */

import { ioError } from "./io_error.ts";
import type { RunOptions, RunResult } from "./system.ts";

const GRACE_MS = 250;

/** {@linkcode System.run} on Deno. */
export async function denoRun(argv: readonly string[], options: RunOptions): Promise<RunResult> {
  const { cwd, env, stdin, timeoutMs, maxOutputBytes, signal } = options;
  const [program, ...args] = argv;
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(program, {
      args,
      cwd,
      env,
      clearEnv: true,
      detached: true, // a process group of its own
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      return { outcome: "not-found", exitCode: null, stdout: "", stderr: "" };
    }
    throw ioError("run", program, error);
  }

  let outcome: RunResult["outcome"] = "exited";
  const kill = (reason: RunResult["outcome"]) => {
    if (outcome === "exited") outcome = reason;
    try {
      Deno.kill(-child.pid, "SIGKILL");
    } catch {
      // The group is gone already, which is what was wanted.
    }
  };
  const abort = () => kill("aborted");
  const timer = setTimeout(() => kill("timeout"), timeoutMs);
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  const overflow = () => kill("output-limit");
  const stdout = new CappedText(child.stdout, maxOutputBytes, overflow);
  const stderr = new CappedText(child.stderr, maxOutputBytes, overflow);
  try {
    void writeInput(child.stdin, stdin);
    const status = await child.status;
    // A grandchild may hold the pipes open for ever: what came until now is the output.
    await Promise.all([stdout.end(GRACE_MS), stderr.end(GRACE_MS)]);
    const exitCode = outcome === "exited" ? status.code : null;
    return { outcome, exitCode, stdout: stdout.text, stderr: stderr.text };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    kill("exited"); // whatever the child left behind in its group
  }
}

async function writeInput(stdin: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // A child that does not read its input, or was killed, is judged by how it ends.
    await writer.abort().catch(() => {});
  }
}

/** The text of a stream up to a limit. */
class CappedText {
  text = "";
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #done: Promise<void>;

  constructor(stream: ReadableStream<Uint8Array>, maxBytes: number, overflow: () => void) {
    this.#reader = stream.getReader();
    this.#done = this.#collect(maxBytes, overflow);
  }

  /** Waits for the end of the stream, `graceMs` at most. */
  async end(graceMs: number): Promise<void> {
    const timer = setTimeout(() => void this.#reader.cancel(), graceMs);
    await this.#done;
    clearTimeout(timer);
  }

  async #collect(maxBytes: number, overflow: () => void): Promise<void> {
    const decoder = new TextDecoder();
    let bytes = 0;
    while (true) {
      const { done, value } = await this.#reader.read();
      if (done) break;
      bytes += value.length;
      if (bytes <= maxBytes) this.text += decoder.decode(value, { stream: true });
      else overflow();
    }
    this.text += decoder.decode();
  }
}
