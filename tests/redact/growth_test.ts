/** Every regular expression of `lib/redact/` on every pattern that makes careless ones explode. */

import { assert, assertEquals } from "@std/assert";
import { redact } from "../../lib/redact.ts";

const FOLDER = new URL("../../lib/redact/", import.meta.url);

const PATTERNS = [
  ..."a1A=:/\"'`\\-_.|<>{}[]()@&?%$*+#~, \t\n\0\ud800\u200b\x1b",
  "a=",
  "a=a;",
  "aA1",
  "a-",
  "a.",
  "a/",
  "a:",
  "a,",
  "a b ",
  "ab12-",
  "A_",
  "key-",
  "sk-",
  "ghp_",
  "AKIA",
  "eyJ",
  "eyJaaaaaaaa.",
  "://",
  "://a:",
  "://a@",
  "-----BEGIN",
  "-----BEGIN PRIVATE KEY-----",
  "PRIVATE KEY",
  "-----END PRIVATE KEY-----",
  "aaaaaaaaaaaaaaaaaaaa\n",
  "<private",
  "<private>",
  "</private>",
  "&lt;",
  "\\u003c",
  "\\n",
  '\\"',
  '":"',
  "password",
  "password=",
  "password: ",
  "the password is ",
  "token is a ",
  "authorization: ",
  "bearer ",
  "basic ",
  "cookie: a=a; ",
  "?sig=a",
  "&token=",
  "mysql -p",
  "mysql ",
  "docker login ",
  "curl -u a:",
  "--a-a-a-",
  " --password ",
  "machine a login b ",
  "name: value: ",
  "| password |\n|---|\n",
  "data:\n  a: b\n",
  "kind: Secret\n",
  "---\n",
  '"data":{',
  "\x1b[",
  "\x1b]",
  "\\x1b[0",
  "AccountKey=;",
  ";pwd=",
  "user a:",
  "use a as ",
  "seed phrase: abc ",
  "abc ",
  "abc-",
  "[redacted: ",
  "\u5bc6\u7801",
  "a1b2c3d4e5f6a7b8",
  "0/",
  "12345678:A",
  "my-your-",
];

/** A text eight times as long: 8 is linear, 64 quadratic. */
const MAX_GROWTH = 32;
const LENGTH = 4_000;
const NEGLIGIBLE_MS = 4;
const NO_NOISE_MS = 400;

/** All regular expressions that the modules export, also within tables. */
async function patternsOf(file: string): Promise<RegExp[]> {
  const found = new Set<RegExp>();
  const walk = (value: unknown) => {
    if (value instanceof RegExp) found.add(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(walk);
  };
  walk({ ...await import(new URL(file, FOLDER).href) });
  return [...found];
}

const FILES = Array.from(Deno.readDirSync(FOLDER), ({ name }) => name).sort();

/** Reads a text as the rules do: all matches, or a sticky one at every place. */
function read(pattern: RegExp, text: string): void {
  if (pattern.global) {
    for (const match of text.matchAll(pattern)) assert(match[0].length >= 0);
  } else if (pattern.sticky) {
    for (let at = 0; at < text.length; at += 8) {
      pattern.lastIndex = at;
      pattern.test(text);
    }
  } else pattern.test(text);
}

/** How the time grows when the text does, zero where it does not matter. */
function growth(piece: string, work: (text: string) => void): number {
  const make = (length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
  const timeOf = (text: string) => {
    const start = performance.now();
    work(text);
    return performance.now() - start;
  };
  const [short, long] = [make(LENGTH), make(8 * LENGTH)];
  let best = [Infinity, Infinity];
  for (let round = 0; round < 4; round++) {
    best = [Math.min(best[0], timeOf(short)), Math.min(best[1], timeOf(long))];
    if (best[1] < NEGLIGIBLE_MS) return 0;
    const isClear = best[1] / best[0] <= MAX_GROWTH || best[1] > NO_NOISE_MS;
    if (round > 0 && isClear) break;
  }
  return best[1] / best[0];
}

Deno.test("growth() tells a quadratic expression from a linear one", () => {
  assert(growth("a", (text) => read(/a+b/g, text)) > MAX_GROWTH);
  assert(growth("a", (text) => read(/a{1,50}b/g, text)) <= MAX_GROWTH);
});

Deno.test("every regular expression of lib/redact/ is exported, so that none is forgotten here", async () => {
  const hidden: string[] = [];
  for (const file of FILES) {
    const sources = new Set((await patternsOf(file)).map(({ source }) => source));
    const code = Deno.readTextFileSync(new URL(file, FOLDER)).replace(/\/\*[\s\S]*?\*\//g, "");
    const literal =
      /(?:[=(:,[!&|?]|return|=>|^)\s*\/((?![/*\s])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/[dgimsuvy]*(?=[\s,;).\]])/gm;
    for (const [, source] of code.matchAll(literal)) {
      if (!sources.has(source)) hidden.push(`${file}: /${source}/`);
    }
    if (code.includes("new RegExp(") && sources.size === 0) hidden.push(file);
  }
  assertEquals(hidden, []);
});

for (const file of FILES) {
  Deno.test(`the time of each regular expression of ${file} grows with the text`, async () => {
    const slow: string[] = [];
    for (const pattern of await patternsOf(file)) {
      for (const piece of PATTERNS) {
        const factor = growth(piece, (text) => read(pattern, text));
        if (factor > MAX_GROWTH) {
          slow.push(`${JSON.stringify(piece)} x${factor.toFixed(1)} ${pattern}`);
        }
      }
    }
    assertEquals(slow, []);
  });
}

Deno.test("the time of redact() grows with the text", () => {
  const factors = PATTERNS.map((piece) => [piece, growth(piece, redact)] as const);
  assertEquals(factors.filter(([, factor]) => factor > MAX_GROWTH), []);
});
