// Decides whether a value can be a secret: not a placeholder, not code, not an everyday word, and as random as its
// surroundings require. Pure.

import { COMMON, RARE, rarity } from "./letter_pairs.ts";
import { LONE } from "./rules/lone_values.ts";
import { PLACEHOLDER_WORDS, PLACEHOLDERS } from "./rules/placeholders.ts";
import type { Look } from "./rules/rule.ts";
import { VALUES } from "./rules/values.ts";

const LONGEST_JUDGED = 64;
const LONG = 24;

const LOOKS: Record<Look, (value: string, isQuoted: boolean) => boolean> = {
  "any": () => true,
  "key-block": () => true,
  "settings": (value) => VALUES.longSetting.test(value),
  "chosen": (value) => looksChosen(value) || hasMarks(value),
  "random": (value) => looksRandom(value) && !readsLikeName(value),
  "random-no-id": isRandomNoId,
  "rare": (value) => looksRandom(value) && rarity(value) >= RARE,
  "token": (value) => isToken(value, false),
  "token-by-prefix": (value) => isToken(value, true),
  "password": (value, isQuoted) =>
    VALUES.blank.test(value)
      ? isQuoted && value.length < 40 && (variety(value) === 4 || isSpacedSecret(value))
      : VALUES.number.test(value)
      ? value.length >= 4 && !VALUES.powerOfTwo.test(value)
      : isPassword(value),
  "password-of-sentence": (value) => isPassword(value) && !VALUES.ofSentence.test(value),
  "passphrase": (value) =>
    VALUES.passphrase.test(value) ||
    !VALUES.blank.test(value) && !VALUES.number.test(value) && isPassword(value),
  "named-secret": (value, isQuoted) =>
    !VALUES.blank.test(value) && (VALUES.passphrase.test(value) || isNamedSecret(value, isQuoted)),
  "named-random": isNamedRandom,
  "named-long-key": (value) =>
    VALUES.longKey.test(value) && isNamedRandom(value) &&
    rarity(value) >= RARE && !LONE.known.test(value),
};

/** Whether a value has the look that a rule requires, and is not a placeholder. */
export function looksLike(look: Look, value: string, isQuoted = false): boolean {
  if (look === "key-block") return VALUES.keyBlock.test(value);
  return !isPlaceholder(value) && LOOKS[look](value, isQuoted);
}

export function isPlaceholder(value: string): boolean {
  const judged = value.slice(0, LONGEST_JUDGED);
  return PLACEHOLDER_WORDS.has(judged.toLowerCase()) ||
    PLACEHOLDERS.some((pattern) => pattern.test(judged)) || isMarkedWord(judged);
}

/** Whether a value from a sentence was chosen as a password and is not a word. */
export function looksChosen(value: string): boolean {
  const kinds = variety(value);
  if (!VALUES.digit.test(value)) {
    return kinds >= 3 && value.length >= 8 && VALUES.oddSymbol.test(value) || looksRandom(value) ||
      VALUES.letters.test(value) && value.length >= 10 && isMixedCase(value);
  }
  return VALUES.letter.test(value) && value.length >= (kinds >= 3 ? 5 : 6);
}

/** Whether a value without blanks looks random. */
export function looksRandom(value: string): boolean {
  const judged = value.slice(0, LONGEST_JUDGED);
  if (distinct(judged) < Math.min(7, judged.length / 2)) return false;
  if (entropy(judged) < Math.min(2.8, Math.log2(judged.length) * 0.75)) return false;
  if (VALUES.digit.test(judged)) return VALUES.letter.test(judged) || judged.length >= 20;
  return judged.length >= 14 && VALUES.bothCases.test(judged) && rarity(judged) >= RARE;
}

/** Whether a value was clearly chosen, and is neither an everyday word nor a number. */
export function isUnmistakable(value: string): boolean {
  return VALUES.passphrase.test(value) ||
    looksChosen(value) && (VALUES.digit.test(value) || VALUES.oddSymbol.test(value));
}

/** Whether a value is composed of words and numbers, like names in code and settings. */
export function readsLikeName(value: string): boolean {
  return VALUES.joint.test(value.slice(0, LONGEST_JUDGED)) && partLength(value) >= 3.5;
}

/** Returns the average length of the words and numbers in a value. For a random value, it is about 1.6. */
export function partLength(value: string): number {
  const parts = value.slice(0, LONGEST_JUDGED).match(VALUES.nameParts) ?? [];
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

function distinct(value: string): number {
  let units = 0;
  for (const count of countsOf(value)) if (count > 0) units++;
  return units;
}

/** Counts the UTF-16 units of a value by their code modulo 128. */
function countsOf(value: string): Uint8Array {
  const counts = new Uint8Array(128);
  for (let at = 0; at < value.length; at++) counts[value.charCodeAt(at) & 127]++;
  return counts;
}

/** Whether a value is a placeholder word between marks, such as `%%PASSWORD%%` or `@@token@@`. */
function isMarkedWord(value: string): boolean {
  return !VALUES.digit.test(value) &&
    PLACEHOLDER_WORDS.has(value.replace(VALUES.symbols, "").toLowerCase());
}

/** Returns the number of kinds of characters in a value: lower case, upper case, digits and other characters. */
function variety(value: string): number {
  return VALUES.kinds.filter((kind) => kind.test(value)).length;
}

/** Whether a person wrote a text in place of a token: words, or the same text again and again. */
function isWritten(body: string): boolean {
  const words = body.replace(VALUES.noLetters, "-");
  return VALUES.thrice.test(body.slice(0, LONGEST_JUDGED)) ||
    words.length * 3 > body.length * 2 && partLength(words) >= 3 &&
      rarity(words) < COMMON[words.length < LONG ? "short" : "long"];
}

function isToken(body: string, isTelling: boolean): boolean {
  if (isWritten(body)) return false;
  if (distinct(body.slice(0, 32)) < Math.min(6, body.length / 2)) return false;
  if (!VALUES.digit.test(body)) {
    return looksRandom(body) || entropy(body) > 2.8 &&
        (VALUES.upperOnly.test(body) || isTelling && VALUES.bothCases.test(body));
  }
  if (body.length < 12) return entropy(body) > 2;
  return entropy(body) > 2.5;
}

/** Whether a person could have chosen the value as a password. */
function isPassword(value: string): boolean {
  return value.length >= 4 &&
    (!VALUES.name.test(value) || VALUES.passphrase.test(value) ||
      VALUES.lowerWords.test(value) && value.length >= 5 || VALUES.camelWords.test(value) ||
      value.length >= 10 && isMixedCase(value));
}

function isNamedSecret(value: string, isQuoted: boolean): boolean {
  if (isQuoted && VALUES.longWord.test(value)) return true;
  return value.length >= (VALUES.lowerMixed.test(value) ? 6 : 8) &&
    !VALUES.lowerWords.test(value) &&
    (!VALUES.number.test(value) || VALUES.longNumber.test(value)) &&
    (looksRandom(value) ||
      isQuoted && variety(value) >= 3 &&
        (VALUES.digit.test(value) || VALUES.oddSymbol.test(value)) ||
      isQuoted && hasMarks(value));
}

/** Whether a value has many symbols that neither a name nor an expression has. */
function hasMarks(value: string): boolean {
  return VALUES.manySymbols.test(value) && !VALUES.expression.test(value);
}

/**
 * Whether a value has many symbols, and they outnumber other characters or have unmatched brackets. In code, brackets
 * match.
 */
export function isMarked(value: string): boolean {
  if (!hasMarks(value)) return false;
  const symbols = value.match(VALUES.symbols)?.length ?? 0;
  if (symbols * 2 > value.length && !VALUES.ofCode.test(value)) return true;
  const open: string[] = [];
  for (const [bracket] of value.matchAll(VALUES.bracket)) {
    if ("([{".includes(bracket)) open.push(bracket);
    else if (open.pop() !== "([{"[")]}".indexOf(bracket)]) return true;
  }
  return open.length > 0;
}

/** Whether a value consists of some words, without a typical word of a sentence. */
function isSpacedSecret(value: string): boolean {
  return VALUES.spacedWords.test(value) && !VALUES.ofSentence.test(value);
}

function isRandomNoId(value: string): boolean {
  return looksRandom(value) && !VALUES.uuid.test(value) && !readsLikeName(value);
}

function isNamedRandom(value: string, isQuoted = false): boolean {
  if (isQuoted && (VALUES.symbolToken.test(value) || isMarked(value))) return variety(value) === 4;
  return value.length >= 10 && !VALUES.blank.test(value) && !VALUES.link.test(value) &&
    (isRandomNoId(value) || VALUES.uuid.test(value));
}

/** Whether upper case and changes of case are as frequent as by chance. In names, they are rarer. */
function isMixedCase(value: string): boolean {
  const upper = value.match(VALUES.upper)?.length ?? 0;
  const humps = value.match(VALUES.caseChange)?.length ?? 0;
  return upper > value.length * 0.27 && upper < value.length * 0.73 && humps >= value.length * 0.24;
}
