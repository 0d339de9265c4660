/**
 * Whether a value can be a secret: not a placeholder, not code, not an everyday word, and as random
 * as its surroundings demand. Pure.
 *
 * @module
 */

import { PLACEHOLDER_WORDS, PLACEHOLDERS } from "./rules/placeholders.ts";
import type { Look } from "./rules/rule.ts";

const LONGEST_JUDGED = 64;

const LOWER = /[a-z]/;
const UPPER = /[A-Z]/;
const DIGIT = /[0-9]/;
const LETTER = /[A-Za-z]/;
const LETTERS = /^[A-Za-z]+$/;
const SYMBOL = /[^A-Za-z0-9]/;
const SYMBOLS = /[^A-Za-z0-9]/g;
/** A symbol that names and file names do not have. */
const ODD_SYMBOL = /[^A-Za-z0-9'._/()-]/;
const BLANK = /\s/;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LINK = /:\/\/|\]\(|;/;
const NUMBER = /^[+-]?[0-9][0-9_,.]*[a-z%]?$/i;
const NAME = /^[A-Za-z_$][A-Za-z_$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$]\w*){0,40}$/;
const NAME_PARTS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+/g;
const JOINT = /[A-Za-z0-9][_.:/=-][A-Za-z0-9]/;
const LOWER_WORDS = /^[a-z]{1,80}(?:[-_. ][a-z]{1,80}){0,40}$/;
/** Names and titles, as in addresses. */
const JOINED_WORDS = /^[a-z]{1,80}(?:[-_.][a-z0-9]{1,80}){0,80}$/;
const PASSPHRASE = /^[a-z]{3,12}(?:[- ][a-z]{3,12}){3,23}$/;
/** Under the bare word: keys of a map are shorter, and hashes have no upper case. */
const LONG_KEY =
  /^(?=[^A-Z]{0,80}[A-Z])(?=[^0-9]{0,80}[0-9])(?:[A-Za-z0-9_+-]{32,}|[A-Za-z0-9+/_-]{40,}={1,2})$/;
const LONG_SETTING = /=[^\s;<>${}*]{8}/;
const KEY_BLOCK = /[A-Za-z0-9+/]{16}/;
/** Keys in Base32 have no digit now and then. */
const UPPER_ONLY = /^[A-Z]{16,}$/;
const BOTH_CASES = /[a-z][A-Z].{0,80}[a-z][A-Z]/;
const MIXTURE = /[a-z][0-9]|[0-9][a-z]/gi;

const LOOKS: Record<Look, (value: string, isQuoted: boolean) => boolean> = {
  "any": () => true,
  "key-block": () => true,
  "settings": (value) => LONG_SETTING.test(value),
  "chosen": looksChosen,
  "chosen-number": (value) => DIGIT.test(value) && looksChosen(value),
  "random": (value) => looksRandom(value) && !readsLikeName(value),
  "random-no-id": (value) => looksRandom(value) && !UUID.test(value) && !readsLikeName(value),
  "random-no-name": isNoName,
  "token": (value) => isToken(value, false),
  "token-by-prefix": (value) => isToken(value, true),
  "password": (value, isQuoted) =>
    BLANK.test(value)
      ? isQuoted && value.length < 40 && variety(value) === 4
      : NUMBER.test(value)
      ? value.length >= 4
      : isPassword(value),
  "passphrase": (value) =>
    isPassphrase(value) || !BLANK.test(value) && !NUMBER.test(value) && isPassword(value),
  "named-secret": (value, isQuoted) =>
    !BLANK.test(value) && (isPassphrase(value) || isNamedSecret(value, isQuoted)),
  "named-random": isNamedRandom,
  "named-long-key": (value) => LONG_KEY.test(value) && isNamedRandom(value),
};

/** Whether a value looks like what a rule asks for, and does not only stand in for it. */
export function looksLike(look: Look, value: string, isQuoted = false): boolean {
  if (look === "key-block") return KEY_BLOCK.test(value);
  return !isPlaceholder(value) && LOOKS[look](value, isQuoted);
}

/** Whether a value only stands in for a secret, or is something else for certain. */
export function isPlaceholder(value: string): boolean {
  const judged = value.slice(0, LONGEST_JUDGED);
  return PLACEHOLDER_WORDS.has(judged.toLowerCase()) ||
    PLACEHOLDERS.some((pattern) => pattern.test(judged)) || isMarkedWord(judged);
}

/** Whether a word of a sentence was chosen as a password rather than as a word. */
export function looksChosen(value: string): boolean {
  const kinds = variety(value);
  if (!DIGIT.test(value)) {
    return kinds >= 3 && value.length >= 8 && ODD_SYMBOL.test(value) || looksRandom(value) ||
      LETTERS.test(value) && value.length >= 10 && isMixedCase(value);
  }
  return LETTER.test(value) && value.length >= (kinds >= 3 ? 5 : 6);
}

/** Whether a value without blanks looks drawn by chance rather than written. */
export function looksRandom(value: string): boolean {
  const judged = value.slice(0, LONGEST_JUDGED);
  if (distinct(judged) < Math.min(7, judged.length / 2)) return false;
  if (entropy(judged) < Math.min(2.8, Math.log2(judged.length) * 0.75)) return false;
  if (DIGIT.test(judged)) return LETTER.test(judged) || judged.length >= 20;
  return judged.length >= 14 && isMixedCase(judged);
}

/** Whether a value is told as one that was chosen, and is no everyday word or number. */
export function isUnmistakable(value: string): boolean {
  return isPassphrase(value) ||
    looksChosen(value) && (DIGIT.test(value) || ODD_SYMBOL.test(value));
}

/** Whether a value is four words or more, parted by hyphens or blanks. */
export function isPassphrase(value: string): boolean {
  return PASSPHRASE.test(value);
}

/** Whether a value is words in lower case. */
export function isLowerWords(value: string): boolean {
  return LOWER_WORDS.test(value);
}

/** Whether a value is a number, with a unit or without. */
export function isNumber(value: string): boolean {
  return NUMBER.test(value);
}

/** Whether code has such a value without quotation marks: a name, or a path to a member. */
export function isNameInCode(value: string): boolean {
  return NAME.test(value);
}

/** Whether a value is put together from words and numbers, as names in code and settings are. */
export function readsLikeName(value: string): boolean {
  return JOINT.test(value.slice(0, LONGEST_JUDGED)) && partLength(value) >= 3.5;
}

/** How long words and numbers are on average: about 1.6 where they stand by chance. */
export function partLength(value: string): number {
  const parts = value.slice(0, LONGEST_JUDGED).match(NAME_PARTS) ?? [];
  return parts.join("").length / Math.max(1, parts.length);
}

/** Shannon entropy of the first 64 characters, in bits per character. */
export function entropy(value: string): number {
  const judged = value.slice(0, LONGEST_JUDGED);
  let bits = 0;
  for (const count of countsOf(judged)) {
    if (count > 0) bits -= count / judged.length * Math.log2(count / judged.length);
  }
  return bits;
}

/** How many different UTF-16 units there are, those with one remainder by 128 counted once. */
function distinct(value: string): number {
  let units = 0;
  for (const count of countsOf(value)) if (count > 0) units++;
  return units;
}

function countsOf(value: string): Uint8Array {
  const counts = new Uint8Array(128);
  for (let at = 0; at < value.length; at++) counts[value.charCodeAt(at) & 127]++;
  return counts;
}

/** Such as `%%PASSWORD%%` or `@@token@@`. */
function isMarkedWord(value: string): boolean {
  return !DIGIT.test(value) && PLACEHOLDER_WORDS.has(value.replace(SYMBOLS, "").toLowerCase());
}

/** How many of lower case, upper case, digits and anything else it has. */
function variety(value: string): number {
  return [LOWER, UPPER, DIGIT, SYMBOL].filter((kind) => kind.test(value)).length;
}

/** What follows a flag that means something else to most tools. */
function isNoName(value: string): boolean {
  if (UUID.test(value) || value.length >= 32) return looksRandom(value);
  return variety(value.replace(SYMBOLS, "")) === 3 && looksRandom(value) &&
    (value.length >= 16 || ODD_SYMBOL.test(value));
}

function isToken(body: string, isTelling: boolean): boolean {
  if (distinct(body.slice(0, 32)) < Math.min(6, body.length / 2)) return false;
  if (!DIGIT.test(body)) {
    return looksRandom(body) || entropy(body) > 2.8 &&
        (UPPER_ONLY.test(body) || isTelling && BOTH_CASES.test(body));
  }
  if (body.length < 12) return entropy(body) > 2;
  if (!JOINED_WORDS.test(body)) return entropy(body) > 2.5;
  return (body.match(MIXTURE)?.length ?? 0) * 6 >= Math.min(body.length, 40);
}

/** What a person chose, and not a machine. */
function isPassword(value: string): boolean {
  return value.length >= 4 &&
    (!NAME.test(value) || isPassphrase(value) || LOWER_WORDS.test(value) && value.length >= 5 ||
      value.length >= 10 && isMixedCase(value));
}

function isNamedSecret(value: string, isQuoted: boolean): boolean {
  return value.length >= 8 && !NUMBER.test(value) && !LOWER_WORDS.test(value) &&
    (looksRandom(value) ||
      isQuoted && variety(value) >= 3 && (DIGIT.test(value) || ODD_SYMBOL.test(value)));
}

function isNamedRandom(value: string): boolean {
  return value.length >= 12 && !BLANK.test(value) && looksRandom(value) && !UUID.test(value) &&
    !LINK.test(value) && !readsLikeName(value);
}

/** Whether upper case is as frequent, and case changes as often, as by chance and not in names. */
function isMixedCase(value: string): boolean {
  let upper = 0;
  let humps = -1;
  let wasUpper: boolean | undefined;
  for (const letter of value) {
    const isUpper = letter >= "A" && letter <= "Z";
    if (isUpper) upper++;
    if (isUpper !== wasUpper) humps++;
    wasUpper = isUpper;
  }
  return upper > value.length * 0.27 && upper < value.length * 0.73 && humps >= value.length * 0.24;
}
