/** A secret in another spelling, and texts in the same spellings that stay. */

import { assert, assertEquals } from "@std/assert";
import { redact, redacted } from "../../lib/redact/redact.ts";

/** Made here, so that no secret stands in the source. */
const TAIL = ["k7Qw2xT9Zr", "4mBv8aB3dE", "5fG7hJ9kL1", "mN3pQ5"].join("");
const TOKEN = `ghp_${TAIL}`;
const PASSWORD = ["k7Qw2", "xT9!Zr"].join("");
const JWT = `eyJhbGciOiJIUzI1NiJ9.${btoa('{"sub":"1234","name":"Bob"}')}.${TAIL}xYz01`
  .replaceAll("=", "");

const HIDDEN: Record<string, readonly string[]> = {
  "in Base64": [
    `see ${btoa(`password=${PASSWORD}`)} there`,
    `see ${btoa(`{"token":"${TOKEN}"}`)} there`,
    `see ${btoa(JWT)} there`,
    `data:\n  config: ${btoa(`https://bob:${PASSWORD}@host/a`)}\n`,
  ],
  "with percent signs": [
    `q=${encodeURIComponent(`password=${PASSWORD}`)}`,
    `u=ghp%5F${TAIL}&v=1`,
  ],
  "in escapes of code and of markup": [
    `"\\u0067hp_${TAIL}"`,
    `"\\x67hp_${TAIL}"`,
    `<b>&#103;hp_${TAIL}</b>`,
    `<b>&#x67;hp_${TAIL}</b>`,
  ],
  "broken over lines": [
    `"${TOKEN.slice(0, 20)}" + "${TOKEN.slice(20)}"`,
    `"${TOKEN.slice(0, 20)}" +\n    "${TOKEN.slice(20)}"`,
    `export A=${TOKEN.slice(0, 24)}\\\n${TOKEN.slice(24)}`,
    `the token is ${TOKEN.slice(0, 24)}\n${TOKEN.slice(24)}\nand so on`,
  ],
  "glued to letters": [`see token${TOKEN}`, `x${TOKEN} there`],
};

for (const [spelling, texts] of Object.entries(HIDDEN)) {
  Deno.test(`redact() takes a secret out that is ${spelling}`, () => {
    const pieces = [
      TAIL.slice(0, 12),
      TAIL.slice(-12),
      PASSWORD.slice(0, 8),
      btoa(JWT).slice(8, 20),
    ];
    for (const text of texts) {
      const { text: left, kinds } = redacted(text);
      assertEquals(pieces.filter((piece) => left.includes(piece)), [], left);
      assertEquals(Object.values(kinds), [1], left);
      assertEquals(redact(left), left);
    }
  });
}

Deno.test("redact() leaves the words around a secret in another spelling", () => {
  assertEquals(
    redact(`a ${btoa(`password=${PASSWORD}`)} b\nc ghp%5F${TAIL} d`),
    "a [redacted: password] b\nc [redacted: github-token] d",
  );
  const broken = redact(`the token is ${TOKEN.slice(0, 24)}\n${TOKEN.slice(24)}\nand so on`);
  assert(broken.endsWith("]\nand so on"), broken);
});

Deno.test("redact() leaves texts in other spellings that hold no secret", () => {
  const texts = [
    `see ${btoa("one line of a plain text")} there`,
    "https://a.example/?q=one%20two%2Fthree%3Dfour",
    '"\\u0061bc" + "def"',
    'const long =\n  "one" +\n  "two";',
    `token: ${btoa("password: the one of your account")}`.slice(7),
    "The name of the function is decodeBase64url\nreadUInt16LE\n",
  ];
  assertEquals(texts.map(redact), texts);
});
