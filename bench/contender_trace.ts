/**
 * One of several processes that change one JSON file at the same time, each in the same way under
 * another lock. Started by `lock_bench.ts` with its job as JSON; prints one line of JSON.
 *
 * @module
 */

import { FileLockManager } from "../lib/lock/mod.ts";

/** The locks that are compared. */
export type LockName = "agentx" | "raw O_EXCL loop" | "proper-lockfile";

/** What a contender does. */
export interface Job {
  lock: LockName;
  path: string;
  /** All contenders begin at this time, epoch milliseconds. */
  startAtMs: number;
  /** For how long it takes turns. */
  forMs: number;
  /** How long it holds the lock each time; 0 for one update of the file. */
  holdMs: number;
}

/** What a contender reports. */
export interface Turns {
  turns: number;
  failures: number;
  longestWaitMs: number;
}

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
      return async (path, fn) => {
        await locks.withSafeLock(path, "bench", async () => void await fn());
      };
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

const trace: number[] = [];
async function run({ lock, path, startAtMs, forMs, holdMs }: Job): Promise<Turns> {
  const withLock = await lockOf(lock);
  const update = () => {
    const { count } = JSON.parse(Deno.readTextFileSync(path));
    Deno.writeTextFileSync(`${path}.${Deno.pid}.tmp`, JSON.stringify({ count: count + 1 }));
    Deno.renameSync(`${path}.${Deno.pid}.tmp`, path);
  };
  await sleep(startAtMs - Date.now());
  const result: Turns = { turns: 0, failures: 0, longestWaitMs: 0 };
  const endMs = performance.now() + forMs;
  while (performance.now() < endMs) {
    const askedMs = performance.now();
    try {
      await withLock(path, () => {
        const t0 = performance.timeOrigin + performance.now();
        trace.push(t0);
        result.longestWaitMs = Math.max(result.longestWaitMs, performance.now() - askedMs);
        update();
        trace.push(performance.timeOrigin + performance.now());
        return;
      });
      result.turns++;
    } catch {
      result.failures++;
    }
  }
  Deno.mkdirSync("/tmp/scratch/gaps", { recursive: true });
  Deno.writeTextFileSync(`/tmp/scratch/gaps/${Deno.pid}.json`, JSON.stringify(trace));
  return result;
}

if (import.meta.main) console.log(JSON.stringify(await run(JSON.parse(Deno.args[0]))));
