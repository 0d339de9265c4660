/**
 * Runs a child process on Node and Bun.
 *
 * @module
 */

import { spawn } from "node:child_process";
import process from "node:process";
import type { Readable } from "node:stream";
import { errnoOf, ioError } from "./io_error.ts";
import type { RunOptions, RunResult } from "./system.ts";

const GRACE_MS = 250;

/** {@linkcode System.run} on Node and Bun. */
export function nodeRun(argv: readonly string[], options: RunOptions): Promise<RunResult> {
  const { cwd, env, stdin, timeoutMs, maxOutputBytes, signal } = options;
  const [program, ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: "pipe" });
    let outcome: RunResult["outcome"] = "exited";
    const kill = (reason: RunResult["outcome"]) => {
      if (outcome === "exited") outcome = reason;
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // The group is gone already, which is what was wanted.
      }
    };
    const abort = () => kill("aborted");
    const timer = setTimeout(() => kill("timeout"), timeoutMs);
    let grace: ReturnType<typeof setTimeout> | undefined;
    const done = () => {
      clearTimeout(timer);
      clearTimeout(grace);
      signal?.removeEventListener("abort", abort);
    };
    const overflow = () => kill("output-limit");
    const stdout = collect(child.stdout, maxOutputBytes, overflow);
    const stderr = collect(child.stderr, maxOutputBytes, overflow);
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();

    child.on("error", (error) => {
      done();
      if (errnoOf(error) === "ENOENT") {
        resolve({ outcome: "not-found", exitCode: null, stdout: "", stderr: "" });
      } else reject(ioError("run", program, error));
    });
    child.on("exit", () => {
      // A grandchild may hold the pipes open for ever: what came until now is the output.
      grace = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, GRACE_MS);
    });
    child.on("close", (code) => {
      done();
      kill("exited"); // whatever the child left behind in its group
      const exitCode = outcome === "exited" ? code ?? 128 : null;
      resolve({ outcome, exitCode, stdout: stdout(), stderr: stderr() });
    });
    // A child that does not read its input is judged by how it ends.
    child.stdin.on("error", () => {});
    child.stdin.end(stdin);
  });
}

function collect(stream: Readable, maxBytes: number, overflow: () => void): () => string {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  stream.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) text += decoder.decode(chunk, { stream: true });
    else overflow();
  });
  return () => text + decoder.decode();
}
