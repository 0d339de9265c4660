/**
 * The lock between runtimes: Deno, which has kernel locks for files, with Node and Bun, which have
 * none.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { FileLockManager } from "../../lib/lock/mod.ts";
import { refusal } from "../refusal.ts";
import { Crew, hold, PROGRAM, startProcess, startWorker } from "./contenders.ts";
import { replace } from "./faults.ts";
import { ABANDONED } from "./plant.ts";
import { TempFolder } from "./temp_folder.ts";
import { IS_FULL } from "../often.ts";

/** A dead process is seen at once; the alternative would be 30 s. */
const SOON_MS = 3_000;

async function run(program: string, ...args: string[]): Promise<boolean> {
  try {
    const command = new Deno.Command(program, { args, stdout: "null", stderr: "null" });
    return (await command.output()).success;
  } catch {
    return false;
  }
}

for (const [name, program] of [["Node", "node"], ["Bun", "bun"]]) {
  const ignore = !await run(program, "--version");
  if (ignore) console.warn(`${program} is not on PATH: the lock was not tried on it`);
  const start = () => startProcess([program, PROGRAM]);

  Deno.test({
    name: `JsonFile.update() loses no update of Deno and ${name} together`,
    ignore,
    async fn() {
      using folder = new TempFolder();
      const path = folder.file("a.json");
      await using crew = new Crew(start(), start(), startProcess(), startWorker());
      const each = IS_FULL ? 250 : 40;
      const report = await crew.run({ kind: "count", path, times: each });
      assertEquals(report.kind === "done" && report.turns, each * 4);
      assertEquals(JSON.parse(Deno.readTextFileSync(path)).count, each * 4);
      assertEquals(folder.names(), ["a.json"]);
    },
  });

  Deno.test({
    name: `FileLockManager.withSafeLock() lets one of Deno and ${name} in at a time`,
    ignore,
    async fn() {
      using folder = new TempFolder();
      const path = folder.file("a.json");
      await using crew = new Crew(start(), start(), startProcess(), startWorker());
      const each = IS_FULL ? 100 : 15;
      const report = await crew.run({ kind: "enter", path, times: each, holdMs: 1 });
      assertEquals(report.kind === "done" && [report.turns, report.overlaps], [each * 4, 0]);
      assertEquals(folder.names(), []);
    },
  });

  Deno.test({
    name: `FileLockManager.withSafeLock() lets one of Deno and ${name} take over a dead lock`,
    ignore,
    async fn() {
      using folder = new TempFolder();
      await using crew = new Crew(start(), start(), start(), startProcess(), startWorker());
      const kinds = Object.values(ABANDONED);
      for (let trial = 0; trial < (IS_FULL ? 140 : 14); trial++) {
        const path = folder.file(`${trial}.json`);
        kinds[trial % kinds.length](path);
        const report = await crew.run({ kind: "enter", path, times: 1, holdMs: 2 });
        const outcome = report.kind === "done" && [report.turns, report.overlaps];
        assertEquals(outcome, [5, 0], `trial ${trial}`);
      }
      assertEquals(folder.names(), []);
    },
  });

  Deno.test({
    name: `FileLockManager.withSafeLock() does not rob a ${name} process past the threshold`,
    ignore,
    async fn() {
      using folder = new TempFolder();
      const path = folder.file("a.json");
      await using holder = start();
      await hold(holder, { kind: "keep", path, keepMs: 60_000 });
      const locks = new FileLockManager({ staleThresholdMs: 20, maxWaitMs: 150 });
      await refusal("LOCK_TIMEOUT", () => locks.withSafeLock(path, "b", () => {}));
    },
  });

  Deno.test({
    name: `FileLockManager.withSafeLock() keeps a ${name} process out past the threshold`,
    ignore,
    async fn() {
      using folder = new TempFolder();
      const path = folder.file("a.json");
      await using other = start();
      const job = { kind: "enter", path, times: 1, holdMs: 0 } as const;
      using _ = replace("now", () => () => 0);
      await new FileLockManager().withSafeLock(path, "slow", async (lock) => {
        const options = { staleThresholdMs: 20, maxWaitMs: 150 };
        const report = await other.run({ ...job, options });
        assertEquals(report.kind === "failed" && report.code, "LOCK_TIMEOUT");
        lock.verify();
      });
    },
  });

  Deno.test({
    name:
      `FileLockManager.withSafeLock() takes over at once from a ${name} process that was killed`,
    ignore,
    async fn() {
      using folder = new TempFolder();
      const path = folder.file("a.json");
      await using holder = start();
      await hold(holder, { kind: "keep", path, keepMs: 60_000 });
      const waiting = new FileLockManager().withSafeLock(path, "next", () => performance.now());
      const killedMs = performance.now();
      await holder.kill();
      const waitedMs = await waiting - killedMs;
      console.log(`next one in after ${waitedMs.toFixed(1)} ms`);
      assert(waitedMs < SOON_MS, String(waitedMs));
      assertEquals(folder.names(), []);
    },
  });

  Deno.test({
    name: `A ${name} process takes over at once from a Deno process that was killed`,
    ignore,
    async fn() {
      using folder = new TempFolder();
      const path = folder.file("a.json");
      await using holder = startProcess();
      await hold(holder, { kind: "keep", path, keepMs: 60_000 });
      await holder.kill();
      await using next = start();
      const report = await next.run({ kind: "enter", path, times: 1, holdMs: 0 });
      assert(report.kind === "done" && report.longestWaitMs < SOON_MS, JSON.stringify(report));
      assertEquals(folder.names(), []);
    },
  });
}
