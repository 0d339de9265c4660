import { assert, assertEquals } from "@std/assert";
import { lockTimeout, WaitSchedule } from "../../lib/lock/wait.ts";

Deno.test("WaitSchedule.delayMs() doubles the documents' base delay until their last attempt", () => {
  const schedule = new WaitSchedule({ maxRetries: 5, baseDelayMs: 200 });
  const delays = [1, 2, 3, 4, 5].map((attempt) => schedule.delayMs(attempt, 0));
  assertEquals(delays, [200, 400, 800, 1600, undefined]);
});

Deno.test("WaitSchedule.delayMs() polls every few milliseconds by default, fastest who waited long", () => {
  const schedule = new WaitSchedule();
  for (let attempt = 1; attempt < 1_000; attempt++) {
    const delayMs = schedule.delayMs(attempt, 0) ?? NaN;
    assert(delayMs >= 1 && delayMs <= 3);
  }
  assertEquals(schedule.delayMs(1_000, 100), 1);
});

Deno.test("WaitSchedule.giveWay() lets others in after a streak of turns they waited through", async () => {
  const schedule = new WaitSchedule();
  const startMs = performance.now();
  schedule.noteTurn("path", startMs - 10, true);
  await schedule.giveWay("path");
  assert(performance.now() - startMs >= 2);
});

Deno.test("WaitSchedule.giveWay() does not wait when nobody does", async () => {
  const schedule = new WaitSchedule();
  schedule.noteTurn("path", performance.now() - 10, false);
  let timers = 0;
  const real = globalThis.setTimeout;
  globalThis.setTimeout =
    ((...args: Parameters<typeof real>) => (timers++, real(...args))) as typeof real;
  try {
    await schedule.giveWay("path");
  } finally {
    globalThis.setTimeout = real;
  }
  assertEquals(timers, 0);
});

Deno.test("lockTimeout() names the holder, its host and since when", () => {
  const holder = { pid: 7, timestamp: "2026-03-01T10:00:00.000Z", agent: "engineer", host: "vm" };
  const error = lockTimeout("/a.json", 5_000.4, { ...holder, token: "secret" } as typeof holder);
  assertEquals(error.details, { path: "/a.json", waitedMs: 5_000, holder });
  for (const part of ["engineer", "7", "vm", "2026-03-01T10:00:00.000Z", "/a.json", "5.0 s"]) {
    assert(error.message.includes(part), part);
  }
});

Deno.test("lockTimeout() says so when nobody is named", () => {
  assertEquals(lockTimeout("/a.json", 1, undefined).details.holder, null);
});
