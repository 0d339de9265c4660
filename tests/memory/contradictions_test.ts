import { assertEquals } from "@std/assert";
import { contradictionsIn } from "../../lib/memory/last_word.ts";
import { sample } from "./temp_store.ts";

/** Whether the second of two texts, the younger one, contradicts the first. */
function contradict(older: string, younger: string): boolean {
  const old = sample(older, { timestamp: "2026-01-01T00:00:00.000Z" });
  const young = sample(younger, { timestamp: "2026-02-01T00:00:00.000Z" });
  const found = contradictionsIn([young, old], ["replaced", "unsure"]);
  if (found.length > 0) assertEquals(found, [{ younger: young.id, older: old.id }]);
  return found.length > 0;
}

for (
  const [older, younger] of [
    ["The session time-out is 30 s in production.", "The session time-out is 45 s in production."],
    [
      "Tokens of the gateway expire after 15 minutes",
      "Tokens of the gateway expire after 20 minutes.",
    ],
    ["We store orders in PostgreSQL", "We store orders in SQLite"],
    ["The cache of search results is enabled", "The cache of search results is disabled"],
    ["Workers of the queue do retry", "Workers of the queue do not retry"],
  ]
) {
  Deno.test(`"${younger}" contradicts "${older}"`, () => {
    assertEquals(contradict(older, younger), true);
  });
}

for (
  const [older, younger] of [
    ["The session time-out is 30 s.", "The session time-out is 30 s."],
    ["Step 1 of the migration is done", "Step 2 of the migration is planned for May"],
    ["Use 30 s", "Use 45 s"],
    ["The parser reads every line of the file once", "The printer shows no line of a page twice"],
  ]
) {
  Deno.test(`"${younger}" does not contradict "${older}"`, () => {
    assertEquals(contradict(older, younger), false);
  });
}

Deno.test("contradictionsIn compares a word with few, however many have it", () => {
  const many = Array.from(
    { length: 5_000 },
    (_, n) => sample(`Build number ${n} of the day is green`),
  );
  assertEquals(contradictionsIn(many, ["replaced", "unsure"]).length <= 200 * 200, true);
});
