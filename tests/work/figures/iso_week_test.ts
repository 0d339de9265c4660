import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  formatIsoWeek,
  isoWeekOf,
  parseIsoWeek,
  weekBounds,
} from "../../../lib/work/figures/iso_week.ts";

/** Days with the week that `date +%G-W%V` gives them. */
const KNOWN: [day: string, week: string][] = [
  ["2026-02-22", "2026-W08"],
  ["2026-02-23", "2026-W09"],
  ["2026-03-01", "2026-W09"],
  ["2024-12-29", "2024-W52"],
  ["2024-12-30", "2025-W01"],
  ["2021-01-03", "2020-W53"],
  ["2021-01-04", "2021-W01"],
  ["2016-01-01", "2015-W53"],
  ["1970-01-01", "1970-W01"],
  ["1969-12-28", "1969-W52"],
];

for (const [day, week] of KNOWN) {
  Deno.test(`isoWeekOf() finds ${week} for ${day}`, () => {
    assertEquals(formatIsoWeek(isoWeekOf(Date.parse(`${day}T00:00:00.000Z`))), week);
    assertEquals(formatIsoWeek(isoWeekOf(Date.parse(`${day}T23:59:59.999Z`))), week);
  });
}

Deno.test("boundsOf() goes from Monday to Monday", () => {
  const { startMs, endMs } = weekBounds({ year: 2026, week: 9 });
  assertEquals(new Date(startMs).toISOString(), "2026-02-23T00:00:00.000Z");
  assertEquals(new Date(endMs).toISOString(), "2026-03-02T00:00:00.000Z");
});

Deno.test("boundsOf() holds every time whose week it is, and no other", () => {
  const anyTime = fc.integer({ min: Date.UTC(1970, 0, 5), max: Date.UTC(2500, 0, 1) });
  fc.assert(fc.property(anyTime, (ms) => {
    const week = isoWeekOf(ms);
    const { startMs, endMs } = weekBounds(week);
    const isNext = formatIsoWeek(isoWeekOf(endMs)) !== formatIsoWeek(week);
    return startMs <= ms && ms < endMs && isNext && new Date(startMs).getUTCDay() === 1;
  }));
});

Deno.test("parseIsoWeek() reads what formatIsoWeek() writes", () => {
  assertEquals(parseIsoWeek("2020-W53"), { year: 2020, week: 53 });
  assertEquals(formatIsoWeek({ year: 2026, week: 9 }), "2026-W09");
});

Deno.test("parseIsoWeek() refuses a week that there is not", () => {
  const wrong = [
    "2026-W54",
    "2025-W53",
    "0026-W09",
    "2026-W00",
    "2026-9",
    "2026-w09",
    "26-W09",
    "",
  ];
  assertEquals(wrong.map(parseIsoWeek), wrong.map(() => undefined));
});
