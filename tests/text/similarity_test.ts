import { assert } from "@std/assert";
import fc from "fast-check";
import { mayHaveOneOf, wordsOf } from "../../lib/text/similarity.ts";

Deno.test("mayHaveOneOf() says no only of texts that have none of the words", () => {
  const word = fc.constantFrom("lock", "Lock5", "stra\u00dfe", "K\u212a", "a-b", "\u691c\u7d22");
  const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(" "));
  fc.assert(fc.property(text, text, (words, said) => {
    const wanted = wordsOf(words);
    const hasOne = [...wanted].some((each) => wordsOf(said).has(each));
    assert(!hasOne || mayHaveOneOf(wanted, said));
  }));
  assert(!mayHaveOneOf(["lock"], "Plain text"));
});
