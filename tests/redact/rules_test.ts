/** Each rule of the table, on its own examples, and on every pattern that makes careless ones explode. */

import { assert, assertEquals } from "@std/assert";
import { walkSync } from "@std/fs/walk";
import { fileKind } from "../../lib/redact/file_kind.ts";
import { createFinder } from "../../lib/redact/find.ts";
import { mayHoldSecret } from "../../lib/redact/hint.ts";
import { cutPrivate, findSecrets, redact } from "../../lib/redact/redact.ts";
import type { Rule } from "../../lib/redact/rules/rule.ts";
import { REDACTION_RULES } from "../../lib/redact/rules/rules.ts";
import { isAllRedacted, mergeSecrets, replaceSecrets } from "../../lib/redact/secret.ts";
import { Backtracking } from "../steps/backtracking.ts";
import { someOf } from "../often.ts";
import { expressionsOf, grownTooFast } from "../steps/steps.ts";
import { DEV } from "./labelled_dev.ts";
import { HELD_OUT } from "./labelled_held_out.ts";
import { scoreCases } from "./score.ts";
import { makeCases } from "./shapes.ts";

const FOLDER = new URL("../../lib/redact/", import.meta.url);

const LABELLED = [...DEV, ...HELD_OUT].map(({ text }) => text);

const TABLE = REDACTION_RULES.map((rule, index) => ({
  rule,
  name: `${rule.kind}, rule ${index}`,
  examples: makeCases({ [rule.kind]: rule.secret }, { seed: 7 + index, times: 3 }),
}));

/** What some rules do to a text, without any other. */
function redactBy(...rules: Rule[]): (text: string) => string {
  const find = createFinder(rules);
  return (text) => replaceSecrets(text, mergeSecrets(text, find(text)));
}

Deno.test("each rule takes the secrets out of its examples, alone and among all, and nothing else", () => {
  const wrong = TABLE.flatMap(({ rule, name, examples }) =>
    [redactBy(rule), redact].flatMap((cut) =>
      Array.from(
        scoreCases(examples, cut).values(),
        ({ leaks, overCuts }) => [...leaks, ...overCuts].map(({ text }) => `${name}: ${text}`),
      )
    )
  );
  assertEquals(wrong.flat(), []);
});

Deno.test("each rule has examples, and leaves the ordinary ones as they are, alone and among all", () => {
  assertEquals(TABLE.filter(({ rule }) => !rule.secret.length || !rule.ordinary.length), []);
  const wrong = TABLE.flatMap(({ rule, name }) =>
    rule.ordinary.filter((text) => redactBy(rule)(text) !== text || redact(text) !== text)
      .map((text) => `${name}: ${text}`)
  );
  assertEquals(wrong, []);
});

Deno.test("each rule finds the same without its keywords, which are only looked for first", () => {
  const wrong = TABLE.filter((row) => {
    const { rule, examples } = row;
    if (rule.reads !== undefined || rule.keywords === undefined) return false;
    const always = {
      ...rule,
      pattern: rule.pattern,
      looks: rule.looks,
      keywords: undefined,
      secret: [],
      ordinary: [],
    };
    const [quick, slow] = [createFinder([rule]), createFinder([always])];
    return [...someOf(LABELLED, TABLE.indexOf(row)), ...examples.map(({ text }) => text)]
      .some((text) => JSON.stringify(quick(text)) !== JSON.stringify(slow(text)));
  });
  assertEquals(wrong.map(({ name }) => name), []);
});

Deno.test("rules with the same keyword are all tried, and where they overlap the first names the class", () => {
  const [rule] = REDACTION_RULES.filter(({ prefix }) => prefix === "ghp_");
  const other: Rule = {
    kind: "other",
    keywords: rule.keywords,
    pattern: /ghp_[a-z]{4}-?[A-Za-z0-9]{20}/g,
    secret: [],
    ordinary: [],
  };
  const cut = redactBy(rule, other);
  const [long, short] = ["abcdk7Qw2xT9Zr4mBv8".repeat(3), "abcd-k7Qw2xT9Zr4mBv8aB3dE"];
  assertEquals(cut(`ghp_${long} ghp_${short}.`), "[redacted: github-token] [redacted: other].");
});

Deno.test("no expression of a rule keeps a place from one text to the next", () => {
  for (const { examples } of TABLE) for (const { text } of examples) redact(text);
  assertEquals([...OF_RULES.values()].filter(({ lastIndex }) => lastIndex !== 0), []);
});

Deno.test("mayHoldSecret() sees the examples of each rule", () => {
  const missed = TABLE.flatMap(({ examples }) =>
    examples.filter(({ text }) => !mayHoldSecret(text))
  );
  assertEquals(missed.map(({ text }) => text), []);
});

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

function slowOnes(patterns: Iterable<RegExp>, pieces?: readonly string[]): string[] {
  return Array.from(
    patterns,
    (pattern, row) =>
      (pieces ?? someOf(PATTERNS, row)).map((piece) => ({ piece, factor: growth(pattern, piece) }))
        .filter(({ factor }) => factor > MAX_GROWTH)
        .map(({ piece, factor }) => `${JSON.stringify(piece)} x${factor.toFixed(1)} ${pattern}`),
  ).flat();
}

/** Of the rules that differ only by their prefix, one. */
const UNLIKE = Array.from(
  new Map(TABLE.map((row) => {
    const { prefix = "", pattern } = row.rule;
    return [prefix === "" ? pattern.source : pattern.source.replaceAll(prefix, ""), row];
  })).values(),
);

const OF_RULES = new Map(
  REDACTION_RULES.flatMap(({ pattern, parts, beside }) => [pattern, parts, beside])
    .flatMap((pattern) => pattern === undefined ? [] : [[pattern.source, pattern]]),
);

Deno.test("the steps of each rule grow with the text, its own examples again and again too", () => {
  const unlike = UNLIKE.flatMap(({ rule: { pattern, parts, beside } }) => [pattern, parts, beside]);
  assertEquals(slowOnes(unlike.filter((each) => each !== undefined)), []);
  const slow = UNLIKE.flatMap(({ rule: { pattern, parts, secret }, examples }) =>
    slowOnes(
      [pattern, parts].filter((each) => each !== undefined),
      examples.slice(0, secret.length).map(({ text }) => text),
    )
  );
  assertEquals(slow, []);
});

Deno.test("the steps of each other expression of lib/redact/ grow with the text, and none is forgotten", () => {
  const texts = [
    ...LABELLED,
    ...PATTERNS,
    ...RARE,
    ...TABLE.flatMap(({ rule, examples }) => [
      ...examples.map(({ text }) => text),
      ...rule.ordinary,
    ]),
  ];
  const read = expressionsOf(() => {
    createFinder(REDACTION_RULES);
    for (const text of texts) {
      mayHoldSecret(text), redact(text), cutPrivate(text), isAllRedacted(text);
      for (const path of ["a.ts", "tests/a.ts", "a.txt"]) findSecrets(text, fileKind(path, text));
    }
  });
  assertEquals(literals().filter((source) => !read.has(source) && !OF_RULES.has(source)), []);
  assertEquals(slowOnes([...read.values()].filter(({ source }) => !OF_RULES.has(source))), []);
});

/** Texts for which expressions are read that others do not need. */
const RARE = [
  "Every package should pass: internal/ledger",
  'password = "open sesame"',
  'token_secret = "a{b}c[d]e<f>"',
  "api_key = 12345678901234567890123",
  "the <private> tag",
  "password:\n\n    k7Qw2xT9Zr\n",
  "pwd=aB3dE5 xaB3dE5y",
  "sk-names-of-a-thing-2-and-of-others",
  "glpat-abcdefGhijklmnopqrsTuvwxyz",
  `${btoa("k7Qw2xT9Zr4mBv8aB3dE5fG7h".repeat(2))}\n${
    btoa("hG7f5Ed3Ba8vBm4rZ9Tx2wQ7k".repeat(2))
  }\n`,
];

/** The sources of the regular expressions that are written out. */
function literals(): string[] {
  const literal =
    /(?:[=(:,[!&|?]|return|=>|^)\s*\/((?![/*\s])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/[dgimsuvy]*(?=[\s,;).\]])/gm;
  return Array.from(walkSync(FOLDER.pathname, { includeDirs: false })).flatMap(({ path }) =>
    Array.from(
      Deno.readTextFileSync(path).replace(/\/\*[\s\S]*?\*\//g, "").matchAll(literal),
      ([, source]) => source,
    )
  );
}

Deno.test("the steps of redact() grow with the text", async () => {
  const work = (piece: string, length: number) => void redact(textOf(piece, length));
  assertEquals(await grownTooFast(PATTERNS, work, WHOLE_LENGTH), []);
});
