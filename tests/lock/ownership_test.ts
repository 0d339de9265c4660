/**
 * What could make two believe that a lock is theirs: each is seen before anything is done under it.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { JsonFileLock } from "../../lib/lock/mod.ts";
import { lockPathOf, takeoverPathOf } from "../../lib/lock/paths.ts";
import { refusal } from "../refusal.ts";
import { replace, replaceFiles, withoutKernelLock } from "./faults.ts";
import { HERE, lockText, originalLockText, plantLock } from "./plant.ts";
import { TempFolder } from "./temp_folder.ts";

const BRIEF = { maxWaitMs: 60 };

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

Deno.test("JsonFileLock sees at once that its lock file was moved aside", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const late = new JsonFileLock();
  await late.acquire(path, "late");
  Deno.renameSync(lockPathOf(path), folder.file("aside"));
  const successor = new JsonFileLock();
  await successor.acquire(path, "successor");
  await refusal("LOCK_LOST", () => late.release(path));
  assertEquals(JSON.parse(Deno.readTextFileSync(lockPathOf(path))).agent, "successor");
  await successor.release(path);
});

/** A promise, as another realm or a library makes it. */
function thenable(promise: Promise<unknown>): Promise<unknown> {
  return { then: promise.then.bind(promise) } as Promise<unknown>;
}

Deno.test("JsonFileLock.withLock() holds the lock until any kind of promise has settled", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const { promise, resolve } = Promise.withResolvers<string>();
  const holding = new JsonFileLock().withLock(path, "holder", () => thenable(promise));
  await later(5);
  await refusal("LOCK_TIMEOUT", () => new JsonFileLock(BRIEF).acquire(path, "b"));
  resolve("done");
  assertEquals(await holding, "done");
  assertEquals(folder.names(), []);
});

// A program that follows the documents alone reads an old lock file, and deletes what is there then.

Deno.test("JsonFileLock.acquire() does not enter when its takeover of an old lock is deleted", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  plantLock(path, lockText({ timestamp: new Date(Date.now() - 31_000).toISOString() }));
  using _ = replace("rename", (real) => (from, to) => {
    real(from, to);
    Deno.writeTextFileSync(to + ".theirs", originalLockText(0));
    Deno.renameSync(to + ".theirs", to);
  });
  const entered: string[] = [];
  await refusal(
    "LOCK_TIMEOUT",
    () => new JsonFileLock(BRIEF).withLock(path, "b", () => entered.push("in")),
  );
  assertEquals(entered, []);
});

Deno.test("JsonFileLock.acquire() looks twice at a lock that it creates after an old one", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  plantLock(path, originalLockText(29_500));
  let created = 0;
  using _ = replace("createFile", (real) => (path, mode) => {
    const file = real(path, mode);
    if (file !== undefined && ++created === 1) setTimeout(() => Deno.removeSync(path), 5);
    return file;
  });
  setTimeout(() => Deno.removeSync(lockPathOf(path)), 10);
  await new JsonFileLock({ maxWaitMs: 450 }).withLock(path, "b", async (lock) => {
    await later(10);
    lock.verify();
  });
  assertEquals(created, 2);
});

// Without a kernel lock nothing tells a creator or an owner that was stopped from one that is gone.

Deno.test("JsonFileLock.acquire() sees that it was replaced although the clock was set back", async () => {
  using folder = new TempFolder();
  using _kernel = withoutKernelLock();
  const path = folder.file("a.json");
  const { now } = Date;
  let isPaused = true;
  using _ = replaceFiles(/a\.json\.lock$/, (file) => ({
    fill(text) {
      if (!isPaused) return file.fill(text);
      isPaused = false;
      // As if it had been stopped for a while: somebody took over, and then the clock was set back.
      Deno.writeTextFileSync(folder.file("next"), lockText({ pid: Deno.pid, process: HERE }));
      Deno.renameSync(folder.file("next"), lockPathOf(path));
      Date.now = () => now() - 1;
      return file.fill(text);
    },
  }));
  const entered: string[] = [];
  try {
    await refusal(
      "LOCK_TIMEOUT",
      () => new JsonFileLock(BRIEF).withLock(path, "slow", () => entered.push("in")),
    );
  } finally {
    Date.now = now;
  }
  assertEquals(entered, []);
});

Deno.test("JsonFileLock.release() gives way to a taker that was stopped in the act", async () => {
  using folder = new TempFolder();
  using _ = withoutKernelLock();
  const path = folder.file("a.json");
  const slow = new JsonFileLock();
  await slow.acquire(path, "slow");
  const text = Deno.readTextFileSync(lockPathOf(path));
  Deno.writeTextFileSync(takeoverPathOf(path, JSON.parse(text).token), "");
  const { now } = performance;
  performance.now = () => now.call(performance) + 2_000;
  try {
    await refusal("LOCK_LOST", () => slow.release(path));
  } finally {
    performance.now = now;
  }
  assertEquals(Deno.readTextFileSync(lockPathOf(path)), text);
});
