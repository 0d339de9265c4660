import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { SaidBefore } from "../../lib/memory/dedupe.ts";
import { similarity } from "../../lib/text/similarity.ts";
import { often } from "../often.ts";

const numbers = (text: string) =>
  (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => /\d/.test(word))
    .filter((word, at, all) => all.indexOf(word) === at).sort().join(" ");

/** For each text the index of the first one that says the same. */
function firstDuplicateOf(texts: readonly string[]): number[] {
  const said = new SaidBefore();
  return texts.map((text) => said.add(text));
}

/** The same by comparing each with each. */
function naive(texts: readonly string[]): number[] {
  const first: number[] = [];
  for (const [index, text] of texts.entries()) {
    const alike = texts.findIndex((other, at) =>
      at < index && first[at] === at && numbers(other) === numbers(text) &&
      /[\p{L}\p{N}]/u.test(text) && similarity(other, text) >= 0.9
    );
    first.push(alike < 0 ? index : alike);
  }
  return first;
}

Deno.test("SaidBefore finds the first text of the same words, case and punctuation apart", () => {
  assertEquals(firstDuplicateOf(["Chose JSON.", "other", "chose json", "JSON: chose!"]), [
    0,
    1,
    0,
    0,
  ]);
});

Deno.test("SaidBefore keeps short texts apart that differ in one word, and texts without words", () => {
  assertEquals(firstDuplicateOf(["port 80 is open", "port 90 is open", "...", "...", ""]), [
    0,
    1,
    2,
    3,
    4,
  ]);
});

Deno.test("SaidBefore keeps long texts apart that differ in a number", () => {
  const said = (retries: number) =>
    `The client of the billing service makes ${retries} retries with a growing delay before it gives up and says why in the log.`;
  assertEquals(firstDuplicateOf([said(3), said(5), said(3)]), [0, 1, 0]);
});

for (
  const [what, other] of [
    ["negation", "is not set up"],
    ["name", "is set up by `PoolKeeper`"],
    ["file", "is set up in lib/pool.ts"],
  ]
) {
  Deno.test(`SaidBefore keeps long texts apart that differ in a ${what}`, () => {
    const said = (how: string) =>
      `The pool of connections to the billing database ${how} once at the start of the program, before any request is served.`;
    assertEquals(firstDuplicateOf([said("is set up"), said(other)]), [0, 1]);
  });
}

Deno.test("SaidBefore finds what comparing each with each finds", () => {
  const word = fc.constantFrom(..."abcdefghijklmn1");
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
    often(300),
  );
});

Deno.test("SaidBefore keeps apart what says no once more, where both say no", () => {
  const said = (is: string) =>
    `Requests that have no tenant are answered without a lookup, since the cache of the gateway ${is} asked for them at night.`;
  assertEquals(firstDuplicateOf([said("is"), said("is not")]), [0, 1]);
});
