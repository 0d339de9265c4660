/**
 * The lock under many contenders at once: Web Workers, processes, and processes of workers. Counts
 * are reduced unless `AGENTX_STRESS=full`.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { FileLockManager } from "../../lib/lock/mod.ts";
import { refusal } from "../refusal.ts";
import { type Contender, Crew, hold, startProcess, startWorker } from "./contenders.ts";
import { ABANDONED } from "./plant.ts";
import { TempFolder } from "./temp_folder.ts";
import { IS_FULL } from "../often.ts";

/** Who has waited for nothing but the end of a holder is in within this time. */
const MAX_RECOVERY_MS = 50;

function countIn(path: string): number {
  return JSON.parse(Deno.readTextFileSync(path)).count;
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

const CREWS: Record<string, () => Contender[]> = {
  "workers": () => times(8, startWorker),
  "processes": () => times(4, () => startProcess()),
  "workers and processes": () => [...times(4, startWorker), ...times(2, () => startProcess())],
};

for (const [who, start] of Object.entries(CREWS)) {
  Deno.test(`JsonFile.update() loses no update of ${who}`, async () => {
    using folder = new TempFolder();
    const path = folder.file("a.json");
    await using crew = new Crew(...start());
    const each = IS_FULL ? 250 : 40;
    const report = await crew.run({ kind: "count", path, times: each });
    assertEquals(report.kind, "done");
    assertEquals(countIn(path), each * crew.members.length);
    assertEquals(folder.names(), ["a.json"]);
  });

  Deno.test(`FileLockManager.withSafeLock() lets one of ${who} in at a time`, async () => {
    using folder = new TempFolder();
    const path = folder.file("a.json");
    await using crew = new Crew(...start());
    const each = IS_FULL ? 100 : 15;
    const report = await crew.run({ kind: "enter", path, times: each, holdMs: 1 });
    assertEquals(report.kind === "done" && [report.turns, report.overlaps], [
      each * crew.members.length,
      0,
    ]);
    assertEquals(folder.names(), []);
  });
}

const [PROCESSES, WORKERS, INCREMENTS] = IS_FULL ? [4, 4, 100] : [2, 3, 30];

Deno.test(`JsonFile.update() counts to ${PROCESSES * WORKERS * INCREMENTS} with ${PROCESSES} processes of ${WORKERS} workers`, async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  await using crew = new Crew(...times(PROCESSES, () => startProcess()));
  const report = await crew.run({
    kind: "team",
    workers: WORKERS,
    job: { kind: "count", path, times: INCREMENTS },
  });
  assertEquals(report.kind === "done" && report.turns, PROCESSES * WORKERS * INCREMENTS);
  assertEquals(countIn(path), PROCESSES * WORKERS * INCREMENTS);
  assertEquals(folder.names(), ["a.json"]);
});

/** Leaves locks of a process that was killed while it held them. */
async function plantKilled(paths: string[]): Promise<void> {
  await using holder = startProcess();
  const [path, ...others] = paths;
  const { end } = await hold(holder, { kind: "keep", path, others, keepMs: 60_000 });
  await holder.kill();
  await end;
}

Deno.test("FileLockManager.withSafeLock() lets one of 8 waiters in at a time after each kind of dead lock", async () => {
  using folder = new TempFolder();
  const trials = IS_FULL ? 300 : 32;
  const kinds = Object.values(ABANDONED);
  const paths = Array.from({ length: trials }, (_, trial) => folder.file(`${trial}.json`));
  const ofKilled = paths.filter((_, trial) => trial % (kinds.length + 1) === kinds.length);
  await plantKilled(ofKilled);
  await using crew = new Crew(...times(5, startWorker), ...times(3, () => startProcess()));
  for (const [trial, path] of paths.entries()) {
    kinds[trial % (kinds.length + 1)]?.(path);
    const report = await crew.run({ kind: "enter", path, times: 1, holdMs: 2 });
    assertEquals(
      report.kind === "done" && [report.turns, report.overlaps],
      [8, 0],
      `trial ${trial}`,
    );
  }
  assertEquals(folder.names(), []);
});

for (const [what, start] of [["worker", startWorker], ["process", startProcess]] as const) {
  Deno.test(`FileLockManager.withSafeLock() does not rob a ${what} that works longer than the threshold`, async () => {
    using folder = new TempFolder();
    const path = folder.file("a.json");
    await using holder = start();
    await hold(holder, { kind: "keep", path, keepMs: 60_000 });
    const locks = new FileLockManager({ staleThresholdMs: 20, maxWaitMs: 200 });
    const { details } = await refusal(
      "LOCK_TIMEOUT",
      () => locks.withSafeLock(path, "b", () => {}),
    );
    assertEquals(details.holder?.agent, "contender");
  });

  Deno.test(`FileLockManager.withSafeLock() is in soon after the end of a ${what} that held the lock`, async () => {
    using folder = new TempFolder();
    const waits: number[] = [];
    for (let trial = 0; trial < (IS_FULL ? 15 : 5); trial++) {
      const path = folder.file(`${trial}.json`);
      await using holder = start();
      await hold(holder, { kind: "keep", path, keepMs: 60_000 });
      const locks = new FileLockManager({ maxWaitMs: 20_000 });
      const waiting = locks.withSafeLock(path, "next", () => performance.now());
      await later(15); // until it polls
      const killedMs = performance.now();
      const [enteredMs] = await Promise.all([waiting, holder.kill()]);
      waits.push(enteredMs - killedMs);
    }
    const [middle, longest] = [median(waits), Math.max(...waits)].map((ms) => ms.toFixed(1));
    console.log(`next one in after ${middle} ms, at most ${longest} ms`);
    assert(median(waits) <= MAX_RECOVERY_MS, String(waits));
    assertEquals(folder.names(), []);
  });
}

Deno.test("FileLockManager.withSafeLock() does not rob a process that is stopped inside", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  await using holder = startProcess();
  const { end } = await hold(holder, { kind: "keep", path, keepMs: 1_000 });
  Deno.kill(holder.pid ?? NaN, "SIGSTOP");
  const locks = new FileLockManager({ staleThresholdMs: 20, maxWaitMs: 250 });
  await refusal("LOCK_TIMEOUT", () => locks.withSafeLock(path, "b", () => {}));
  Deno.kill(holder.pid ?? NaN, "SIGCONT");
  assertEquals((await end).kind, "done");
});

Deno.test("JsonFile.update() loses no update that takes longer than the threshold", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  await using crew = new Crew(startWorker(), startWorker(), startProcess());
  const options = { staleThresholdMs: 10, maxWaitMs: 20_000 };
  const report = await crew.run({ kind: "count", path, times: 4, holdMs: 40, options });
  assertEquals(report.kind === "done" && report.turns, 12);
  assertEquals(countIn(path), 12);
});

Deno.test("JsonFile.update() loses no update of processes that are stopped past the threshold", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  await using crew = new Crew(...times(3, () => startProcess()));
  const each = IS_FULL ? 150 : 40;
  const options = { staleThresholdMs: 20, maxWaitMs: 20_000 };
  // Slow changes, so that a stop is likely to come in the middle of one.
  const counting = crew.run({ kind: "count", path, times: each, holdMs: 2, options });
  for (let stop = 0; stop < (IS_FULL ? 12 : 3); stop++) {
    await later(20 + Math.random() * 60);
    const pid = crew.members[stop % 2].pid ?? NaN;
    Deno.kill(pid, "SIGSTOP");
    await later(100);
    Deno.kill(pid, "SIGCONT");
  }
  assertEquals((await counting).kind, "done");
  assertEquals(countIn(path), each * crew.members.length);
  assertEquals(folder.names(), ["a.json"]);
});

Deno.test("FileLockManager.withSafeLock() gets in although the owner comes back at once", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  await using owner = startProcess();
  let turns = 0;
  const started = Promise.withResolvers<void>();
  const working = owner.run(
    { kind: "count", path, times: 1_000, holdMs: 20, tell: true },
    () => (turns++, started.resolve()),
  );
  await started.promise;
  const before = turns;
  const locks = new FileLockManager({ maxWaitMs: 20_000 });
  for (let turn = 0; turn < 5; turn++) {
    await locks.withSafeLock(path, "waiter", () => {});
    await later(1);
  }
  const during = turns - before;
  await owner.kill();
  assertEquals((await working).kind, "failed");
  assert(during <= 15, `${during} turns of the owner`); // by chance it takes five to ten each time
});
