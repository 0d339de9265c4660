import { assertEquals } from "@std/assert";
import { outlineOf } from "../../lib/text/outline.ts";
import { grownTooFast } from "../steps/steps.ts";

const headings = (markdown: string) =>
  Array.from(outlineOf(markdown)).flatMap(({ heading }) =>
    heading === null ? [] : [`${heading.level} ${heading.title}`]
  );

const texts = (markdown: string) => Array.from(outlineOf(markdown), ({ text }) => text);

Deno.test("outlineOf() finds headings with their level, without closing marks", () => {
  assertEquals(headings("# A\n##  B b ##\n   ### C#\n####### no\n#no\n    # code\n##\n"), [
    "1 A",
    "2 B b",
    "3 C#",
    "2 ",
  ]);
});

Deno.test("outlineOf() counts lines from 1", () => {
  const numbers = Array.from(outlineOf("a\r\n```\nb\n```\n# C"), ({ line }) => line);
  assertEquals(numbers, [1, 5]);
});

Deno.test("outlineOf() leaves fenced code out, to the fence that ends it", () => {
  assertEquals(texts("a\n```md\n## X\n``\n~~~\n````\nb\n~~~\n## Y\n```\n~~~\nc"), ["a", "b", "c"]);
});

Deno.test("outlineOf() takes code in a line for no fence", () => {
  assertEquals(headings("```x``` y\n## A"), ["2 A"]);
});

Deno.test("outlineOf() leaves an open fence out to the end", () => {
  assertEquals(texts("a\n```\n## X\n"), ["a"]);
});

Deno.test("outlineOf() leaves comments out, also those over several lines", () => {
  assertEquals(texts("a <!-- b --> c\n<!--\n## X\n--> d\n<!-- e"), ["a  c", "", "", " d", ""]);
});

Deno.test("outlineOf() leaves frontmatter out", () => {
  assertEquals(texts("---\n# x: y\n---\nz"), ["z"]);
  assertEquals(headings("---\n## A"), ["2 A"]);
});

Deno.test("outlineOf() takes steps in proportion to the length of the text", async () => {
  const work = (piece: string, length: number) => void texts(piece.repeat(length / piece.length));
  assertEquals(await grownTooFast(["#", " #", "# ", "<!--"], work, 400), []);
});
