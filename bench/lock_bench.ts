// What does a lock cost, alone and contended? Peers: the bare system calls, a raw O_EXCL loop, npm
// proper-lockfile, and `node:sqlite`.

import { DatabaseSync } from "node:sqlite";
import { FileLockManager, JsonFile } from "../lib/lock/mod.ts";
import type { Job, LockName, Turns } from "./contender.ts";
import { freshFolder, median, ratio, target } from "./target.ts";

const folder = freshFolder("disk");
const locks = new FileLockManager();
const encoder = new TextEncoder();

/** A document of the size of a ledger with ten clarifications. */
const DOCUMENT = {
  count: 0,
  entries: Array.from({ length: 60 }, (_, round) => ({
    round,
    from: "engineer",
    type: "question",
    body: "ADR-42 says PostgreSQL, but local development uses SQLite. Dual adapter or migrate?",
    timestamp: "2026-02-26T10:00:00.000Z",
  })),
};

/** The least that the documents' lock file says (SPEC-1 section 4.4). */
const RECORD = '{"pid":12345,"timestamp":"2026-02-26T10:00:00.123Z"}';

function bareLock(path: string): void {
  const file = Deno.openSync(`${path}.lock`, { write: true, createNew: true });
  file.writeSync(encoder.encode(RECORD));
  file.close();
  Deno.removeSync(`${path}.lock`);
}

function bareUpdate(path: string): void {
  const value = JSON.parse(Deno.readTextFileSync(path));
  value.count++;
  Deno.writeTextFileSync(`${path}.tmp`, JSON.stringify(value, null, 2));
  Deno.renameSync(`${path}.tmp`, path);
}

/** What an update under a lock file cannot do without. */
function bareUpdateUnderLockFile(path: string): void {
  const file = Deno.openSync(`${path}.lock`, { read: true, write: true, createNew: true });
  file.tryLockSync(true);
  file.writeSync(encoder.encode(RECORD));
  bareUpdate(path);
  file.statSync();
  Deno.removeSync(`${path}.lock`);
  file.close();
}

const lockPath = `${folder}/lock.json`;
const barePath = `${folder}/bare.json`;
const updatePath = `${folder}/update.json`;
for (const path of [barePath, updatePath]) {
  Deno.writeTextFileSync(path, JSON.stringify(DOCUMENT, null, 2));
}
const updated = new JsonFile<typeof DOCUMENT>(updatePath, locks, { fsync: false });
const raise = (value?: typeof DOCUMENT) => {
  value!.count++;
  return value!;
};

Deno.bench({
  name: "bare open(O_EXCL) + write + close + unlink",
  group: "one lock",
  baseline: true,
  fn: () => bareLock(lockPath),
});
Deno.bench({
  name: "FileLockManager.withSafeLock()",
  group: "one lock",
  fn: () => locks.withSafeLock(lockPath, "bench", () => {}),
});
Deno.bench({
  name: "bare read + write + rename, no fsync",
  group: "one update",
  baseline: true,
  fn: () => bareUpdate(barePath),
});
Deno.bench({
  name: "the same under a bare lock file",
  group: "one update",
  fn: () => bareUpdateUnderLockFile(barePath),
});
Deno.bench({
  name: "JsonFile.update(), no fsync",
  group: "one update",
  fn: async () => void await updated.update("bench", raise),
});

target({
  name: "withSafeLock / bare open+write+close+unlink, uncontended, no fsync",
  limit: { atMost: 1.5 },
  measure: () =>
    ratio(
      async (times) => {
        for (let i = 0; i < times; i++) await locks.withSafeLock(lockPath, "bench", () => {});
      },
      (times) => {
        for (let i = 0; i < times; i++) bareLock(lockPath);
      },
      { times: 1_000, rounds: 21 },
    ),
});

target({
  name: "JsonFile.update / bare read+write+rename, no fsync",
  limit: { atMost: 1.25 },
  measure: () =>
    ratio(
      async (times) => {
        for (let i = 0; i < times; i++) await updated.update("bench", raise);
      },
      (times) => {
        for (let i = 0; i < times; i++) bareUpdate(barePath);
      },
      { times: 500, rounds: 21 },
    ),
});

/** Processes that take turns at one file: by slice, what each of them did. */
async function contend(
  locks: LockName[],
  { processes, sliceMs, holdMs }: { processes: number; sliceMs: number; holdMs: number },
): Promise<Turns[][]> {
  const path = `${freshFolder("memory")}/contended.json`;
  Deno.writeTextFileSync(path, JSON.stringify({ count: 0 }));
  const job: Job = { locks, path, startAtMs: Date.now() + 1_500, sliceMs, holdMs };
  const contender = new URL("contender.ts", import.meta.url).pathname;
  const reports: Turns[][] = await Promise.all(Array.from({ length: processes }, async () => {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", contender, JSON.stringify(job)],
    }).output();
    return JSON.parse(new TextDecoder().decode(stdout));
  }));
  return locks.map((_, slice) => reports.map((report) => report[slice]));
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const turnsOf = (slice: Turns[]) => slice.map(({ turns }) => turns);

/** 1 when all got the same number of turns, 1/n when one got all (Jain, Chiu and Hawe, 1984). */
function jainFairness(turns: number[]): number {
  return sum(turns) ** 2 / (turns.length * sum(turns.map((turn) => turn ** 2)));
}

const LOCKS: LockName[] = ["agentx", "raw O_EXCL loop", "proper-lockfile"];
const ROUNDS = 5;

/** The slices of each round; all locks in turns and close to each other, to see the same machine. */
let contended: Promise<Record<LockName, Turns[]>[]> | undefined;

async function contendInTurns(): Promise<Record<LockName, Turns[]>[]> {
  const order = Array.from({ length: ROUNDS }, () => LOCKS).flat();
  const slices = await contend(order, { processes: 4, sliceMs: 1_500, holdMs: 0 });
  return Array.from({ length: ROUNDS }, (_, round) => {
    const [agentx, raw, proper] = slices.slice(LOCKS.length * round);
    return { "agentx": agentx, "raw O_EXCL loop": raw, "proper-lockfile": proper };
  });
}

async function throughputRatio(peer: LockName): Promise<number> {
  const rounds = await (contended ??= contendInTurns());
  return median(rounds.map((round) => sum(turnsOf(round.agentx)) / sum(turnsOf(round[peer]))));
}

target({
  name: "updates/s of 4 processes / raw O_EXCL loop, no fsync, in memory",
  limit: { atLeast: 0.65 },
  measure: () => throughputRatio("raw O_EXCL loop"),
});

target({
  name: "updates/s of 4 processes / npm proper-lockfile, no fsync, in memory",
  limit: { atLeast: 3 },
  measure: () => throughputRatio("proper-lockfile"),
});

target({
  name: "Jain fairness of 4 processes (1 is even), no fsync, in memory",
  limit: { atLeast: 0.97 },
  async measure() {
    const rounds = await (contended ??= contendInTurns());
    return Math.min(...rounds.map(({ agentx }) => jainFairness(turnsOf(agentx))));
  },
});

target({
  name: "longest wait of 4 processes, ms, no fsync, in memory",
  limit: { atMost: 250 },
  async measure() {
    const rounds = await (contended ??= contendInTurns());
    return Math.max(...rounds.flatMap(({ agentx }) => agentx).map((one) => one.longestWaitMs));
  },
});

target({
  name: "time-outs of 8 processes that hold for 40 ms, 5 s, no fsync, in memory",
  limit: { atMost: 0 },
  async measure() {
    const [slice] = await contend(["agentx"], { processes: 8, sliceMs: 5_000, holdMs: 40 });
    return sum(slice.map(({ failures }) => failures));
  },
});

/** 16 tasks of one process, each raising its own counter of one document, and the same in SQLite. */
function taskRatio({ fsync }: { fsync: boolean }): Promise<number> {
  const home = freshFolder(fsync ? "disk" : "memory");
  const file = new JsonFile<Record<string, number>>(`${home}/tasks.json`, locks, { fsync });
  const database = new DatabaseSync(`${home}/tasks.sqlite`);
  database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=${fsync ? "FULL" : "OFF"};
    CREATE TABLE tasks (name TEXT PRIMARY KEY, count INTEGER NOT NULL)`);
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const upsert = database.prepare(
    "INSERT INTO tasks VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET count = count + 1",
  );
  const tasks = Array.from({ length: 16 }, (_, task) => `task-${task}`);
  const perTask = (work: (name: string) => unknown) => async (times: number) => {
    await Promise.all(tasks.map(async (name) => {
      for (let i = 0; i < times; i++) {
        await work(name);
        await Promise.resolve();
      }
    }));
  };
  return ratio(
    perTask((name) => {
      begin.run();
      upsert.run(name);
      commit.run();
    }),
    perTask((name) =>
      file.update("bench", (now = {}) => {
        now[name] = (now[name] ?? 0) + 1;
        return now;
      })
    ),
    { times: fsync ? 20 : 50, rounds: 9 },
  );
}

target({
  name: "updates/s of 16 tasks / node:sqlite (WAL, synchronous=OFF), no fsync, in memory",
  limit: { atLeast: 1.2 },
  measure: () => taskRatio({ fsync: false }),
});

target({
  name: "updates/s of 16 tasks / node:sqlite (WAL, synchronous=FULL), with fsync",
  limit: { atLeast: 1.2 },
  measure: () => taskRatio({ fsync: true }),
});
