import { assertEquals } from "@std/assert";
import { dateWeight, readDate } from "../../../lib/memory/search/ranking.ts";

const cases: ReadonlyArray<
  readonly [question: string, year: number | undefined, month: number, day: number | undefined]
> = [
  ["what broke on 2026-02-27", 2026, 1, 27],
  ["decided in 2026-02", 2026, 1, undefined],
  ["What did they say on October 13, 2023?", 2023, 9, 13],
  ["the talk of 13 October", undefined, 9, 13],
  ["the talk of 13th of Oct. 2023", 2023, 9, 13],
  ["since Sept 3rd", undefined, 8, 3],
  ["in May 2026", 2026, 4, undefined],
  ["during february", undefined, 1, undefined],
];

for (const [question, year, month, day] of cases) {
  Deno.test(`readDate() reads "${question}"`, () => {
    const { text: _, ...date } = readDate(question)!;
    assertEquals(date, { year, month, day });
  });
}

for (
  const text of ["what may fail", "march on", "port 8080", "version 12.3", "second 5 decimals"]
) {
  Deno.test(`readDate() sees no date in "${text}"`, () => {
    assertEquals(readDate(text), undefined);
  });
}

Deno.test("dateWeight() weighs the day more than the month, and nothing else", () => {
  const date = readDate("on October 13, 2023")!;
  const [day, month, other, year] = ["2023-10-13", "2023-10-14", "2023-11-13", "2022-10-13"]
    .map((time) => dateWeight(date, Date.parse(time)));
  assertEquals(day > month && month > other, true);
  assertEquals([other, year], [1, 1]);
  assertEquals(dateWeight(readDate("on 13 October")!, Date.parse("2022-10-13")), day);
});
