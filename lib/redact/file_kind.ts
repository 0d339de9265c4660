// Judges values by the kind of their file. In code, a secret is a whole string. Values in tests, documents and other
// people's code are mostly made up. Without a known file, each rule decides alone. Pure.
//
// Guaranteed: a token with a known prefix or shape is found in a file of any kind.

import { looksChosen, looksRandom, partLength, readsLikeName } from "./looks_like_secret.ts";
import { RARE, rarity } from "./letter_pairs.ts";
import { FILES } from "./rules/files.ts";
import { LONE } from "./rules/lone_values.ts";
import type { Rule } from "./rules/rule.ts";
import { VALUES } from "./rules/values.ts";

/** The kind of a file. */
export interface FileKind {
  /** Whether the file is code in a programming language. */
  isCode: boolean;
  /** Whether the file is a test, a document, generated, or other people's code. */
  isData: boolean;
}

/** A match of a rule, and its place. */
interface Found {
  text: string;
  start: number;
  value: string;
}

const LEAST_DRAWN = 16;
/** The average part length from which a value counts as a name. Parts of a random value have 1.6 units on average. */
const LONGEST_PARTS = 3;
/** The length of a line of Base64 with the code around it. */
const LINE = 120;
const SHORT_PREFIX = 4;
/** The number of characters at the start of a file that are searched for a sign of a generator. */
const HEAD = 1_000;
const [LINES_READ, LONGEST_LINE] = [500, 5_000];

/** Returns the kind of a file from its path, with `/` between folders, and from its text. */
export function fileKind(path: string, text: string): FileKind {
  const isCode = FILES.code.test(path);
  const isMade = FILES.generated.test(text.slice(0, HEAD)) || isCode && isMinified(text);
  return { isCode, isData: isMade || FILES.data.test(path) };
}

function isMinified(text: string): boolean {
  return text.split("\n", LINES_READ).some(({ length }) => length > LONGEST_LINE);
}

/** Whether a match of a rule can be a secret in a file of this kind. */
export function canStandIn({ isCode, isData }: FileKind, rule: Rule, found: Found): boolean {
  if (rule.reads === undefined && !FILES.unspecific.test(rule.kind)) return isToken(rule, found);
  if (rule.reads === "value" && isKey(found)) return false;
  const isQuoted = isWholeString(found);
  if (isCode && !isQuoted && rule.reads !== undefined) {
    return rule.reads === "name" && isDrawn(found.value) && !VALUES.uuid.test(found.value);
  }
  if (isData) {
    return rule.reads !== "value" && rule.looks !== "named-long-key" && isDrawn(found.value);
  }
  if (isQuoted && VALUES.passphrase.test(found.value)) return true;
  return isCode ? canStandInCode(rule, found.value, isQuoted) : canStandInText(rule, found.value);
}

/** Whether a match is a token: neither a line of data nor a short prefix that occurs by chance in a longer word. */
function isToken({ kind, prefix = "" }: Rule, { text, start }: Found): boolean {
  if (kind === "private-key") return true;
  const before = text.slice(Math.max(0, start - LINE), start);
  const isShort = prefix !== "" && prefix.length <= SHORT_PREFIX;
  return !FILES.lineAbove.test(before) && !(isShort && FILES.glued.test(before));
}

function canStandInCode(rule: Rule, value: string, isQuoted: boolean): boolean {
  if (rule.reads === "value") return isDrawn(value);
  if (FILES.inAddress.test(rule.kind)) return true;
  const isPassword = isQuoted && rule.looks === "password";
  return (isPassword || looksChosen(value)) &&
    !(isNameInCode(value) && !(isPassword && isWordWithNumber(value)));
}

/** Whether a value is a name in code, such as `render2FaSettings`. */
function isNameInCode(value: string): boolean {
  return readsLikeName(value) ||
    VALUES.digit.test(value) && VALUES.identifier.test(value) && partLength(value) >= LONGEST_PARTS;
}

/** Whether a value is a word with a number, such as `pillow_879`. Identifiers with a digit have more parts. */
function isWordWithNumber(value: string): boolean {
  return VALUES.digit.test(value) && value.match(VALUES.nameParts)!.length <= 3;
}

function canStandInText({ kind }: Rule, value: string): boolean {
  return kind.startsWith("pass") || looksChosen(value) ||
    kind !== "kubernetes-secret" && !readsLikeName(value);
}

/** Whether a machine drew the value at random. */
function isDrawn(value: string): boolean {
  return value.length >= LEAST_DRAWN && looksRandom(value) && !readsLikeName(value) &&
    (LONE.hash.test(value) || partLength(value) < LONGEST_PARTS && rarity(value) >= RARE);
}

/** Whether a match is the name of a value: in a file, such a name stands before a colon. */
function isKey({ text, start, value }: Found): boolean {
  const end = start + value.length;
  return FILES.colonAfter.test(text.slice(end, end + 8));
}

function isWholeString({ text, start, value }: Found): boolean {
  return FILES.quote.test(text[start - 1] ?? "") &&
    FILES.quoteOrEscape.test(text[start + value.length] ?? "");
}
