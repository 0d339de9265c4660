import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { nearMatcher, wildcardMatcher } from "../../../lib/memory/search/loose_match.ts";

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

Deno.test("nearMatcher() passes what is near, and not what is far", () => {
  const fits = nearMatcher("queue", 1);
  assertEquals(["queue", "queu", "quewe", "queues"].map(fits), [true, true, true, true]);
  assertEquals(["que", "retry", "queueing"].map(fits), [false, false, false]);
});
