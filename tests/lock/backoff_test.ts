import { assert, assertEquals } from "@std/assert";
import type { Hold } from "../../lib/lock/held_lock.ts";
import { Backoff, lockTimeout, type Wait } from "../../lib/lock/backoff.ts";

/** A wait for one owner. */
function wait(waitedMs: number): Wait {
  return { waitedMs, ownerMs: waitedMs, isCrowded: false };
}

Deno.test("Backoff.delayMs() doubles the documents' base delay until their last attempt", () => {
  const schedule = new Backoff({ maxRetries: 5, baseDelayMs: 200 });
  const delays = [1, 2, 3, 4, 5].map((attempt) => schedule.delayMs(attempt, wait(0)));
  assertEquals(delays, [200, 400, 800, 1600, undefined]);
});

Deno.test("Backoff.delayMs() grows with the wait and differs by chance, without end", () => {
  const schedule = new Backoff();
  for (const [waitedMs, least, most] of [[0, 0.5, 1.5], [16, 2, 6], [4_000, 10, 30]]) {
    const delays = Array.from(
      { length: 50 },
      () => schedule.delayMs(1_000, wait(waitedMs)) ?? NaN,
    );
    assert(delays.every((delayMs) => delayMs >= least && delayMs <= most), String(delays));
    assert(new Set(delays).size > 1);
  }
});

Deno.test("Backoff.delayMs() is longer in a crowd, but not for a waiter that is overtaken for long", () => {
  const longest = (waitedMs: number, isCrowded: boolean) => {
    const wait = { waitedMs, ownerMs: 4, isCrowded };
    return Math.max(...Array.from({ length: 50 }, () => new Backoff().delayMs(1_000, wait) ?? NaN));
  };
  assert(longest(200, true) >= 10);
  assert(longest(200, false) <= 1.5);
  assert(longest(3_000, true) <= 1.5);
});

/** A hold that is just over. */
function hold(holdMs: number, isWanted = true): Hold {
  const endMs = performance.now();
  return { startMs: endMs - holdMs, endMs, isWanted };
}

Deno.test("Backoff.yieldMs() is in proportion to the hold that others waited for, within bounds", () => {
  for (const [holdMs, most] of [[5, 3], [20, 10], [5_000, 32]]) {
    const schedule = new Backoff();
    schedule.recordHold("path", hold(holdMs));
    const yieldMs = schedule.yieldMs("path");
    assert(yieldMs > most - 2 && yieldMs <= most, String(yieldMs));
  }
});

Deno.test("Backoff.yieldMs() does not wait where nobody did, after a short turn, or once that time is over", () => {
  const schedule = new Backoff();
  schedule.recordHold("unwanted", hold(20, false));
  schedule.recordHold("short", hold(3));
  schedule.recordHold("left", { startMs: 0, endMs: performance.now() - 40, isWanted: true });
  const paths = ["unwanted", "short", "left", "unknown"];
  assertEquals(paths.map((path) => schedule.yieldMs(path)), [0, 0, 0, 0]);
});

Deno.test("Backoff.yieldMs() counts turns that follow each other as one", () => {
  const schedule = new Backoff();
  const endMs = performance.now();
  schedule.recordHold("path", { startMs: endMs - 6, endMs: endMs - 3, isWanted: true });
  schedule.recordHold("path", { startMs: endMs - 2.5, endMs, isWanted: false });
  assert(schedule.yieldMs("path") > 0);
  assertEquals(schedule.yieldMs("path"), 0);
});

Deno.test("Backoff.recordHold() remembers a bounded number of files", () => {
  const schedule = new Backoff();
  for (let i = 0; i < 1_000; i++) schedule.recordHold(`path-${i}`, hold(5_000));
  const yielding = Array.from({ length: 1_000 }, (_, i) => schedule.yieldMs(`path-${i}`));
  assert(yielding.filter((ms) => ms > 0).length <= 64);
});

Deno.test("lockTimeout() names the holder, its host and since when", () => {
  const holder = { pid: 7, timestamp: "2026-03-01T10:00:00.000Z", agent: "engineer", host: "vm" };
  const error = lockTimeout("/a.json", 5_000.4, holder);
  assertEquals(error.details, { path: "/a.json", waitedMs: 5_000, holder });
  for (const part of ["engineer", "7", "vm", "2026-03-01T10:00:00.000Z", "/a.json", "5.0 s"]) {
    assert(error.message.includes(part), part);
  }
});

Deno.test("lockTimeout() says so when nobody is named", () => {
  assertEquals(lockTimeout("/a.json", 1, undefined).details.holder, null);
});
