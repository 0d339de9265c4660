// Finds the value of a word that names a secret: in assignments, pairs of name and value, elements, calls, and
// sentences such as "the password is ...". Pure.

import { canStandIn, type FileKind } from "./file_kind.ts";
import {
  isMarked,
  isPlaceholder,
  looksChosen,
  looksLike,
  looksRandom,
  partLength,
  readsLikeName,
} from "./looks_like_secret.ts";
import { LEAD, NAME, NAME_ENDINGS, VALUE } from "./rules/around_names.ts";
import { SECRET_NAMES } from "./rules/hints.ts";
import type { Rule } from "./rules/rule.ts";
import { VALUES } from "./rules/values.ts";
import { type Secret, secretOf } from "./secret.ts";

const NAME_PART = new RegExp(SECRET_NAMES, "gi");
const LONGEST_WORD = 26;
const LONGEST_NAME = 100;

interface Name {
  rule: Rule;
  word: string;
  /** The text before the word, as far as it matters. */
  before: string;
  /** The whole text after the word. */
  after: string;
}

/** A possible secret. Its start is relative to the end of the word. */
interface Value {
  text: string;
  start: number;
  isQuoted: boolean;
}

/** Returns a reader that finds the values of the names in the rules' patterns, in the order of position. */
export function createNameReader(
  rules: readonly Rule[],
): (text: string, file?: FileKind) => Iterable<Secret> {
  const anyName = new RegExp(
    rules.map(({ pattern }) => `(${pattern.source})`).join("|") || "(?!)",
    "gi",
  );
  return function* (text, file) {
    const part = new RegExp(NAME_PART);
    const name = new RegExp(anyName);
    let from = 0;
    for (let match = nextName(text, from); match !== null; match = nextName(text, from)) {
      const [word, ...groups] = match;
      from = match.index + word.length;
      const rule = rules[groups.findIndex((group) => group !== undefined)];
      const before = text.slice(Math.max(0, match.index - LONGEST_NAME), match.index);
      const value = valueOf({ rule, word, before, after: text.slice(from) });
      if (value === undefined) continue;
      const start = from + value.start;
      if (file && !canStandIn(file, rule, { text, start, value: value.text })) continue;
      const secret = secretOf(rule, text, start, value.text);
      from = Math.max(from, secret.end);
      yield secret;
    }

    /** Searches only around parts of names, which is many times as fast as searching everywhere. */
    function nextName(text: string, from: number): RegExpExecArray | null {
      let start = from;
      part.lastIndex = from;
      for (let found = part.exec(text); found !== null; found = part.exec(text)) {
        name.lastIndex = Math.max(start, found.index - LONGEST_WORD);
        const match = name.exec(text.slice(0, found.index + LONGEST_WORD));
        if (match !== null) return match;
        start = found.index; // an earlier word would have ended within reach
      }
      return null;
    }
  };
}

function valueOf(name: Name): Value | undefined {
  const { word, before, after } = name;
  const rest = NAME.rest.exec(after)![0];
  if (!namesSecret(word, rest) || NAME.beforeOtherToken.test(before)) return undefined;
  if (NAME.folder.test(word) && NAME.beforeUse.test(before)) return undefined;
  const isOutcome = word === "PASS" && NAME.beforeOutcome.test(before) &&
    !NAME.beforeWithUser.test(before) && !NAME.set.test(after);
  if (isOutcome || isVerdict(name)) return undefined;
  return assigned(name, rest.replace(NAME.end, "").length) ?? stated(name) ?? statedBefore(name);
}

/**
 * Whether "pass" is a verdict, as in "Every package should now pass: internal/ledger" and "Gate G2 PASS: `app stop`
 * ends the loop".
 */
function isVerdict({ word, before, after }: Name): boolean {
  return word === "PASS" && NAME.verdictInWords.test(after) && !NAME.beforeWithUser.test(before) ||
    word.toLowerCase() === "pass" && NAME.beforeVerdict.test(before) && NAME.verdict.test(after);
}

/** Whether a word with its rest names a secret. `password_prod` does; `tokenizer` and `token_count` do not. */
function namesSecret(word: string, rest: string): boolean {
  if (NAME.continues.test(word.slice(-1) + rest)) return false;
  const parts = rest.match(NAME.parts) ?? [];
  return !parts.some((part) => NAME_ENDINGS.has(part.toLowerCase()) && part !== "s");
}

function assigned({ rule, before, after }: Name, nameEnd: number): Value | undefined {
  let lead = endOf(LEAD.otherPair, after, nameEnd);
  let mark = "pair";
  let call = 0;
  if (lead === undefined) {
    if (NAME.beforeInAddress.test(before)) return undefined;
    const match = LEAD.assignment.exec(after.slice(nameEnd));
    if (match === null) return undefined;
    lead = nameEnd + match[0].length;
    mark = match[1];
    call = match[2]?.length ?? 0;
  }
  const fallback = endOf(LEAD.fallback, after, lead - call);
  const start = fallback ?? lead;
  const value = quoted(after, start) ??
    bare(after, endOf(LEAD.block, after, start) ?? start, before, mark);
  if (value === undefined || !looksLike(rule.looks!, value.text, value.isQuoted)) return undefined;
  if (!isWithin(after, nameEnd, value) || isRelative(before, value.text)) return undefined;
  const isCalled = call > 0 && fallback === undefined;
  if (isCalled && !(value.text.length >= 16 && looksRandom(value.text))) return undefined;
  if (",({".includes(mark)) {
    const isTaken = looksChosen(value.text) && !readsLikeName(value.text) || isMarked(value.text) ||
      NAME.beforeInQuotes.test(before) && rule.looks === "password" &&
        VALUES.lowerWords.test(value.text) && looksLikeWords(value.text);
    return value.isQuoted && isTaken ? value : undefined;
  }
  const isCell = mark !== "|" ||
    looksChosen(value.text) && (rule.looks!.startsWith("pass") || partLength(value.text) < 3);
  return isCell ? value : undefined;
}

/** Whether a value is the name of a related setting, such as `become_flags` beside `become_pass`. */
function isRelative(before: string, value: string): boolean {
  const family = NAME.family.exec(before)?.[1];
  return family !== undefined && value.startsWith(family) && VALUES.setting.test(value);
}

/**
 * Finds a value in a sentence. The text right after the word is tried before the text after a verb, for sentences
 * such as "password X was in the wiki".
 */
function stated({ rule, word, after }: Name): Value | undefined {
  const next = NAME.followingWord.exec(after)?.[0].trim() ?? "";
  if (["pass", "clave"].includes(word.toLowerCase()) || NAME_ENDINGS.has(next)) return undefined;
  const leads = [LEAD.nextWord, LEAD.sentence];
  if (NAME.nonAscii.test(word)) leads.unshift(LEAD.unspaced);
  for (const lead of leads) {
    const start = endOf(lead, after, 0);
    if (start === undefined || LEAD.other.test(after.slice(0, start))) continue;
    const value = quoted(after, start) ?? wordAt(after, start);
    if (value && VALUE.declared.test(after.slice(value.start, value.start + LONGEST_NAME))) {
      continue;
    }
    if (value && isStated(value, rule) && isWithin(after, 0, value)) return value;
  }
}

function statedBefore({ rule, word, before }: Name): Value | undefined {
  if (word.toLowerCase() === "pass") return undefined;
  const match = VALUES.blank.test(before.slice(-1)) ? VALUE.statedBefore.exec(before) : null;
  if (match === null) return undefined;
  const [, text, rest] = match;
  const start = -word.length - rest.length - text.length;
  const value = { text, start, isQuoted: false };
  return isStated(value, rule) ? value : undefined;
}

/** Whether a value in a sentence looks chosen. This is required because any word may stand there. */
function isStated({ text, isQuoted }: Value, { looks }: Rule): boolean {
  return (looks!.startsWith("pass") || !readsLikeName(text)) && text.length >= 5 &&
    !VALUES.number.test(text) && !VALUE.notStated.test(text) &&
    looksLike(looks!, text, isQuoted) &&
    (VALUES.passphrase.test(text) || looksChosen(text) ||
      isQuoted && looks === "password" && looksLikeWords(text));
}

/** Whether a text consists of words, without a typical word of a sentence about passwords. */
function looksLikeWords(text: string): boolean {
  return text.length >= 5 && !VALUES.ofSentence.test(text) &&
    (VALUES.lowerWords.test(text) || VALUES.camelWords.test(text));
}

/** Whether a value is on the line of its word, or alone on a later line. */
function isWithin(after: string, from: number, { start, text }: Value): boolean {
  const end = start + text.length;
  return !LEAD.toLine.test(after.slice(from, start)) ||
    looksChosen(text) && VALUE.lineRest.test(after.slice(end, end + LONGEST_NAME));
}

function quoted(after: string, at: number): Value | undefined {
  const match = VALUE.quoted.exec(after.slice(at));
  if (match === null) return undefined;
  const text = match.findLast((group) => group !== undefined)!;
  return { text: text.trimEnd(), start: at + match[0].length - text.length, isQuoted: true };
}

function bare(after: string, start: number, before: string, mark: string): Value | undefined {
  const isSet = (mark === "=" || mark === ":") && NAME.beforeInLine.test(before);
  const isLine = isSet || mark === "pair" || NAME.beforeAfterUser.test(before);
  const isShell = isSet && mark === "=" && after[start - 1] === "=";
  const isQuery = NAME.beforeInQuery.test(before);
  const run = (isQuery ? VALUE.query : isShell ? VALUE.line : VALUE.code)
    .exec(after.slice(start))?.[0] ?? "";
  const marked = isQuery ? "" : VALUE.marked.exec(after.slice(start))?.[1] ?? "";
  if (marked.length >= run.length && isMarked(marked) && !isPlaceholder(marked)) {
    return { text: marked, start, isQuoted: true };
  }
  const text = run.replace(VALUE.endOfCode, "");
  if (text === "") return undefined;
  const isName = mark.startsWith("::") ||
    VALUE.compared.test(after.slice(0, start)) && VALUES.ofPassword.test(text);
  if (!isShell && isName && isIdentifier(text)) return undefined;
  const isCode = !isLine || mark === ":" || partLength(text) >= 3;
  if (isCode && VALUE.codeAfter.test(after.slice(start + run.length))) return undefined;
  if (!isShell && isIdentifier(text) && VALUE.listAfter.test(after.slice(start + text.length))) {
    return undefined;
  }
  if (VALUES.name.test(text) && !looksRandom(text)) {
    const end = start + text.length;
    const endsLine = isShell || VALUE.lineEnd.test(after.slice(end, end + LONGEST_NAME));
    if (!isLine || !endsLine || text.includes(".") || text.length < 5) return undefined;
    if (mark !== "=" && !VALUES.lowerWords.test(text) && !VALUES.camelWords.test(text)) {
      return undefined;
    }
  }
  return { text, start, isQuoted: isSet && VALUES.longWord.test(text) };
}

/**
 * Whether a text is a variable of code, made of words and numbers. Parts of a random value have 1.6 units on average.
 */
function isIdentifier(text: string): boolean {
  return VALUES.identifier.test(text) && partLength(text) >= 3;
}

function wordAt(after: string, start: number): Value | undefined {
  const text = VALUE.word.exec(after.slice(start))?.[0].replace(VALUE.endOfWord, "") ?? "";
  return text === "" ? undefined : { text, start, isQuoted: false };
}

function endOf(lead: RegExp, after: string, at: number): number | undefined {
  const match = lead.exec(after.slice(at));
  return match === null ? undefined : at + match[0].length;
}
