/**
 * A word that names a secret, and a plausible value: assignments in code and in files, pairs of name
 * and value, elements, calls, and sentences such as "the password is ...". Pure.
 *
 * @module
 */

import {
  DIGIT,
  isMixedCase,
  isPlaceholder,
  LETTER,
  looksChosen,
  looksRandom,
  ODD_SYMBOL,
  partLength,
  readsLikeName,
  UUID,
  variety,
} from "./looks_like_secret.ts";
import {
  ASSIGNMENT,
  BLANK,
  BLOCK_SCALAR,
  DEFAULT,
  FOLLOWING_WORD,
  IN_ADDRESS,
  KEY,
  KEY_ROOT,
  LINE_LEAD,
  LINE_REST,
  LINK,
  LONG_KEY,
  LOWER,
  LOWER_WORDS,
  NAME_END,
  NAME_ONLY,
  NAME_PART,
  NAME_REST,
  NAME_VALUE,
  NEXT_WORD,
  NO_NAME_BEFORE,
  NON_ASCII,
  NOT_TOLD,
  NUMBER_ONLY,
  OTHER_TOKEN,
  OUTCOME,
  PASSPHRASE,
  PLURAL,
  SENTENCE,
  SENTENCE_CJK,
  TOLD_BEFORE,
  USER_BEFORE,
  VERB,
} from "./rules/key_patterns.ts";
import { KEY_WORDS, type KeyWord, NAME_ENDINGS } from "./rules/key_words.ts";
import type { Secret } from "./secret.ts";
import { bareAt, endOf, endOfRuns, quotedAt, runAt, type Value, wordAt } from "./value_at.ts";

const LONGEST_KEY = 26;
const LONGEST_NAME = 100;

/**
 * @param text a view
 * @param found where findings go
 */
export function findKeyValues(text: string, found: Secret[]): void {
  let next = 0;
  for (let match = nextKey(text, next); match !== undefined; match = nextKey(text, next)) {
    next = match.index + match[0].length;
    const key = KEY_WORDS[match.findIndex((group, index) => index > 0 && group !== undefined) - 1];
    const end = next;
    const rest = runAt(NAME_REST, text, end);
    if (!namesSecret(rest, text, end)) continue;
    const before = text.slice(Math.max(0, match.index - LONGEST_NAME), match.index);
    if (OTHER_TOKEN.test(before) || isOutcome(match[0], before)) continue;
    const value = assigned(text, match.index, end + trimmedLength(rest), key) ??
      told(text, match[0], end, key) ?? toldBefore(text, match.index, key);
    if (value === undefined) continue;
    const last = value.isQuoted ? value.end : endOfRuns(text, value.end);
    found.push({ start: value.start, end: last, kind: key.kind });
    next = Math.max(next, last);
  }
}

/** Looks for the words only around their roots, which is many times as fast as everywhere. */
function nextKey(text: string, from: number): RegExpExecArray | undefined {
  let start = from;
  KEY_ROOT.lastIndex = from;
  for (let root = KEY_ROOT.exec(text); root !== null; root = KEY_ROOT.exec(text)) {
    KEY.lastIndex = Math.max(start, root.index - LONGEST_KEY);
    const key = KEY.exec(text.slice(0, root.index + LONGEST_KEY));
    if (key !== null) return key;
    start = root.index; // a word that started before would have ended within reach
  }
  return undefined;
}

/** `rest` continues a name such as `password_prod`; `tokenizer` and `token_count` are other names. */
function namesSecret(rest: string, text: string, end: number): boolean {
  if (rest === "") return true;
  const goesOn = LOWER.test(rest[0]) && LETTER.test(text[end - 1]);
  if (goesOn && !PLURAL.test(rest)) return false;
  const parts = rest.match(NAME_PART) ?? [];
  return !parts.some((part) => NAME_ENDINGS.has(part.toLowerCase()) && part !== "s");
}

/** What a test reports, such as `--- PASS: TestName`. */
function isOutcome(word: string, before: string): boolean {
  return OUTCOME.test(word) && NO_NAME_BEFORE.test(before) && !USER_BEFORE.test(before);
}

/** On a line after the word only what has that line for itself: else the line is another matter. */
function isWithin(text: string, from: number, { start, end, text: value }: Value): boolean {
  return !LINE_LEAD.test(text.slice(from, start)) ||
    looksChosen(value) && LINE_REST.test(text.slice(end, end + 60));
}

/** A full stop ends the sentence rather than belonging to the name. */
function trimmedLength(rest: string): number {
  return rest.length - (NAME_END.exec(rest)?.[0].length ?? 0);
}

function assigned(
  text: string,
  nameStart: number,
  nameEnd: number,
  key: KeyWord,
): Value | undefined {
  let at = endOf(NAME_VALUE, text, nameEnd);
  let mark = "=";
  let isCalled = false;
  if (at === undefined) {
    if (IN_ADDRESS.test(text.slice(Math.max(0, nameStart - LONGEST_NAME), nameStart))) {
      return undefined;
    }
    ASSIGNMENT.lastIndex = nameEnd;
    const match = ASSIGNMENT.exec(text);
    if (match === null) return undefined;
    at = nameEnd + match[0].length;
    mark = match[1];
    isCalled = match[2] !== undefined;
  }
  at = endOf(DEFAULT, text, at) ?? at;
  const block = endOf(BLOCK_SCALAR, text, at);
  const value = quotedAt(text, at) ?? bareAt(text, block ?? at, nameStart, mark);
  if (value === undefined || !isOfKey(value, key)) return undefined;
  if (!isWithin(text, nameEnd, value)) return undefined;
  if (isCalled && !(value.text.length >= 16 && looksRandom(value.text))) return undefined;
  switch (mark) {
    case ",":
    case "(":
    case "{":
      return value.isQuoted && looksChosen(value.text) ? value : undefined;
    case "|":
      return looksChosen(value.text) && (isPassword(key) || partLength(value.text) < 3)
        ? value
        : undefined;
    default:
      return value;
  }
}

/** Right after the word comes before what a verb leads to: "password X was in the wiki". */
function told(text: string, word: string, end: number, key: KeyWord): Value | undefined {
  if (VERB.test(word) || NAME_ENDINGS.has(runAt(FOLLOWING_WORD, text, end).trim())) {
    return undefined;
  }
  const leads = NON_ASCII.test(word) ? [SENTENCE_CJK, NEXT_WORD, SENTENCE] : [NEXT_WORD, SENTENCE];
  for (const lead of leads) {
    const at = endOf(lead, text, end);
    const value = at === undefined ? undefined : quotedAt(text, at) ?? wordAt(text, at);
    if (value !== undefined && isTold(value, key) && isWithin(text, end, value)) return value;
  }
  return undefined;
}

/** In a sentence, a value has to look chosen: any word may stand there. */
function isTold(value: Value, key: KeyWord): boolean {
  const { text } = value;
  return text.length >= 5 && !isPlaceholder(text) && !NUMBER_ONLY.test(text) &&
    !NOT_TOLD.test(text) && isOfKey(value, key) &&
    (PASSPHRASE.test(text) || looksChosen(text));
}

function toldBefore(text: string, at: number, key: KeyWord): Value | undefined {
  if (at === 0 || !BLANK.test(text[at - 1])) return undefined;
  const match = TOLD_BEFORE.exec(text.slice(Math.max(0, at - LONGEST_NAME), at));
  if (match === null) return undefined;
  const end = at - match[2].length;
  const value = { text: match[1], start: end - match[1].length, end, isQuoted: false };
  return isTold(value, key) ? value : undefined;
}

function isOfKey(value: Value, key: KeyWord): boolean {
  const { text, isQuoted } = value;
  if (key.kind === "key" && !LONG_KEY.test(text) || isPlaceholder(text)) return false;
  if (BLANK.test(text)) {
    return key.kind === "passphrase" && PASSPHRASE.test(text) ||
      key.kind === "password" && isQuoted && text.length < 40 && variety(text) === 4;
  }
  if (!key.isStrong) {
    return text.length >= 12 && looksRandom(text) && !UUID.test(text) && !LINK.test(text) &&
      !readsLikeName(text);
  }
  if (text.length < 4) return false;
  if (PASSPHRASE.test(text)) return true;
  if (NUMBER_ONLY.test(text)) return key.kind === "password" && text.length >= 4;
  if (isPassword(key)) {
    return !NAME_ONLY.test(text) || LOWER_WORDS.test(text) && text.length >= 5 ||
      text.length >= 10 && isMixedCase(text);
  }
  if (LOWER_WORDS.test(text)) return false;
  return text.length >= 8 &&
    (looksRandom(text) ||
      isQuoted && variety(text) >= 3 && (DIGIT.test(text) || ODD_SYMBOL.test(text)));
}

/** What a person chose, and not a machine. */
function isPassword(key: KeyWord): boolean {
  return key.kind === "password" || key.kind === "passphrase";
}
