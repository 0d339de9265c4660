import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import lunr from "lunr";
import { isNear, wildcardMatcher } from "../../../lib/memory/search/signed_query.ts";
import { often } from "../../often.ts";

const letters = (alphabet: string, maxLength: number) =>
  fc.array(fc.constantFrom(...alphabet), { maxLength }).map((all) => all.join(""));

Deno.test("wildcardMatcher() fits as a regular expression with .* for each star does", () => {
  const pattern = fc.tuple(letters("ab*", 6), letters("ab*", 6)).map((halves) => halves.join("*"));
  fc.assert(fc.property(pattern, letters("ab", 8), (pattern, term) => {
    const regex = new RegExp(`^${pattern.replaceAll("*", ".*")}$`);
    assertEquals(wildcardMatcher(pattern)(term), regex.test(term));
  }));
});

Deno.test("wildcardMatcher() takes each part between the stars once", () => {
  assert(!wildcardMatcher(`${"*a*b".repeat(50)}*c`)("ab".repeat(10_000)));
});

Deno.test("isNear() finds the terms that lunr takes for near", () => {
  const word = letters("abc", 6).filter((word) => word !== "");
  fc.assert(
    fc.property(word, word, fc.integer({ min: 1, max: 2 }), (word, term, edits) => {
      const near = lunr.TokenSet.fromFuzzyString(word, edits);
      const isIn = lunr.TokenSet.fromString(term).intersect(near).toArray().length > 0;
      assertEquals(isNear(word, term, edits), isIn);
    }),
    often(2_000),
  );
});
