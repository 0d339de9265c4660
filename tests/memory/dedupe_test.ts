import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { firstDuplicateOf } from "../../lib/memory/dedupe.ts";
import { similarity } from "../../lib/text/similarity.ts";

/** The same by comparing each with each. */
function naive(texts: readonly string[]): number[] {
  const first: number[] = [];
  for (const [index, text] of texts.entries()) {
    const alike = texts.findIndex((other, at) =>
      at < index && first[at] === at && /[\p{L}\p{N}]/u.test(text) && similarity(other, text) >= 0.9
    );
    first.push(alike < 0 ? index : alike);
  }
  return first;
}

Deno.test("firstDuplicateOf() finds the first text of the same words, case and punctuation apart", () => {
  assertEquals(firstDuplicateOf(["Chose JSON.", "other", "chose json", "JSON: chose!"]), [
    0,
    1,
    0,
    0,
  ]);
});

Deno.test("firstDuplicateOf() keeps short texts apart that differ in one word, and texts without words", () => {
  assertEquals(firstDuplicateOf(["port 80 is open", "port 90 is open", "...", "...", ""]), [
    0,
    1,
    2,
    3,
    4,
  ]);
});

Deno.test("firstDuplicateOf() finds what comparing each with each finds", () => {
  const word = fc.integer({ min: 0, max: 14 }).map((number) => `w${number}`);
  const text = fc.array(word, { minLength: 0, maxLength: 14 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), (texts) => {
      const found = firstDuplicateOf(texts);
      const expected = naive(texts);
      // Where several came first that say the same, either will do.
      assertEquals(
        found.map((first, at) => first === at),
        expected.map((first, at) => first === at),
      );
    }),
    { numRuns: 300 },
  );
});
