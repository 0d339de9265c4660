import { assert, assertEquals } from "@std/assert";
import { PAIRS, rarity } from "../../lib/redact/letter_pairs.ts";
import { derivePairs } from "./letter_pairs.ts";
import { makeCases } from "./shapes.ts";

Deno.test("the table of letter pairs is the one that the prose of the dev half gives", () => {
  assertEquals(PAIRS, derivePairs());
});

Deno.test("rarity() tells what was drawn by chance from names of any length", () => {
  const names = [
    "decodeBase64url",
    "invalidBase64URLStrings",
    "application/vnd.3gpp.gtpc",
    "src/arbitrary/uint8Array.ts",
    "StandardJSONSchemaV1",
    "correct-horse-battery-staple",
    "xorshift128plusGenerator",
  ];
  const drawn = makeCases({ any: ["@[{an:32}]@", "@[{low:32}]@", "@[{b64:40}]@"] }, {
    seed: 3,
    times: 200,
  });
  const most = Math.max(...names.map(rarity));
  const least = Math.min(...drawn.map(({ text }) => rarity(text)));
  assert(most < least, `${most} < ${least}`);
});
