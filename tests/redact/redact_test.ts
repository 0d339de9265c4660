import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  createRedactor,
  cutPrivate,
  cutPrivateParts,
  findSecrets,
  redact,
  redacted,
  redactValue,
} from "../../lib/redact/redact.ts";
import { randomFrom } from "./shapes.ts";
import { often } from "../often.ts";

const random = randomFrom(7);
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function letters(length: number, alphabet = ALPHABET): string {
  return Array.from({ length }, () => alphabet[random(alphabet.length)]).join("");
}

const HEX = "0123456789abcdef";
const TOKEN = `ghp_${letters(36)}`;
const CHOSEN = "k7Qw2_xT9!Zr";

Deno.test("redact() puts the class in the place of a secret and keeps what is around", () => {
  assertEquals(redact(`use ${TOKEN} here`), "use [redacted: github-token] here");
  assertEquals(
    redact(`DB_PASSWORD=${CHOSEN}\nDB_HOST=a`),
    "DB_PASSWORD=[redacted: password]\nDB_HOST=a",
  );
  assertEquals(
    redact(`the password is ${CHOSEN}, again`),
    "the password is [redacted: password], again",
  );
});

Deno.test("redact() keeps hashes, ids, certificates and placeholders", () => {
  const texts = [
    `commit ${letters(40, HEX)}`,
    `sha256:${letters(64, HEX)}`,
    "CLR-42-001 obs-engineer-29-1709035200000-a1b2c3 123e4567-e89b-42d3-a456-426614174000",
    `-----BEGIN CERTIFICATE-----\n${letters(64)}\n-----END CERTIFICATE-----`,
    "API_KEY=${API_KEY} password: <your-password> token = getToken()",
  ];
  assertEquals(texts.map(redact), texts);
});

Deno.test("redact() knows a token that was cut at the end of the text", () => {
  assertEquals(redact("token ghp_4kX9wQ2"), "token [redacted: github-token]");
  assertEquals(redact("ghp_ is a prefix"), "ghp_ is a prefix");
});

Deno.test("redact() reads through what is not seen, and leaves it outside of the secret", () => {
  const broken = TOKEN.slice(0, 9) + "\x1b[31m" + TOKEN.slice(9, 20) + "\u200b" + TOKEN.slice(20);
  assertEquals(redact(`a\u200bb ${broken}\x1b[0m c`), "a\u200bb [redacted: github-token]\x1b[0m c");
  assertEquals(
    redact(`\x1b]8;;https://bob:${CHOSEN}@host/\x07link\x1b]8;;\x07`),
    "\x1b]8;;https://bob:[redacted: url-credentials]@host/\x07link\x1b]8;;\x07",
  );
});

Deno.test("redact() takes lone surrogates, NUL and 2 MB", () => {
  assertEquals(redact(`\ud800 ${TOKEN}\0\udfff`), "\ud800 [redacted: github-token]\0\udfff");
  const long = "One line of a long log, 12 ms.\n".repeat(70_000);
  assertEquals(redact(`${long}${TOKEN}`), `${long}[redacted: github-token]`);
  assertEquals(redact(""), "");
});

Deno.test("findSecrets() gives positions in the original, in order and apart", () => {
  const text = `\u200b\x1b[1m${TOKEN.slice(0, 8)}\u2060${TOKEN.slice(8)}\x1b[0m and pwd=${CHOSEN}`;
  const found = findSecrets(text);
  assertEquals(found.map(({ kind }) => kind), ["github-token", "password"]);
  assertEquals(text.slice(found[0].start, found[0].end).replace("\u2060", ""), TOKEN);
  assertEquals(text.slice(found[1].start, found[1].end), CHOSEN);
});

const CUT = "[redacted: private]";

Deno.test("cutPrivate() cuts whatever stands between the tags", () => {
  const texts: [string, string][] = [
    ["a <private>x</private> b", `a ${CUT} b`],
    ["a <private>\nx\n</private> b", `a ${CUT} b`],
    ["a <private>x <private>y</private> z</private> b", `a ${CUT} b`],
    ["a <private>x\nnever closed", `a ${CUT}`],
    ["a <private>x <private>y</private> z", `a ${CUT}`],
    ["a < PRIVATE why='x' >x</ Private > b", `a ${CUT} b`],
    ["a &lt;private&gt;x&lt;/private&gt; b", `a ${CUT} b`],
    ["a \\u003cprivate\\u003ex\\u003c/private\\u003e b", `a ${CUT} b`],
    ["a <pri\u200bvate>x</private> b", `a ${CUT} b`],
    ["a <private", `a ${CUT}`],
    ["`<private>x</private>`", `\`${CUT}\``],
    ['"<private>", "x", "</private>"', `"${CUT}"`],
    ["the <private> is x</private> b", `the ${CUT} b`],
    ["- <private> in a list that goes on", `- ${CUT}`],
    ["a\n<private>\nx", `a\n${CUT}`],
    ["<pri<private>x</private>vate>y", `<pri${CUT}vate>y`],
  ];
  assertEquals(texts.map(([text]) => cutPrivate(text)), texts.map(([, kept]) => kept));
  assertEquals(texts.map(([, kept]) => cutPrivate(kept)), texts.map(([, kept]) => kept));
});

Deno.test("cutPrivate() leaves a text in which the tag is only mentioned", () => {
  const texts = [
    "Put it between `<private>` and `</private>`.\nThe rest.",
    "The parser handles the <private> tag.\nThe rest.",
    "We should document <private>.\nThe rest.",
    'What does "<private>" do?\nThe rest.',
    "Is (<private>) documented?\nThe rest.",
    "a <private-key> </private> <privateer> b",
  ];
  assertEquals(texts.map(cutPrivate), texts);
});

Deno.test("cutPrivateParts() cuts a part that runs over several texts, and an open one to the end of its own", () => {
  assertEquals(cutPrivateParts(["a <private>x", "y", "z</private> b", "c"]), [
    `a ${CUT}`,
    CUT,
    `${CUT} b`,
    "c",
  ]);
  assertEquals(cutPrivateParts(["a <private>x", "b <private>y</private> c"]), [
    `a ${CUT}`,
    `b ${CUT} c`,
  ]);
  assertEquals(cutPrivateParts(["about the <private> tag", "b </private> c"]), [
    "about the <private> tag",
    "b </private> c",
  ]);
});

Deno.test("redact() leaves one mark of a private part that holds a secret", () => {
  assertEquals(redacted(`a <private>${TOKEN}</private>`), {
    text: `a ${CUT}`,
    kinds: { private: 1 },
  });
});

Deno.test("redactValue() redacts every string and keeps keys and other values", () => {
  const value = { token: [TOKEN, 1, null], nested: { "a b": `x ${TOKEN}`, flag: true } };
  assertEquals(redactValue(value), {
    token: ["[redacted: github-token]", 1, null],
    nested: { "a b": "x [redacted: github-token]", flag: true },
  });
});

/** Pieces that rules start with, end with, or must not be confused by. */
const PIECES = [
  ..."<>/\\\"'`=:;,.@-_|&?#*()[]{} \n\t\0\ud800\u200b\x1b",
  "<private>",
  "</private>",
  "<pri",
  "vate>",
  "-----BEGIN RSA PRIVATE KEY-----",
  "MIIEowIBAAKCAQEA7x9Kq2",
  "-----END RSA PRIVATE KEY-----",
  "://",
  "https://bob:",
  "@host",
  "password",
  "PASSWORD=",
  "secret: ",
  "token",
  "api_key",
  "the password is ",
  "Bearer ",
  "Authorization: Basic ",
  "Cookie: a=",
  "--password ",
  "curl -u ",
  "mysql -p",
  "kind: Secret\ndata:\n  a: ",
  "| password |\n|---|\n| ",
  "[redacted: token]",
  "[redacted: ",
  "]",
  "\x1b[31m",
  "\x1b]8;;",
  "\x07",
  "AKIA",
  "eyJ",
  "sk-",
  "?sig=",
  "name: X_TOKEN\n  value: ",
  "\u5bc6\u7801",
  "Passwort lautet ",
  "AccountKey=",
  "login a password ",
  TOKEN,
  CHOSEN,
  letters(20),
  letters(32, HEX),
  "swordfish",
  "amber-anvil-badger-bamboo",
  "YWRtaW46c2VjcmV0MTIz",
];

Deno.test("redact() of what was redacted changes nothing", () => {
  const anyText = fc.array(
    fc.oneof({ arbitrary: fc.constantFrom(...PIECES), weight: 6 }, fc.string({ unit: "binary" })),
    { maxLength: 24 },
  ).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(anyText, (text) => {
      const once = redact(text);
      assertEquals(redact(once), once);
      const found = findSecrets(text);
      assert(
        found.every(({ start, end }, at) =>
          start < end && end <= text.length && (at === 0 || found[at - 1].end <= start)
        ),
      );
    }),
    often(3_000),
  );
});

for (
  const [text, redacted] of [
    ["The password is abc123, ask me.", "The password is [redacted: password], ask me."],
    ["The password Qw3rty99z was new.", "The password [redacted: password] was new."],
    ["Use `hunter42x` as the admin password.", "Use `[redacted: password]` as the admin password."],
    ["Kd8fj2.Lq is our password.", "[redacted: password] is our password."],
  ]
) {
  Deno.test(`redact() takes the password that is told in "${text}"`, () => {
    assertEquals(redact(text), redacted);
  });
}

Deno.test("redacted() counts what it takes out by class, and nothing where nothing is", () => {
  const text = `pwd=${CHOSEN}\n${TOKEN} and ghp_${letters(36)}`;
  const { text: left, kinds } = redacted(text);
  assertEquals(kinds, { "password": 1, "github-token": 2 });
  assertEquals(left, redact(text));
  assertEquals(redacted(left), { text: left, kinds: {} });
});

Deno.test("redact() leaves the marks of earlier versions as they are", () => {
  const text = "pwd=[REDACTED:password] token: [REDACTED] key [REDACTED:api-key]";
  assertEquals(redacted(text), { text, kinds: {} });
});

Deno.test("redact() cuts what repeats a secret, before and after, also within something longer", () => {
  const [long, mark] = [letters(14) + "7aB", "[redacted: password]"];
  const texts: [string, string][] = [
    [`password=${CHOSEN}\nI tried ${CHOSEN} again`, `password=${mark}\nI tried ${mark} again`],
    [`I tried ${CHOSEN}; the password is ${CHOSEN}.`, `I tried ${mark}; the password is ${mark}.`],
    [`<private>password=${CHOSEN}</private> or ${CHOSEN}`, `[redacted: private] or ${mark}`],
    [`pwd=${long}\nhttp://a/b/x${long}y`, `pwd=${mark}\nhttp://a/b/x${mark}y`],
    [
      "passphrase: amber-anvil-badger-bamboo\nnot amber-anvil-badger-bamboo.",
      [
        "passphrase: [redacted: passphrase]",
        "not [redacted: passphrase].",
      ].join("\n"),
    ],
    ["pwd=aB3dE5 xaB3dE5y aB3dE5", `pwd=${mark} xaB3dE5y ${mark}`],
  ];
  assertEquals(texts.map(([text]) => redact(text)), texts.map(([, cut]) => cut));
});

Deno.test("redact() does not look again for an everyday word or a number", () => {
  const text = (value: string) => `postgres://app:${value}@db/shop and ${value} again`;
  for (const value of ["postgres", "example", "12345", "RsaPublicKeyDSA"]) {
    assert(redact(text(value)).endsWith(`and ${value} again`), value);
  }
});

Deno.test("createRedactor() remembers from text to text, and another one does not", () => {
  const redactor = createRedactor();
  redactor(`Cookie: session=${TOKEN.slice(8)}; theme=dark\npassword=${CHOSEN}`);
  assertEquals(redactor(`${CHOSEN}\n(${TOKEN.slice(8)})`), {
    text: "[redacted: password]\n([redacted: cookie])",
    kinds: { password: 1, cookie: 1 },
  });
  assertEquals(createRedactor()(CHOSEN), { text: CHOSEN, kinds: {} });
});
