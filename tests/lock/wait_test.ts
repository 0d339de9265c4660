import { assert, assertEquals } from "@std/assert";
import { lockTimeout, WaitSchedule } from "../../lib/lock/wait.ts";

Deno.test("WaitSchedule.delayMs() doubles the documents' base delay until their last attempt", () => {
  const schedule = new WaitSchedule({ maxRetries: 5, baseDelayMs: 200 });
  const delays = [1, 2, 3, 4, 5].map((attempt) => schedule.delayMs(attempt));
  assertEquals(delays, [200, 400, 800, 1600, undefined]);
});

Deno.test("WaitSchedule.delayMs() polls without end by default", () => {
  const schedule = new WaitSchedule();
  assertEquals([1, 1_000].map((attempt) => schedule.delayMs(attempt)), [1, 1]);
});

Deno.test("WaitSchedule.giveWayMs() lets others in after a streak of turns they waited through", () => {
  const schedule = new WaitSchedule();
  schedule.noteTurn("path", { startMs: 100, endMs: 110, isWanted: true });
  assert(schedule.giveWayMs("path", 110.5) > 0);
  assertEquals(schedule.giveWayMs("path", 110.5), 0);
});

Deno.test("WaitSchedule.giveWayMs() does not wait when nobody does, or after a short turn", () => {
  const schedule = new WaitSchedule();
  schedule.noteTurn("unwanted", { startMs: 100, endMs: 110, isWanted: false });
  schedule.noteTurn("short", { startMs: 109, endMs: 110, isWanted: true });
  schedule.noteTurn("left", { startMs: 100, endMs: 105, isWanted: true });
  const paths = ["unwanted", "short", "left", "unknown"];
  assertEquals(paths.map((path) => schedule.giveWayMs(path, 110.5)), [0, 0, 0, 0]);
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

Deno.test("WaitSchedule adds turns that follow each other to one streak", () => {
  const schedule = new WaitSchedule();
  schedule.noteTurn("path", { startMs: 100, endMs: 104, isWanted: true });
  schedule.noteTurn("path", { startMs: 104.5, endMs: 110, isWanted: false });
  assert(schedule.giveWayMs("path", 0) > 0); // it waited for the task before it
});
