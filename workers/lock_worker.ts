// A contender for locks, driven by jobs: a Web Worker (`postMessage`) or a process of its own on any
// runtime (lines of JSON on standard input and output). Tests and benches use both, alone and mixed.

import { FileLockManager, JsonFile, type LockHandle } from "../lib/lock/mod.ts";
import { temporaryPath } from "../lib/lock/paths.ts";
import { sys } from "../lib/sys/mod.ts";

/** What a contender is asked to do. */
export type LockJob =
  | CountJob
  | EnterJob
  | KeepJob
  /** Starts so many workers inside this process, and has each of them do the job. */
  | { kind: "team"; workers: number; job: LockJob };

interface JobOptions {
  path: string;
  /** Options of the lock; the defaults where they are left out. */
  options?: { staleThresholdMs?: number; maxWaitMs?: number };
}

/** Raises `count` in a JSON file so many times. */
interface CountJob extends JobOptions {
  kind: "count";
  times: number;
  /** Reports each acknowledged value. */
  tell?: boolean;
  /** Milliseconds between two updates. */
  pauseMs?: number;
  /** Milliseconds between reading and writing, under the lock. */
  holdMs?: number;
}

/** Enters that many times and checks that no other worker is inside. */
interface EnterJob extends JobOptions {
  kind: "enter";
  times: number;
  holdMs: number;
}

/** Takes the lock, reports `holding`, keeps it for `keepMs`, and proves that it still has it. */
interface KeepJob extends JobOptions {
  kind: "keep";
  keepMs: number;
  /** More files to lock, before `path`. */
  others?: string[];
}

/** What a contender reports. */
export type LockReport =
  | { kind: "holding" }
  | { kind: "acknowledged"; value: number }
  | { kind: "done"; turns: number; overlaps: number; longestWaitMs: number }
  | { kind: "failed"; code: string; message: string };

type Report = (report: LockReport) => void;

type Done = Extract<LockReport, { kind: "done" }>;

const AGENT = "contender";

/** Does one job. */
export async function runJob(job: LockJob, report: Report): Promise<void> {
  try {
    switch (job.kind) {
      case "count":
        return report(await count(job, report));
      case "enter":
        return report(await enter(job));
      case "keep":
        return report(await keep(job, report));
      case "team":
        return report(await lead(job.workers, job.job));
    }
  } catch (error) {
    const { code = "BUG", message = String(error) } = error as { code?: string; message?: string };
    report({ kind: "failed", code, message });
  }
}

async function count(job: CountJob, report: Report): Promise<Done> {
  const { path, times, tell = false, pauseMs = 0, holdMs = 0 } = job;
  const locks = new FileLockManager(job.options);
  const file = new JsonFile<{ count: number }>(path, locks);
  const next = (now: { count: number } | undefined) => ({ count: (now?.count ?? 0) + 1 });
  let longestWaitMs = 0;
  for (let turn = 0; turn < times; turn++) {
    const startMs = performance.now();
    const { count } = holdMs === 0
      ? await file.update(AGENT, next)
      : await locks.withSafeLock(path, AGENT, async (lock) => {
        const value = next(file.read());
        await sleep(holdMs);
        replace(path, lock, JSON.stringify(value));
        return value;
      });
    longestWaitMs = Math.max(longestWaitMs, performance.now() - startMs - holdMs);
    if (tell) report({ kind: "acknowledged", value: count });
    if (pauseMs > 0) await sleep(pauseMs);
  }
  return { kind: "done", turns: times, overlaps: 0, longestWaitMs };
}

function replace(path: string, lock: LockHandle, text: string): void {
  const temporary = temporaryPath(path, lock.token);
  sys.writeNewFile(temporary, text, { fsync: false });
  lock.verify();
  sys.rename(temporary, path);
}

async function enter({ path, times, holdMs, options }: EnterJob): Promise<Done> {
  const locks = new FileLockManager(options);
  let overlaps = 0;
  let longestWaitMs = 0;
  for (let turn = 0; turn < times; turn++) {
    const startMs = performance.now();
    await locks.withSafeLock(path, AGENT, async () => {
      longestWaitMs = Math.max(longestWaitMs, performance.now() - startMs);
      // The oracle: a file that only one can create at a time.
      const inside = sys.createFile(`${path}.inside`);
      if (inside === undefined) overlaps++;
      await sleep(holdMs);
      inside?.close();
      if (inside !== undefined) sys.removeFile(`${path}.inside`);
    });
  }
  return { kind: "done", turns: times, overlaps, longestWaitMs };
}

async function keep(
  { path, keepMs, others = [], options }: KeepJob,
  report: Report,
): Promise<Done> {
  const locks = new FileLockManager(options);
  const [other, ...rest] = others;
  if (other !== undefined) {
    return await locks.withSafeLock(
      other,
      AGENT,
      () => keep({ kind: "keep", path, keepMs, others: rest, options }, report),
    );
  }
  await locks.withSafeLock(path, AGENT, async (lock) => {
    report({ kind: "holding" });
    await sleep(keepMs);
    lock.verify();
  });
  return { kind: "done", turns: 1, overlaps: 0, longestWaitMs: 0 };
}

async function lead(workers: number, job: LockJob): Promise<LockReport> {
  const team = Array.from(
    { length: workers },
    () => new Worker(import.meta.url, { type: "module" }),
  );
  try {
    const reports = await Promise.all(team.map((worker) =>
      new Promise<LockReport>((resolve) => {
        worker.onmessage = ({ data }: MessageEvent<LockReport>) => {
          if (data.kind === "done" || data.kind === "failed") resolve(data);
        };
        worker.postMessage(job);
      })
    ));
    return reports.reduce(sum);
  } finally {
    team.forEach((worker) => worker.terminate());
  }
}

/** Both in one: the failure, if there is one. */
export function sum(a: LockReport, b: LockReport): LockReport {
  if (a.kind !== "done") return a;
  if (b.kind !== "done") return b;
  return {
    kind: "done",
    turns: a.turns + b.turns,
    overlaps: a.overlaps + b.overlaps,
    longestWaitMs: Math.max(a.longestWaitMs, b.longestWaitMs),
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function readJobs(): Promise<void> {
  const { createInterface } = await import("node:readline");
  const { default: process } = await import("node:process");
  const report: Report = (report) => void process.stdout.write(JSON.stringify(report) + "\n");
  for await (const line of createInterface({ input: process.stdin })) {
    await runJob(JSON.parse(line), report);
  }
}

if ("WorkerGlobalScope" in globalThis) {
  const scope = globalThis as unknown as {
    onmessage: (event: MessageEvent<LockJob>) => void;
    postMessage: Report;
  };
  scope.onmessage = ({ data }) => void runJob(data, (report) => scope.postMessage(report));
} else if (import.meta.main ?? true) { // Node 20 does not say: there it is nothing but a program
  await readJobs();
}
