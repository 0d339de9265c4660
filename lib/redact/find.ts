/**
 * Reads the table of rules: finds in a text what each of them finds. Pure.
 *
 * @module
 */

import { entropy, looksLike } from "./looks_like_secret.ts";
import { createNameReader } from "./named_value.ts";
import type { Rule } from "./rules/rule.ts";
import { type Finding, findingOf, type Secret } from "./secret.ts";

const SYNTAX = /[$()*+.?[\\\]^{|}]/g;
const DOCUMENT_END = /^---[ \t]{0,8}$/m;

/**
 * Makes what finds secrets by some rules, in a text as it is seen.
 *
 * @param rules where findings overlap, the first one names the class
 * @returns gives the findings in the order of the rules
 */
export function createFinder(rules: readonly Rule[]): (text: string) => Secret[] {
  const rankOf = new Map(rules.map((rule, rank) => [rule, rank]));
  const readers = [
    createPrefixReader(rules.filter(({ reads }) => reads === "prefix")),
    createPlaceReader(rules.filter(({ reads }) => reads === undefined)),
    createNameReader(rules.filter(({ reads }) => reads === "name")),
  ];
  return (text) =>
    readers.flatMap((read) => [...read(text)])
      .sort((one, other) => rankOf.get(one.rule)! - rankOf.get(other.rule)!)
      .map(({ start, end, rule }) => ({ start, end, kind: rule.kind }));
}

function createPrefixReader(rules: readonly Rule[]): (text: string) => Iterable<Finding> {
  const rulesOf = new Map<string, Rule[]>();
  for (const rule of rules) {
    for (const prefix of rule.keywords!) {
      rulesOf.set(prefix, [...rulesOf.get(prefix) ?? [], rule]);
    }
  }
  // Not within a word, but after a mark that is spelled as in an address.
  const anyPrefix = new RegExp(
    `(?<!(?<!%[0-9A-Fa-f])[A-Za-z0-9])(?:${anyOf(rulesOf.keys())})`,
    "g",
  );
  return function* (text) {
    const prefix = new RegExp(anyPrefix);
    for (let match = prefix.exec(text); match !== null; match = prefix.exec(text)) {
      const from = prefix.lastIndex;
      prefix.lastIndex = match.index + 1;
      for (const rule of rulesOf.get(match[0])!) {
        const body = rule.pattern.exec(text.slice(from))?.[0];
        if (body === undefined || !fits(rule, body)) continue;
        const finding = findingOf(rule, text, from, body);
        prefix.lastIndex = finding.end;
        yield { ...finding, start: match.index };
        break;
      }
    }
  };
}

/** One look at the text tells which of the keywords it has: most rules need not be read then. */
function createPlaceReader(rules: readonly Rule[]): (text: string) => Iterable<Finding> {
  const keywords = new Set(rules.flatMap(({ keywords = [] }) => keywords));
  const anyKeyword = new RegExp(anyOf(keywords), "g");
  return function* (text) {
    const lower = text.toLowerCase();
    const seen = new Set<string>();
    const keyword = new RegExp(anyKeyword);
    for (let match = keyword.exec(lower); match !== null; match = keyword.exec(lower)) {
      keyword.lastIndex = match.index + 1;
      if (seen.has(match[0])) continue;
      for (let end = 1; end <= match[0].length; end++) seen.add(match[0].slice(0, end));
    }
    for (const rule of rules) {
      if (rule.keywords?.some((keyword) => seen.has(keyword)) ?? true) yield* inPlaces(rule, text);
    }
  };
}

/** The longest first; nothing if there is none. */
function anyOf(literals: Iterable<string>): string {
  return [...literals].sort((one, other) => other.length - one.length)
    .map((literal) => literal.replace(SYNTAX, "\\$&")).join("|") || "(?!)";
}

function* inPlaces(rule: Rule, text: string): Generator<Finding> {
  for (const document of rule.beside === undefined ? [{ text, start: 0 }] : documentsOf(text)) {
    if (rule.beside?.test(document.text) === false) continue;
    for (const whole of secretsIn(document, rule.pattern)) {
      for (const part of rule.parts === undefined ? [whole] : secretsIn(whole, rule.parts)) {
        if (fits(rule, part.text)) yield findingOf(rule, text, part.start, part.text);
      }
    }
  }
}

/** A part of a text, and where it stands. */
interface Part {
  text: string;
  start: number;
}

function* documentsOf(text: string): Generator<Part> {
  let start = 0;
  for (const document of text.split(DOCUMENT_END)) {
    yield { text: document, start: text.indexOf(document, start) };
    start += document.length;
  }
}

/** The last capture ends the match. */
function* secretsIn({ text, start }: Part, pattern: RegExp): Generator<Part> {
  for (const match of text.matchAll(pattern)) {
    const secret = match.at(-1)!;
    yield { text: secret, start: start + match.index + match[0].length - secret.length };
  }
}

function fits(rule: Rule, value: string): boolean {
  return (rule.entropy === undefined || entropy(value) >= rule.entropy) &&
    (rule.looks === undefined || looksLike(rule.looks, unquoted(value)));
}

function unquoted(value: string): string {
  const quote = value[0];
  return (quote === '"' || quote === "'") && value.endsWith(quote) ? value.slice(1, -1) : value;
}
