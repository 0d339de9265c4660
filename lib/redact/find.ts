/**
 * Applies the table of rules to a text. Pure.
 *
 * @module
 */

import { escapeRegExp } from "../text/reg_exp.ts";
import { entropy, looksLike } from "./looks_like_secret.ts";
import { createNameReader } from "./named_value.ts";
import type { Rule } from "./rules/rule.ts";
import { type Secret, secretOf } from "./secret.ts";

const DOCUMENT_END = /^---[ \t]{0,8}$/m;

/** Finds secrets in a visible text, in the order of the rules, those of names last. */
export function createFinder(rules: readonly Rule[]): (text: string) => Secret[] {
  const readers = [
    createPatternReader(rules.filter(({ reads }) => reads === undefined)),
    createNameReader(rules.filter(({ reads }) => reads === "name")),
  ];
  return (text) => readers.flatMap((read) => [...read(text)]);
}

/** One scan for all keywords tells which rules need not be tried: most of them. */
function createPatternReader(rules: readonly Rule[]): (text: string) => Iterable<Secret> {
  const always = rules.flatMap(({ keywords }, rank) => keywords === undefined ? [rank] : []);
  const ranksOf = new Map<string, number[]>();
  for (const [rank, { keywords = [] }] of rules.entries()) {
    for (const keyword of keywords) {
      ranksOf.set(keyword, [...ranksOf.get(keyword) ?? [], rank]);
    }
  }
  const anyKeyword = new RegExp(anyOf(ranksOf.keys()), "g");
  return function* (text) {
    const lower = text.toLowerCase();
    const seen = new Set<string>();
    const present = new Set(always);
    const keyword = new RegExp(anyKeyword);
    for (let match = keyword.exec(lower); match !== null; match = keyword.exec(lower)) {
      keyword.lastIndex = match.index + 1;
      if (seen.has(match[0])) continue;
      for (let end = 1; end <= match[0].length; end++) {
        const part = match[0].slice(0, end);
        seen.add(part);
        for (const rank of ranksOf.get(part) ?? []) present.add(rank);
      }
    }
    for (const rank of [...present].sort((one, other) => one - other)) {
      yield* secretsOf(rules[rank], text);
    }
  };
}

/** The longest first; matches nothing if there are none. */
function anyOf(literals: Iterable<string>): string {
  return [...literals].sort((one, other) => other.length - one.length)
    .map(escapeRegExp).join("|") || "(?!)";
}

function* secretsOf(rule: Rule, text: string): Generator<Secret> {
  for (const document of rule.beside === undefined ? [{ text, start: 0 }] : documentsOf(text)) {
    if (rule.beside?.test(document.text) === false) continue;
    for (const whole of secretsIn(document, rule.pattern)) {
      for (const part of rule.parts === undefined ? [whole] : secretsIn(whole, rule.parts)) {
        if (fits(rule, part.text)) yield secretOf(rule, text, part.start, part.text);
      }
    }
  }
}

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
    (rule.looks === undefined ||
      looksLike(rule.looks, unquoted(value).slice(rule.prefix?.length)));
}

function unquoted(value: string): string {
  const quote = value[0];
  return (quote === '"' || quote === "'") && value.endsWith(quote) ? value.slice(1, -1) : value;
}
