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

/** {@linkcode System.run}. */
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
      killGroup(child); // whatever the child left behind in its group
      resolve({ outcome, exitCode, stdout: stdout.text, stderr: stderr.text, unkilled });
    };
    const giveUp = () => {
      if (grace !== undefined) return; // it is dead, and what it printed is still being read
      child.off("exit", exited).off("close", closed);
      closePipes();
      child.unref();
      settle(null, child.pid!);
    };
    const exited = () => {
      // A grandchild may hold the pipes open for ever: what came until now is the output.
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
    // A child that does not read its input is judged by how it ends.
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

/** Deno adds options behind its own path among the arguments: another name of the file keeps them as they are. */
export function verbatim(args: readonly string[]): string[] {
  if (!("Deno" in globalThis)) return [...args];
  const otherName = process.execPath.replace(/\/(?=[^/]*$)/, "/./");
  return args.map((arg) => arg === process.execPath ? otherName : arg);
}

/** {@linkcode System.ask}. */
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

/** {@linkcode System.startDetached}. */
export function nodeStartDetached([program, ...args]: readonly string[]): void {
  const { spawn } = builtin("node:child_process");
  const child = spawn(program, args, { detached: true, stdio: "ignore" });
  child.on("error", () => {}); // the question stays open, and shows that nobody runs it
  child.unref();
}

/** A process that may not be killed stays: the caller sees that it still runs. */
export function killGroup(child: Pick<ChildProcess, "pid"> & Partial<ChildProcess>): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    // The group is gone already, as wanted, or belongs to another user. Deno lets a program kill a child of its own
    // without a permission.
    if (missingPermission(error) !== undefined) child.kill?.("SIGKILL");
  }
}
