import { assert, assertEquals } from "@std/assert";
import { lineSpans } from "../../lib/transcripts/json_lines.ts";
import { Backtracking } from "./backtracking.ts";
import { grownTooFast, stepsOf } from "./steps.ts";

Deno.test("Backtracking finds what the real engine finds", () => {
  const patterns = [
    /(a|ab)(c|bcd)(d*)/g,
    /(?:x|(\w)\1)+?(?=-)/gi,
    /(?<=(\d+)-)(?<!0-)[a-c]{2,}$/gm,
    /^\s*(?!no)\b(\w+?)\b[^\]\\/]?/gm,
    /[\p{L}\u{1f600}]{2}|\p{Cs}/gu,
    /(?:(a)|b){2,3}?/y,
    /a{0}|\x41\u0042?|\//g,
    /^(?:a|(b))+/g,
    /^a|b/g,
    /^b/gm,
  ];
  const texts = [
    "abcd aabb-xx-",
    "10-ab\n20-abc\n",
    " no yes\n\n y]",
    "\u{1f600}\u{1f600}\ud83d",
    "abb",
    "AB/",
  ];
  for (const pattern of patterns) {
    for (const text of texts) {
      for (const from of [0, 1, 2, 3, text.length]) {
        if (pattern.unicode && text.charCodeAt(from) >> 10 === 0x37) continue; // within a character
        pattern.lastIndex = from;
        const real = pattern.exec(text);
        const found = new Backtracking(pattern).find(text, from, () => {});
        assertEquals(
          [found?.index, found?.groups],
          [real?.index, real && [...real]].map((x) => x ?? undefined),
        );
      }
    }
  }
});

Deno.test("Backtracking does not look beyond the start for what is only found there", () => {
  const stepsOn = (pattern: RegExp, length: number) => {
    let steps = 0;
    new Backtracking(pattern).find("b".repeat(length), 0, (more) => void (steps += more));
    return steps;
  };
  assertEquals(stepsOn(/^(?:a|^c)/, 1_000), stepsOn(/^(?:a|^c)/, 10));
  assert(stepsOn(/^a|c/, 1_000) > 1_000);
});

Deno.test("stepsOf() gives the same count each time but for a call or two, of code, expressions and methods", async () => {
  const works = [
    () => void [...lineSpans("a\nb\n".repeat(50))],
    () => void "a b ".repeat(50).replace(/a(?= b)/g, "c"),
    () => void "ab".repeat(50).indexOf("c"),
  ];
  const once = await stepsOf(works);
  for (const [index, second] of (await stepsOf(works)).entries()) {
    const first = once[index];
    assert(first >= 100);
    assert(Math.abs(first - second) <= 2, `${first}, ${second}`);
  }
});

Deno.test("grownTooFast() tells the square from proportion, in expressions and in methods", async () => {
  const works: Record<string, (characters: number) => void> = {
    expression: (characters) => void /a+b/.exec("a".repeat(characters)),
    method: (characters) => {
      const text = "a".repeat(characters);
      for (let at = 0; at < text.length; at++) text.indexOf("b", at);
    },
    linear: (characters) => void /a{1,9}b/.exec("a".repeat(characters)),
  };
  const found = await grownTooFast(Object.keys(works), (name, length) => works[name](length), 200);
  assertEquals(found.map((each) => each.split(":")[0]), ['"expression"', '"method"']);
});
