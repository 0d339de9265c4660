import { assertEquals } from "@std/assert";
import { termsOf } from "../../../lib/memory/index/tokens.ts";

Deno.test("termsOf() drops stop words and keeps stems", () => {
  assertEquals(termsOf("We decided to use the deciding lock"), ["decid", "us", "decid", "lock"]);
});

Deno.test("termsOf() finds both spellings of an accent, and of a full-width letter", () => {
  assertEquals(
    termsOf("caf\u00e9 cafe\u0301 cafe \uff23\uff41\uff46\uff45"),
    Array(4).fill("cafe"),
  );
});

Deno.test("termsOf() reads any alphabet", () => {
  assertEquals(termsOf("\u0420\u0435\u0448\u0435\u043d\u0438\u0435 42"), [
    "\u0440\u0435\u0448\u0435\u043d\u0438\u0435",
    "42",
  ]);
  assertEquals(termsOf("\u0939\u093f\u0928\u094d\u0926\u0940").length, 1);
});

Deno.test("termsOf() reads CJK as pairs of characters, also next to other words", () => {
  assertEquals(termsOf("use\u6570\u636e\u5e93API"), ["us", "\u6570\u636e", "\u636e\u5e93", "api"]);
  assertEquals(termsOf("\u5e93"), ["\u5e93"]);
  assertEquals(termsOf("\u304c"), ["\u304c"]);
});

Deno.test("termsOf() splits paths and names at what is neither letter nor digit", () => {
  assertEquals(termsOf("lib/lock/json_file.ts"), ["lib", "lock", "json", "file", "ts"]);
});

Deno.test("termsOf() finds a name as it is written, and by its parts", () => {
  assertEquals(termsOf("parseHTTPHeader"), ["parsehttphead", "pars", "http", "header"]);
  assertEquals(termsOf("Lock lock LOCK v2"), ["lock", "lock", "lock", "v2"]);
  assertEquals(termsOf("\u00e9tatFinal"), ["etatfin", "etat", "final"]);
});
