import { assertEquals } from "@std/assert";
import lunr from "lunr";
import { stem } from "../../../lib/memory/index/stem.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;

/** Beginnings, and everything that the algorithm looks for in an ending. */
const PIECES = ("a e i o u y b d t s l n st tr ing ed eed ies sses ational tional enci anci izer " +
  "bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti biliti " +
  "logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ou " +
  "ism ate iti ous ive ize sion tion ion ll").split(" ");

function vocabulary(): Set<string> {
  const words = new Set<string>();
  for (const folder of ["lib/memory", "lib/clarify", "lib/lock", "tests/redact/prose/dev"]) {
    for (const { name, isFile } of Deno.readDirSync(ROOT + folder)) {
      if (!isFile) continue;
      const text = Deno.readTextFileSync(`${ROOT}${folder}/${name}`).toLowerCase();
      for (const word of text.match(/[a-z]+/g) ?? []) words.add(word);
    }
  }
  for (const a of PIECES.slice(0, 12)) {
    for (const b of PIECES) for (const c of PIECES) words.add(a + b + c);
  }
  return words;
}

Deno.test("stem() is lunr's stemmer on the words of this repository and on every ending", () => {
  const words = [...vocabulary()];
  const expected = (word: string) => lunr.stemmer(new lunr.Token(word)).toString();
  assertEquals(words.length > 40_000, true);
  assertEquals(words.filter((word) => stem(word) !== expected(word)), []);
});

Deno.test("stem() leaves words of other alphabets and names with digits alone", () => {
  for (const word of ["\u0440\u0435\u0448\u0435\u043d\u0438\u0435\u0441", "sha256s"]) {
    assertEquals(stem(word), word);
  }
});
