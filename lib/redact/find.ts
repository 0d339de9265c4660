// Applies the table of rules to a text. Pure.

import { addTo } from "../base/groups.ts";
import { canStandIn, type FileKind } from "./file_kind.ts";
import { KeywordIndex } from "./keyword_index.ts";
import { entropy, looksLike } from "./looks_like_secret.ts";
import { createLoneValueReader } from "./lone_value.ts";
import { createNameReader } from "./named_value.ts";
import type { Rule } from "./rules/rule.ts";
import { type Secret, secretOf, type SecretPart, secretsIn } from "./secret.ts";

const DOCUMENT_END = /^---[ \t]{0,8}$/m;

/**
 * Returns a function that finds secrets in visible text. It tries rules by place first, then by name, then by value
 * alone.
 */
export function createFinder(
  rules: readonly Rule[],
): (text: string, file?: FileKind) => Secret[] {
  let readers: ((text: string, file?: FileKind) => Iterable<Secret>)[] | undefined;
  return (text, file) => {
    readers ??= [
      createPatternReader(rules.filter(({ reads }) => reads === undefined)),
      createNameReader(rules.filter(({ reads }) => reads === "name")),
      createLoneValueReader(rules.filter(({ reads }) => reads === "value")),
    ];
    return readers.flatMap((read) => [...read(text, file)]);
  };
}

/** Returns a reader for rules by place. One scan for all keywords excludes most rules. */
function createPatternReader(
  rules: readonly Rule[],
): (text: string, file?: FileKind) => Iterable<Secret> {
  const always = rules.flatMap(({ keywords }, rank) => keywords === undefined ? [rank] : []);
  const ranksOf = new Map<string, number[]>();
  for (const [rank, { keywords = [] }] of rules.entries()) {
    for (const keyword of keywords) addTo(ranksOf, keyword, rank);
  }
  const index = new KeywordIndex(ranksOf.keys());
  return function* (text, file) {
    const present = new Set(always);
    for (const keyword of index.wordsIn(text.toLowerCase())) {
      for (const rank of ranksOf.get(keyword)!) present.add(rank);
    }
    for (const rank of [...present].sort((one, other) => one - other)) {
      yield* secretsOf(rules[rank], text, file);
    }
  };
}

function* secretsOf(rule: Rule, text: string, file?: FileKind): Generator<Secret> {
  for (const document of rule.beside === undefined ? [{ text, start: 0 }] : documentsOf(text)) {
    if (rule.beside?.test(document.text) === false) continue;
    for (const whole of secretsIn(document.text, rule.pattern, document.start)) {
      const parts = rule.parts && secretsIn(whole.text, rule.parts, whole.start);
      for (const part of parts ?? [whole]) {
        const { start, text: value } = part;
        if (!fits(rule, value)) continue;
        if (file && !canStandIn(file, rule, { text, start, value })) continue;
        yield secretOf(rule, text, start, value);
      }
    }
  }
}

function* documentsOf(text: string): Generator<SecretPart> {
  let start = 0;
  for (const document of text.split(DOCUMENT_END)) {
    yield { text: document, start: text.indexOf(document, start) };
    start += document.length;
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
