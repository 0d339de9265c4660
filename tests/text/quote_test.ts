import { assertEquals } from "@std/assert";
import { clip, quote } from "../../lib/base/quote.ts";

Deno.test("clip() keeps eighty characters", () => {
  assertEquals(clip("x".repeat(80)), "x".repeat(80));
  assertEquals(clip("x".repeat(81)), "x".repeat(80) + "...");
});

Deno.test("quote() writes a value as JSON on one line", () => {
  assertEquals(
    ["a\nb", 'say "a"', 5, null, undefined, ["a"], { b: 1 }].map(quote),
    ['"a\\nb"', '"say \\"a\\""', "5", "null", "undefined", '["a"]', '{"b":1}'],
  );
});

Deno.test("quote() cuts what is long", () => {
  for (const value of ["x".repeat(40_000), Array(40_000).fill(1), "\u{1f680}".repeat(20_000)]) {
    assertEquals(quote(value).length < 100, true);
    assertEquals(quote(value).isWellFormed(), true);
  }
});

Deno.test("quote() says it of a value that JSON cannot represent", () => {
  const circle: unknown[] = [];
  circle.push(circle);
  assertEquals(quote(circle), "a value that JSON cannot represent");
});
