/**
 * A contender for locks, driven by jobs: a Web Worker (`postMessage`) or a process of its own on any
 * runtime (lines of JSON on standard input and output). Tests and benches use both, alone and mixed.
 *
 * @module
 */

import { FileLockManager, JsonFile } from "../lib/lock/mod.ts";

/** What a contender is asked to do. */
export type LockJob =
  /** Raises `count` in a JSON file so many times; with `tell`, reports each acknowledged value. */
  | { kind: "count"; path: string; times: number; tell?: boolean; pauseMs?: number }
  /** Enters so many times and looks whether anybody else is inside. */
  | { kind: "enter"; path: string; times: number; holdMs: number }
  /** Takes the lock, reports `holding`, keeps it for `keepMs`, and commits if it still may. */
  | { kind: "keep"; path: string; keepMs: number };

/** What a contender reports. */
export type LockReport =
  | { kind: "holding" }
  | { kind: "acknowledged"; value: number }
  | { kind: "done"; turns: number; overlaps: number; longestWaitMs: number }
  | { kind: "failed"; code: string; message: string };

const AGENT = "contender";

/**
 * Does one job.
 *
 * @param job what to do
 * @param report receives reports; the last one is `done` or `failed`
 */
export async function runJob(job: LockJob, report: (report: LockReport) => void): Promise<void> {
  try {
    if (job.kind === "count") report(await count(job, report));
    else if (job.kind === "enter") report(await enter(job));
    else report(await keep(job, report));
  } catch (error) {
    const { code = "BUG", message = String(error) } = error as { code?: string; message?: string };
    report({ kind: "failed", code, message });
  }
}

async function count(
  job: Extract<LockJob, { kind: "count" }>,
  report: (report: LockReport) => void,
): Promise<LockReport> {
  const file = new JsonFile<{ count: number }>(job.path, new FileLockManager());
  let longestWaitMs = 0;
  for (let turn = 0; turn < job.times; turn++) {
    const startMs = performance.now();
    const { count } = await file.update(AGENT, (now) => ({ count: (now?.count ?? 0) + 1 }));
    longestWaitMs = Math.max(longestWaitMs, performance.now() - startMs);
    if (job.tell) report({ kind: "acknowledged", value: count });
    if (job.pauseMs) await sleep(job.pauseMs);
  }
  return { kind: "done", turns: job.times, overlaps: 0, longestWaitMs };
}

async function enter(job: Extract<LockJob, { kind: "enter" }>): Promise<LockReport> {
  const { sys } = await import("../lib/sys/mod.ts");
  const locks = new FileLockManager();
  let overlaps = 0;
  let longestWaitMs = 0;
  for (let turn = 0; turn < job.times; turn++) {
    const startMs = performance.now();
    await locks.withSafeLock(job.path, AGENT, async () => {
      longestWaitMs = Math.max(longestWaitMs, performance.now() - startMs);
      // The oracle: a file that only one can create at a time.
      const inside = sys.createFile(`${job.path}.inside`);
      if (inside === undefined) overlaps++;
      await sleep(job.holdMs);
      inside?.close();
      if (inside !== undefined) sys.removeFile(`${job.path}.inside`);
    });
  }
  return { kind: "done", turns: job.times, overlaps, longestWaitMs };
}

async function keep(
  job: Extract<LockJob, { kind: "keep" }>,
  report: (report: LockReport) => void,
): Promise<LockReport> {
  await new FileLockManager().withSafeLock(job.path, AGENT, async (lock) => {
    report({ kind: "holding" });
    await sleep(job.keepMs);
    lock.verify();
  });
  return { kind: "done", turns: 1, overlaps: 0, longestWaitMs: 0 };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

if ("WorkerGlobalScope" in globalThis) {
  const scope = globalThis as unknown as {
    onmessage: (event: MessageEvent<LockJob>) => void;
    postMessage(report: LockReport): void;
  };
  scope.onmessage = ({ data }) => void runJob(data, (report) => scope.postMessage(report));
} else if (import.meta.main) {
  const { createInterface } = await import("node:readline");
  const { default: process } = await import("node:process");
  for await (const line of createInterface({ input: process.stdin })) {
    await runJob(JSON.parse(line), (report) => process.stdout.write(JSON.stringify(report) + "\n"));
  }
}
