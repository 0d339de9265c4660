// One of several processes that change one JSON file at the same time, under one lock after the
// other. Started by `lock_bench.ts` with its job as JSON; prints one line of JSON.

import { FileLockManager } from "../lib/lock/mod.ts";

/** The locks that are compared. */
export type LockName = "agentx" | "raw O_EXCL loop" | "proper-lockfile";

/** What a contender does. */
export interface Job {
  /** Taken in this order, each for one slice; all contenders change over at the same time. */
  locks: LockName[];
  path: string;
  /** When the first slice begins, epoch milliseconds. */
  startAtMs: number;
  /** How long a slice is. */
  sliceMs: number;
  /** How long it holds the lock each time; 0 for one update of the file. */
  holdMs: number;
}

/** What a contender did in one slice. */
export interface Turns {
  turns: number;
  failures: number;
  longestWaitMs: number;
}

/** Between two slices, for the last turn of the first one. */
const PAUSE_MS = 200;

type WithLock = (path: string, fn: () => unknown) => Promise<void>;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const encoder = new TextEncoder();

/** What the documents' lock file says (SPEC-1 section 4.4). */
const RECORD = JSON.stringify({
  pid: Deno.pid,
  timestamp: new Date().toISOString(),
  agent: "bench",
});

async function lockOf(name: LockName): Promise<WithLock> {
  switch (name) {
    case "agentx": {
      const locks = new FileLockManager();
      return async (path, fn) => void await locks.withSafeLock(path, "bench", fn);
    }
    case "raw O_EXCL loop":
      return async (path, fn) => {
        while (true) {
          try {
            const file = Deno.openSync(`${path}.lock`, { write: true, createNew: true });
            file.writeSync(encoder.encode(RECORD));
            file.close();
            break;
          } catch {
            await sleep(1);
          }
        }
        try {
          await fn();
        } finally {
          Deno.removeSync(`${path}.lock`);
        }
      };
    case "proper-lockfile": {
      const { default: lockfile } = await import("proper-lockfile");
      const retries = { retries: 1_000, minTimeout: 1, maxTimeout: 20, randomize: true };
      return async (path, fn) => {
        const release = await lockfile.lock(path, { retries, realpath: false });
        try {
          await fn();
        } finally {
          await release();
        }
      };
    }
  }
}

async function runSlice(withLock: WithLock, { path, sliceMs, holdMs }: Job): Promise<Turns> {
  const update = () => {
    const { count } = JSON.parse(Deno.readTextFileSync(path));
    Deno.writeTextFileSync(`${path}.${Deno.pid}.tmp`, JSON.stringify({ count: count + 1 }));
    Deno.renameSync(`${path}.${Deno.pid}.tmp`, path);
  };
  const result: Turns = { turns: 0, failures: 0, longestWaitMs: 0 };
  const endMs = performance.now() + sliceMs;
  while (performance.now() < endMs) {
    const askedMs = performance.now();
    try {
      await withLock(path, () => {
        result.longestWaitMs = Math.max(result.longestWaitMs, performance.now() - askedMs);
        return holdMs > 0 ? sleep(holdMs) : update();
      });
      result.turns++;
    } catch {
      result.failures++;
    }
  }
  return result;
}

async function run(job: Job): Promise<Turns[]> {
  const locks = new Map<LockName, WithLock>();
  for (const name of job.locks) locks.set(name, locks.get(name) ?? await lockOf(name));
  const results: Turns[] = [];
  for (const [index, name] of job.locks.entries()) {
    await sleep(job.startAtMs + index * (job.sliceMs + PAUSE_MS) - Date.now());
    results.push(await runSlice(locks.get(name)!, job));
  }
  return results;
}

if (import.meta.main) console.log(JSON.stringify(await run(JSON.parse(Deno.args[0]))));
