// Judges values by the kind of their file: in code a secret is a whole string, and values in tests, documents and
// other people's code are mostly made up. In a text without a known file, each rule decides alone. Pure.
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
  /** Whether it is in a programming language. */
  isCode: boolean;
  /** Whether it is a test or a document, made by a program, or of other people. */
  isData: boolean;
}

/** A match of a rule, and its place. */
interface Found {
  text: string;
  start: number;
  value: string;
}

const LEAST_DRAWN = 16;
/** Parts of a name are longer; parts of a random value have 1.6 units. */
const LONGEST_PARTS = 3;
/** A line of Base64, with the code around it. */
const LINE = 120;
const SHORT_PREFIX = 4;
/** How much of a file says whether a program wrote it. */
const HEAD = 1_000;
const [LINES_READ, LONGEST_LINE] = [500, 5_000];

/** The kind of a file by its path, with `/` between folders, and by its text. */
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

/** Not a line of data, nor a short prefix that stands by chance in a longer word. */
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

/** Also as `render2FaSettings` is. */
function isNameInCode(value: string): boolean {
  return readsLikeName(value) ||
    VALUES.digit.test(value) && VALUES.identifier.test(value) && partLength(value) >= LONGEST_PARTS;
}

/** Such as `pillow_879`: identifiers of code that contain a digit have more parts. */
function isWordWithNumber(value: string): boolean {
  return VALUES.digit.test(value) && value.match(VALUES.nameParts)!.length <= 3;
}

function canStandInText({ kind }: Rule, value: string): boolean {
  return kind.startsWith("pass") || looksChosen(value) ||
    kind !== "kubernetes-secret" && !readsLikeName(value);
}

/** By a machine. */
function isDrawn(value: string): boolean {
  return value.length >= LEAST_DRAWN && looksRandom(value) && !readsLikeName(value) &&
    (LONE.hash.test(value) || partLength(value) < LONGEST_PARTS && rarity(value) >= RARE);
}

/** In a file, a text before a colon is the name of a value. */
function isKey({ text, start, value }: Found): boolean {
  const end = start + value.length;
  return FILES.colonAfter.test(text.slice(end, end + 8));
}

function isWholeString({ text, start, value }: Found): boolean {
  return FILES.quote.test(text[start - 1] ?? "") &&
    FILES.quoteOrEscape.test(text[start + value.length] ?? "");
}
