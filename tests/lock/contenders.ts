/**
 * Contenders for the lock tests and benches: Web Workers, Deno processes and processes of another
 * runtime behind one interface.
 *
 * @module
 */

import type { LockJob, LockReport } from "../../workers/lock_worker.ts";

const WORKER = new URL("../../workers/lock_worker.ts", import.meta.url);

/** Somebody who contends for locks. */
export interface Contender {
  /** Process id; undefined for a worker. */
  readonly pid: number | undefined;
  /** Runs a job to its last report; `onReport` hears all of them. */
  run(job: LockJob, onReport?: (report: LockReport) => void): Promise<LockReport>;
  /** Ends it at once: `terminate()` for a worker, SIGKILL for a process. */
  kill(): Promise<void>;
}

/** Starts a Web Worker. */
export function startWorker(): Contender {
  const worker = new Worker(WORKER, { type: "module" });
  return {
    pid: undefined,
    run(job, onReport = () => {}) {
      return new Promise((resolve) => {
        worker.onmessage = ({ data }: MessageEvent<LockReport>) => {
          onReport(data);
          if (data.kind === "done" || data.kind === "failed") resolve(data);
        };
        worker.postMessage(job);
      });
    },
    kill() {
      worker.terminate();
      return Promise.resolve();
    },
  };
}

/**
 * Starts a process.
 *
 * @param command the program that runs the worker's file; Deno where it is left out
 */
export function startProcess(
  command: string[] = [Deno.execPath(), "run", "-A", "--no-check", WORKER.pathname],
): Contender {
  const [program, ...args] = command;
  const child = new Deno.Command(program, { args, stdin: "piped", stdout: "piped" }).spawn();
  const input = child.stdin.getWriter();
  const lines = readLines(child.stdout);
  return {
    pid: child.pid,
    async run(job, onReport = () => {}) {
      await input.write(new TextEncoder().encode(JSON.stringify(job) + "\n"));
      while (true) {
        const { value, done } = await lines.next();
        if (done) return { kind: "failed", code: "KILLED", message: "the process ended" };
        const report: LockReport = JSON.parse(value);
        onReport(report);
        if (report.kind === "done" || report.kind === "failed") return report;
      }
    },
    async kill() {
      try {
        child.kill("SIGKILL");
      } catch {
        // It was killed by the test already.
      }
      await child.status;
      await input.abort().catch(() => {});
      await lines.return();
    },
  };
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  let rest = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}
