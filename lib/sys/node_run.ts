// Runs a child process.

import type { ChildProcess } from "node:child_process";
import { builtin, process } from "./builtin.ts";
import { errnoOf, ioError, missingPermission } from "./io_error.ts";
import { OutputHead, OutputTail } from "./output.ts";
import {
  KILL_WAIT_MS,
  OUTPUT_WAIT_MS,
  type RunOptions,
  type RunResult,
  type System,
} from "./system.ts";

const ASK_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Implements {@linkcode System.run}. */
export function nodeRun(argv: readonly string[], options: RunOptions): Promise<RunResult> {
  const { cwd, env, stdin, timeoutMs, maxOutputBytes, signal, onStart = () => {} } = options;
  const [program, ...args] = argv;
  return new Promise((resolve, reject) => {
    const { spawn } = builtin("node:child_process");
    const child = spawn(program, verbatim(args), { cwd, env, detached: true, stdio: "pipe" });
    const [stdout, stderr] = [new OutputHead(maxOutputBytes), new OutputTail(maxOutputBytes)];
    let outcome: RunResult["outcome"] = "exited";
    let patience: ReturnType<typeof setTimeout> | undefined;
    const stop = (reason: RunResult["outcome"]) => {
      if (outcome === "exited") outcome = reason;
      killGroup(child);
      patience ??= setTimeout(giveUp, KILL_WAIT_MS);
    };
    const abort = () => stop("aborted");
    const timer = setTimeout(() => stop("timeout"), timeoutMs);
    let grace: ReturnType<typeof setTimeout> | undefined;
    const closePipes = () => {
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
    };
    const end = () => {
      for (const each of [timer, patience, grace]) clearTimeout(each);
      signal?.removeEventListener("abort", abort);
    };
    const settle = (exitCode: number | null, unkilled: number | null) => {
      end();
      killGroup(child); // kills the rest of the child's group
      resolve({ outcome, exitCode, stdout: stdout.text, stderr: stderr.text, unkilled });
    };
    const giveUp = () => {
      if (grace !== undefined) return; // the child is dead, and its output is still being read
      child.off("exit", exited).off("close", closed);
      closePipes();
      child.unref();
      settle(null, child.pid!);
    };
    const exited = () => {
      // A grandchild may keep the pipes open for ever, so only the output until now counts.
      grace = setTimeout(closePipes, OUTPUT_WAIT_MS);
    };
    const closed = (code: number | null) => {
      settle(outcome === "exited" ? code ?? 128 : null, null);
    };
    child.stdout.on("data", (chunk: Uint8Array) => stdout.add(chunk) || stop("output-limit"));
    child.stderr.on("data", (chunk: Uint8Array) => stderr.add(chunk));
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();

    child.on("error", (error) => {
      end();
      if (errnoOf(error) === "ENOENT") {
        resolve({ outcome: "not-found", exitCode: null, stdout: "", stderr: "", unkilled: null });
      } else reject(ioError("run", program, error));
    });
    child.on("exit", exited);
    child.on("close", closed);
    // If a child does not read its input, only its end counts.
    child.stdin.on("error", () => {});
    try {
      if (child.pid !== undefined) onStart(child.pid);
      child.stdin.end(stdin);
    } catch (error) {
      reject(error);
      stop("aborted");
    }
  });
}

/**
 * Returns arguments that Deno passes on unchanged. Deno adds options after its own path among the arguments, so this
 * path is replaced by another name of the same file.
 */
export function verbatim(args: readonly string[]): string[] {
  if (!("Deno" in globalThis)) return [...args];
  const otherName = process.execPath.replace(/\/(?=[^/]*$)/, "/./");
  return args.map((arg) => arg === process.execPath ? otherName : arg);
}

/** Implements {@linkcode System.ask}. */
export const nodeAsk: System["ask"] = ([program, ...args], { cwd, env, stdin }) => {
  const { spawnSync } = builtin("node:child_process");
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env,
    input: stdin,
    encoding: "utf8",
    timeout: ASK_TIMEOUT_MS,
    maxBuffer: MAX_ANSWER_BYTES,
    killSignal: "SIGKILL",
  });
  const missing = error && missingPermission(error);
  if (missing !== undefined) throw missing;
  return { exitCode: status, stdout: stdout ?? "", stderr: stderr ?? "" };
};

/** Implements {@linkcode System.startDetached}. */
export function nodeStartDetached([program, ...args]: readonly string[]): void {
  const { spawn } = builtin("node:child_process");
  const child = spawn(program, args, { detached: true, stdio: "ignore" });
  child.on("error", () => {}); // the question stays open and shows that it is not run
  child.unref();
}

/** Kills a process group. A process that this user cannot kill stays, and the caller sees that it still runs. */
export function killGroup(child: Pick<ChildProcess, "pid"> & Partial<ChildProcess>): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    // Either the group has already ended, or it belongs to another user, or Deno lacks the permission. Deno allows a
    // program to kill its own child without a permission.
    if (missingPermission(error) !== undefined) child.kill?.("SIGKILL");
  }
}
