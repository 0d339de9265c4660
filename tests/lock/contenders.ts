/**
 * Contenders for the lock tests: Web Workers, Deno processes and processes of another runtime behind
 * one interface.
 *
 * @module
 */

import { type LockJob, type LockReport, sum } from "../../workers/lock_worker.ts";
import { removeFolder } from "../remove_folder.ts";

const FOLDER = Deno.makeTempDirSync({ prefix: "agentx-contender-" });
globalThis.addEventListener("unload", () => removeFolder(FOLDER));

/** The contender as one file of JavaScript, for any runtime; it also starts many times faster. */
export const PROGRAM = `${FOLDER}/lock_worker.mjs`;
bundle();

/** The command that runs a contender as a process of Deno. */
export const DENO: readonly string[] = [Deno.execPath(), "run", "-A", "--no-config", PROGRAM];

/** The last report of who was killed at work. */
const KILLED: LockReport = { kind: "failed", code: "KILLED", message: "the contender was killed" };

/** Somebody who contends for locks; killed at the end of the block that is `using` it. */
export interface Contender extends AsyncDisposable {
  /** Process id; undefined for a worker. */
  readonly pid: number | undefined;
  /** Runs a job to its last report; `onReport` hears all of them. One job at a time. */
  run(job: LockJob, onReport?: (report: LockReport) => void): Promise<LockReport>;
  /** Ends it at once: `terminate()` for a worker, SIGKILL for a process. */
  kill(): Promise<void>;
}

/** Starts a Web Worker. */
export function startWorker(): Contender {
  const worker = new Worker(`file://${PROGRAM}`, { type: "module" });
  let finish = (_: LockReport) => {};
  const kill = () => {
    worker.terminate();
    finish(KILLED);
    return Promise.resolve();
  };
  return {
    pid: undefined,
    run(job, onReport = () => {}) {
      return new Promise((resolve) => {
        finish = resolve;
        worker.onmessage = ({ data }: MessageEvent<LockReport>) => {
          onReport(data);
          if (isLast(data)) resolve(data);
        };
        worker.postMessage(job);
      });
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

/**
 * Starts a process.
 *
 * @param command the program that runs the worker's file; Deno where it is left out
 */
export function startProcess(command: readonly string[] = DENO): Contender {
  const [program, ...args] = command;
  const child = new Deno.Command(program, { args, stdin: "piped", stdout: "piped" }).spawn();
  const input = child.stdin.getWriter();
  const lines = readLines(child.stdout);
  const kill = async () => {
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended already.
    }
    await child.status;
    await input.abort().catch(() => {});
    await lines.return();
    if (!child.stdout.locked) await child.stdout.cancel(); // nobody has read a line
  };
  return {
    pid: child.pid,
    async run(job, onReport = () => {}) {
      try {
        await input.write(new TextEncoder().encode(JSON.stringify(job) + "\n"));
      } catch {
        return KILLED; // the pipe is broken
      }
      while (true) {
        const { value, done } = await lines.next();
        if (done) return KILLED;
        const report: LockReport = JSON.parse(value);
        onReport(report);
        if (isLast(report)) return report;
      }
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

/** Several contenders; all are killed at the end of the block that is `using` them. */
export class Crew implements AsyncDisposable {
  readonly members: readonly Contender[];

  constructor(...members: Contender[]) {
    this.members = members;
  }

  /** Has all of them do a job at once; resolves to their reports in one. */
  async run(job: LockJob): Promise<LockReport> {
    return (await Promise.all(this.members.map((member) => member.run(job)))).reduce(sum);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill()));
  }
}

/**
 * Has a contender keep a lock.
 *
 * @param contender who
 * @param job what
 * @returns the last report, once the lock is held
 */
export function hold(
  contender: Contender,
  job: Extract<LockJob, { kind: "keep" }>,
): Promise<{ end: Promise<LockReport> }> {
  return new Promise((resolve, reject) => {
    const end = contender.run(job, (report) => {
      if (report.kind === "holding") resolve({ end });
      if (report.kind === "failed") reject(new Error(report.message));
    });
  });
}

function isLast({ kind }: LockReport): boolean {
  return kind === "done" || kind === "failed";
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  let rest = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}

function bundle(): void {
  const source = new URL("../../workers/lock_worker.ts", import.meta.url).pathname;
  const args = ["bundle", "--quiet", source, "-o", PROGRAM];
  const { success, stderr } = new Deno.Command(Deno.execPath(), { args }).outputSync();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
