import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { groupsAlike } from "../../lib/memory/alike.ts";

const PAIRS = (group: readonly number[]) => group.length < 2;

/** So many texts about nothing that another one is about. */
function strangers(count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `The topic${index} of day${index} was word${index}.`,
  );
}

Deno.test("groupsAlike() puts together what has rare words in common, wherever it stands", () => {
  const texts = [
    "The walrus cache was kept of old.",
    ...strangers(40),
    "The heron index was written of late.",
    "The day of the walrus cache was long.",
    "The topic of heron was an index.",
  ];
  const together = groupsAlike(texts, PAIRS).filter(({ length }) => length > 1);
  assertEquals(together, [[0, 42], [41, 43]]);
});

Deno.test("groupsAlike() leaves alone what has only usual words in common", () => {
  const groups = groupsAlike(strangers(50), PAIRS);
  assertEquals(groups, Array.from({ length: 50 }, (_, index) => [index]));
});

Deno.test("groupsAlike() takes the next best where there is no room", () => {
  const texts = [
    "walrus heron otter zebra",
    "walrus heron otter",
    ...strangers(30),
    "walrus heron otter zebra seal",
  ];
  const hasRoom = (group: readonly number[], next: number) => !group.includes(0) || next === 1;
  assertEquals(groupsAlike(texts, hasRoom).filter(({ length }) => length > 1), [[0, 1]]);
  const notFirst = (group: readonly number[]) => !group.includes(0);
  assertEquals(groupsAlike(texts, notFirst).filter(({ length }) => length > 1), [[1, 32]]);
});

Deno.test("groupsAlike() has each text once, and compares only with the latest that wait", () => {
  const texts = ["walrus heron otter", ...strangers(400), "walrus heron otter"];
  assertEquals(groupsAlike(texts, PAIRS).length, texts.length);
  fc.assert(fc.property(fc.array(fc.lorem({ maxCount: 8 }), { maxLength: 60 }), (texts) => {
    const groups = groupsAlike(texts, (group) => group.length < 4);
    assertEquals(groups.flat().sort((a, b) => a - b), texts.map((_, index) => index));
    assert(groups.every((group) => group.length <= 4));
  }));
});
