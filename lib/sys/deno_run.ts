// Runs a child process on Deno.

import { errnoOf, ioError } from "./io_error.ts";
import { OutputHead, OutputTail } from "./output.ts";
import { KILL_WAIT_MS, OUTPUT_WAIT_MS, type RunOptions, type RunResult } from "./system.ts";

/** {@linkcode System.run} on Deno. */
export async function denoRun(argv: readonly string[], options: RunOptions): Promise<RunResult> {
  const { cwd, env, stdin, timeoutMs, maxOutputBytes, signal, onStart = () => {} } = options;
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
      return { outcome: "not-found", exitCode: null, stdout: "", stderr: "", unkilled: null };
    }
    throw ioError("run", program, error);
  }

  let outcome: RunResult["outcome"] = "exited";
  let patience: ReturnType<typeof setTimeout> | undefined;
  const givenUp = Promise.withResolvers<undefined>();
  const stop = (reason: RunResult["outcome"]) => {
    if (outcome === "exited") outcome = reason;
    killGroup(child);
    patience ??= setTimeout(() => givenUp.resolve(undefined), KILL_WAIT_MS);
  };
  const abort = () => stop("aborted");
  const timer = setTimeout(() => stop("timeout"), timeoutMs);
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  const [out, err] = [new OutputHead(maxOutputBytes), new OutputTail(maxOutputBytes)];
  const stdout = new Reading(child.stdout, (chunk) => out.add(chunk) || stop("output-limit"));
  const stderr = new Reading(child.stderr, (chunk) => err.add(chunk));
  const input = child.stdin.getWriter();
  try {
    let refused: { error: unknown } | undefined;
    try {
      onStart(child.pid);
    } catch (error) {
      refused = { error };
      stop("aborted");
    }
    void writeInput(input, refused === undefined ? stdin : "");
    const status = await Promise.race([child.status, givenUp.promise]);
    // A grandchild may hold the pipes open for ever: what came until now is the output.
    await Promise.all([stdout.end(), stderr.end()]);
    if (status === undefined) {
      input.abort().catch(() => {}); // it is not read any more, and the outcome is known
      child.unref();
    }
    if (refused !== undefined) throw refused.error;
    return {
      outcome,
      exitCode: status !== undefined && outcome === "exited" ? status.code : null,
      stdout: out.text,
      stderr: err.text,
      unkilled: status === undefined ? child.pid : null,
    };
  } finally {
    clearTimeout(timer);
    clearTimeout(patience);
    signal?.removeEventListener("abort", abort);
    killGroup(child); // whatever the child left behind in its group
  }
}

/** A process that may not be killed stays: the caller sees that it still runs. */
function killGroup(child: Deno.ChildProcess): void {
  try {
    Deno.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if (errnoOf(error) === "ESRCH") return;
    try {
      child.kill("SIGKILL"); // this needs no permission of Deno's
    } catch {
      // Another user's process: it is not waited for.
    }
  }
}

async function writeInput(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  text: string,
): Promise<void> {
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // A child that does not read its input, or was killed, is judged by how it ends.
    await writer.abort().catch(() => {});
  }
}

/** The reading of a stream, chunk by chunk. */
class Reading {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #done: Promise<void>;

  constructor(stream: ReadableStream<Uint8Array>, onChunk: (chunk: Uint8Array) => void) {
    this.#reader = stream.getReader();
    this.#done = this.#read(onChunk);
  }

  /** Waits for the end of the stream, but not long. */
  async end(): Promise<void> {
    const timer = setTimeout(() => void this.#reader.cancel(), OUTPUT_WAIT_MS);
    await this.#done;
    clearTimeout(timer);
  }

  async #read(onChunk: (chunk: Uint8Array) => void): Promise<void> {
    for (let next = await this.#reader.read(); !next.done; next = await this.#reader.read()) {
      onChunk(next.value);
    }
  }
}
