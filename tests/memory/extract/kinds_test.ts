import { assertEquals } from "@std/assert";
import { KINDS } from "../../../lib/memory/extract/kinds.ts";

const matches = (text: string, { pattern, unless }: (typeof KINDS)[number]) =>
  pattern.test(text) && !unless?.test(text);

KINDS.forEach((kind, index) => {
  Deno.test(`rule ${index + 1} takes its examples for a ${kind.category}, and nothing ordinary`, () => {
    for (const text of kind.examples) {
      assertEquals([text, KINDS.findIndex((other) => matches(text, other))], [text, index]);
    }
    for (const text of kind.ordinary) assertEquals([text, matches(text, kind)], [text, false]);
  });
});
