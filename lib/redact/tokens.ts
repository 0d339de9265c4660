/**
 * Tokens that show by themselves what they are: by the prefix of a provider, or by their shape.
 * Pure.
 *
 * @module
 */

import { DIGIT, distinct, entropy, isPlaceholder, looksRandom } from "./looks_like_secret.ts";
import { type Alphabet, ALPHABETS, PREFIX_ROWS } from "./rules/token_prefixes.ts";
import type { Secret } from "./secret.ts";

export const SYNTAX: RegExp = /[$()*+.?[\\\]^{|}]/g;

const ROW_OF = new Map(PREFIX_ROWS.map((row) => [row.prefix, row]));

/** Where a token may start: not within a word, but after a mark that is spelled as in an address. */
export const TOKEN_START: RegExp = new RegExp(
  `(?<!(?<!%[0-9A-Fa-f])[A-Za-z0-9])(?:${
    PREFIX_ROWS.map(({ prefix }) => escape(prefix)).join("|")
  })`,
  "g",
);

/** A token without a fixed start. */
export interface TokenShape {
  kind: string;
  /** Literals of which every such token has one: looking for them first saves most of the time. */
  marks: readonly string[];
  pattern: RegExp;
}

/** Tokens that show by their shape. */
export const TOKEN_SHAPES: readonly TokenShape[] = [
  {
    kind: "jwt",
    marks: ["ey"],
    pattern:
      /(?<![A-Za-z0-9])ey[JK][A-Za-z0-9_-]{8,700}\.[A-Za-z0-9_-]{8,6000}(?:\.[A-Za-z0-9_-]{0,2000}){0,3}/g,
  },
  {
    kind: "telegram-token",
    marks: [":A"],
    pattern: /(?<=^|[^A-Za-z0-9]|bot)[0-9]{8,10}:A[A-Za-z0-9_-]{33,36}(?![A-Za-z0-9_-])/g,
  },
  {
    kind: "discord-token",
    marks: ["."],
    pattern: /(?<![A-Za-z0-9])[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{25,40}/g,
  },
  {
    kind: "mailchimp-key",
    marks: ["-us"],
    pattern: /(?<![A-Za-z0-9])[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9])/g,
  },
  {
    kind: "azure-secret",
    marks: ["Q~"],
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9_~.]{3}[78]Q~[A-Za-z0-9_~.-]{31,37}/g,
  },
  {
    kind: "azure-key",
    marks: ["+AStA", "AIoT", "+ASbA", "+AEhA", "AzFu", "AzSe", "+ACR", "ACDb", "JQQJ99", "AZDO"],
    pattern:
      /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{33,80}(?:\+AStA|AIoT|\+ASbA|\+AEhA|AzFu|AzSe|\+ACR|ACDb|JQQJ99[A-Z]{2}|AZDO)[A-Za-z0-9+/=]{4,30}/g,
  },
  {
    kind: "terraform-token",
    marks: [".atlasv1."],
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,80}/g,
  },
  {
    kind: "firebase-key",
    marks: ["AAAA"],
    pattern: /(?<![A-Za-z0-9])AAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{100,180}/g,
  },
  {
    kind: "asana-token",
    marks: [":"],
    pattern:
      /(?<![A-Za-z0-9/])(?:[0-2]\/)?[0-9]{14,20}(?:\/[0-9]{12,20})?:[0-9a-f]{32}(?![0-9a-f])/g,
  },
  {
    kind: "asana-token",
    marks: ["/"],
    pattern: /(?<![A-Za-z0-9/])[0-2]\/[0-9a-f]{32}(?![0-9a-f])/g,
  },
  {
    kind: "aws-mws-token",
    marks: ["amzn.mws."],
    pattern: /(?<![A-Za-z0-9])amzn\.mws\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
  },
];

/** Keys in Base32 have no digit now and then. */
export const UPPER_ONLY: RegExp = /^[A-Z]{16,}$/;

export const BOTH_CASES: RegExp = /[a-z][A-Z].{0,80}[a-z][A-Z]/;

/** Names and titles, as in addresses. */
export const JOINED_WORDS: RegExp = /^[a-z]{1,80}(?:[-_.][a-z0-9]{1,80}){0,80}$/;

export const MIXTURE: RegExp = /[a-z][0-9]|[0-9][a-z]/gi;

/** A prefix that is an address stays. */
export const ADDRESS: RegExp = /\w[/=]$/;

/** What the longest prefixes end in, and what makes a short one telling. */
export const TELLING_END: RegExp = /[_.-]$|^AKIA|^AIza/;

/** Prefixes whose bodies are met outside tokens too: as short as two letters, or a word. */
const SHORTEST_TELLING_PREFIX = 4;
const SHORTEST_CUT_BODY = 6;

/**
 * @param text a view
 * @param found where findings go
 */
export function findTokens(text: string, found: Secret[]): void {
  TOKEN_START.lastIndex = 0;
  for (let match = TOKEN_START.exec(text); match !== null; match = TOKEN_START.exec(text)) {
    const { prefix, kind, body, least } = ROW_OF.get(match[0])!;
    const start = match.index;
    const from = start + prefix.length;
    const run = runOf(text, from, body);
    if (isToken(prefix, run, from + run.length === text.length ? cutLeast(prefix, least) : least)) {
      const end = endOfRun(text, from + run.length, body);
      found.push({ start: ADDRESS.test(prefix) ? from : start, end, kind });
      TOKEN_START.lastIndex = end;
    } else {
      TOKEN_START.lastIndex = start + 1;
    }
  }
  for (const { kind, marks, pattern } of TOKEN_SHAPES) {
    if (!marks.some((mark) => text.includes(mark))) continue;
    for (const { index, 0: token } of text.matchAll(pattern)) {
      if (entropy(token) >= 3) found.push({ start: index, end: index + token.length, kind });
    }
  }
}

/** At the end of the text a token may have been cut, and then what is left tells by its prefix. */
function cutLeast(prefix: string, least: number): number {
  return isTelling(prefix) ? Math.min(least, SHORTEST_CUT_BODY) : least;
}

function isTelling(prefix: string): boolean {
  return prefix.length >= SHORTEST_TELLING_PREFIX && TELLING_END.test(prefix);
}

function isToken(prefix: string, body: string, least: number): boolean {
  if (body.length < least || distinct(body.slice(0, 32)) < Math.min(6, body.length / 2)) {
    return false;
  }
  if (isPlaceholder(body)) return false;
  if (!DIGIT.test(body)) {
    return looksRandom(body) || entropy(body) > 2.8 &&
        (UPPER_ONLY.test(body) || isTelling(prefix) && BOTH_CASES.test(body));
  }
  if (body.length < 12) return entropy(body) > 2;
  if (JOINED_WORDS.test(body)) return mixtures(body) * 6 >= Math.min(body.length, 40);
  return entropy(body) > 2.5;
}

/** How often letters and digits meet. */
function mixtures(body: string): number {
  return body.match(MIXTURE)?.length ?? 0;
}

function runOf(text: string, from: number, body: Alphabet): string {
  const run = ALPHABETS[body];
  run.lastIndex = from;
  const found = run.exec(text)![0];
  let length = found.length;
  while (length > 0 && ".:|!-".includes(found[length - 1])) length--; // ends a sentence, not a token
  return found.slice(0, length);
}

function endOfRun(text: string, from: number, body: Alphabet): number {
  let end = from;
  for (let run = runOf(text, end, body); run !== ""; run = runOf(text, end, body)) {
    end += run.length;
  }
  return end;
}

function escape(literal: string): string {
  return literal.replace(SYNTAX, "\\$&");
}
