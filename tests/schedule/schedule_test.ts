import { assertEquals } from "@std/assert";
import { nextTime } from "../../lib/schedule/schedule.ts";

/** On the days when the clocks of Berlin change: the expression, from when on, and how often it comes in two days. */
const CHANGES: [name: string, cron: string, from: string, times: number][] = [
  ["a time that comes twice, alone", "30 2 * * *", "2026-10-24T12:00:00Z", 2],
  ["a time that comes twice, in a list", "30 2,4 * * *", "2026-10-24T12:00:00Z", 4],
  ["a time that comes twice, in a range", "30 1-3 * * *", "2026-10-24T12:00:00Z", 6],
  ["a time that does not come", "30 2 * * *", "2026-03-28T12:00:00Z", 2],
  ["every hour, with 25 in a day", "0 * * * *", "2026-10-24T12:00:00Z", 48],
  ["every hour, with 23 in a day", "0 * * * *", "2026-03-28T12:00:00Z", 48],
  ["every half an hour, with 25 in a day", "*/30 * * * *", "2026-10-24T12:00:00Z", 96],
];

for (const [name, cron, from, times] of CHANGES) {
  Deno.test(`nextTime(): ${name}`, () => {
    const schedule = { cron, timeZone: "Europe/Berlin" };
    const [start, found] = [Date.parse(from), new Array<string>()];
    for (let at = nextTime(schedule, start)!; at <= start + 48 * 60 * 60_000;) {
      found.push(new Date(at).toISOString());
      at = nextTime(schedule, at)!;
    }
    assertEquals(found.length, times, found.join(" "));
  });
}
