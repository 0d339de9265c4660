/** Every regular expression of `lib/redact/` on every pattern that makes careless ones explode. */

import { assert, assertEquals } from "@std/assert";
import { walkSync } from "@std/fs/walk";
import { redact } from "../../lib/redact/redact.ts";
import { Backtracking } from "../steps/backtracking.ts";
import { grownTooFast } from "../steps/steps.ts";

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
const MAX_GROWTH = 16;
/** Beyond the longest repetition that is allowed, so that it does not look like growth. */
const LENGTH = 2_000;
/** Steps for each character, of which growth with the square would need more. */
const FEW = 20;
/** Of a text for all the rules together. */
const WHOLE_LENGTH = 250;

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

const FILES = Array.from(
  walkSync(FOLDER.pathname, { includeDirs: false }),
  ({ path }) => path.slice(FOLDER.pathname.length),
).sort();

/** Reads a text as the rules do, all matches, or a sticky one at every place; and counts the steps. */
function stepsToRead(engine: Backtracking, text: string): number {
  let steps = 0;
  const find = (from: number) => engine.find(text, from, (more) => void (steps += more));
  if (engine.pattern.sticky) {
    for (let at = 0; at < text.length; at += 64) find(at);
  } else {
    let from = 0;
    for (let found = find(0); found && engine.pattern.global; found = find(from)) {
      from = found.index + Math.max(1, found.groups[0]!.length);
    }
  }
  return steps;
}

const textOf = (piece: string, length: number) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** How the steps grow when the text does. */
function growth(pattern: RegExp, piece: string): number {
  const engine = new Backtracking(pattern);
  const short = stepsToRead(engine, textOf(piece, LENGTH));
  if (short < FEW * LENGTH) return 1;
  return stepsToRead(engine, textOf(piece, 8 * LENGTH)) / short;
}

Deno.test("growth() tells a quadratic expression from a linear one", () => {
  assert(growth(/a[^]*b/g, "a........") > MAX_GROWTH);
  assert(growth(/x(?:a|b){0,9}y|ab.*c/g, "ab......") > MAX_GROWTH);
  assert(growth(/a{1,50}b/g, "a") <= MAX_GROWTH);
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
  Deno.test(`the steps of each regular expression of ${file} grow with the text`, async () => {
    const slow: string[] = [];
    for (const pattern of await patternsOf(file)) {
      for (const piece of PATTERNS) {
        const factor = growth(pattern, piece);
        if (factor > MAX_GROWTH) {
          slow.push(`${JSON.stringify(piece)} x${factor.toFixed(1)} ${pattern}`);
        }
      }
    }
    assertEquals(slow, []);
  });
}

Deno.test("the steps of redact() grow with the text", async () => {
  const work = (piece: string, length: number) => void redact(textOf(piece, length));
  assertEquals(await grownTooFast(PATTERNS, work, WHOLE_LENGTH), []);
});
