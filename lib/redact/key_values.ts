/**
 * A word that names a secret, and a plausible value: assignments in code and in files, pairs of name
 * and value, elements, calls, and sentences such as "the password is ...".
 *
 * @module
 */

import { KEY_ROOTS, KEY_WORDS, type KeyWord, NAME_ENDINGS, VERBS } from "./key_words.ts";
import {
  isMixedCase,
  isPlaceholder,
  LETTER,
  looksChosen,
  looksRandom,
  UUID,
  variety,
} from "./plausible.ts";
import type { Secret } from "./secret.ts";

/** Any of the words; the capture that is set tells which. */
export const KEY: RegExp = new RegExp(
  KEY_WORDS.map(({ word, isAlone }) =>
    isAlone ? `((?<![A-Za-z]|[a-z](?=[a-z]))(?:${word})(?![a-z]))` : `(${word})`
  ).join("|"),
  "gi",
);

/** Parts of the words, at least one of which each word has: where none stands, no word can. */
export const KEY_ROOT: RegExp = new RegExp(KEY_ROOTS.join("|"), "gi");

/** The rest of the name. */
export const NAME_REST: RegExp = /[A-Za-z0-9_.-]{0,60}/y;

/** What parts a name: marks, and where upper case starts. */
export const NAME_PART: RegExp = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/** From the name to a value in code or in a file; captured is the mark. */
export const ASSIGNMENT: RegExp =
  /(?:\\{0,3}["'`]|&quot;|%22|\*\*|__)?[\])}]{0,2}\s{0,16}?(?:\?|!)?(?:\[\d{0,4}\] ?)?(?:: ?[&*'A-Za-z\[][\w<>|.,;&*'\[\] ]{0,40}?(?==[^=]))?(===?|!==?|:=|=>|->|<-|\?=|\|\|=|\?\?=|=|%3[AD]|: ?=|:|,|\(|\{|<br ?\/?>|>|\uff1a|\uff1d|\|)(?:\*\*|__)?\s{0,32}(?:\*\*|base64:|!![a-z]{1,12} |<(?:code|b|strong|kbd|tt|em|i|span)>|&[a-z]\w{0,20} )?((?:new |\[\])?[A-Za-z_.:]{1,40}\((?=["'`]))?/y;

/** From a name to the value in another pair: `name: X, value: Y`. */
export const NAME_VALUE: RegExp =
  /(?:\\{0,3}["'`])?(?:[,;]\s{0,80}|\s{1,80})(?:\\{0,3}["'])?(?:-\s)?value(?:\\{0,3}["'])?\s{0,4}[:=]\s{0,8}/iy;

/** From the word to the value in a sentence. */
export const SENTENCE: RegExp = new RegExp(
  String
    .raw`(?:["'\`]|\*\*|__)?(?:\s{1,4}[^\s:=.!?;]{1,32}){0,6}?(?:\s{1,4}(?:${VERBS})|\s{1,4}[^\s:=.!?;]{1,32}:)(?:\s{0,2}:|\s{1,4}(?:still|now|currently|simply|just|actually|again|set to|changed to|reset to|updated to|rotated to|:))?\s{1,4}`,
  "iy",
);

/** The same where nothing parts the words. */
export const SENTENCE_CJK: RegExp =
  /[^\n\x21-\x7e]{0,12}?(?:\u662f|\u4e3a|\u70ba|\u306f|\uff1a|:|\uc740|\ub294)\s{0,2}["'`\u300c\u201c]?/y;

/** A value right after the word. */
export const NEXT_WORD: RegExp = /(?:["'`]|\*\*|__)?\s{1,8}\(?(?:of |to |with |as |for |de |:)?/y;

/** A value before the word, as in "X is the password"; captured are the value and its rest. */
export const TOLD_BEFORE: RegExp =
  /(?<![^\s("'`*:])([^\s"'`*()<>|\\]{5,64})(["'`*]{0,3}\s{1,4}(?:is|was|as|ist|est|es)\s{1,4}(?:[^\s.:;!?]{1,12}\s{1,4}){0,4})$/;

/** What opens a quoted value. */
export const QUOTE: RegExp =
  /\*?(?:[bfruBFRU@$]{1,2})?(\\{0,3}(?:"""|'''|["'`])|&quot;|%22|\u201c|\u300c|\u00ab\s?)/y;

/** A value to the end of the line, to the next blank, in code, and as a word of a sentence. */
export const BARE: Readonly<Record<"line" | "code" | "query" | "word", RegExp>> = {
  line: /[^\s;\\]{0,160}(?:\\(?![nrt"'`\\])[^\s;\\]{0,160}){0,4}/y,
  code: /[^\s"'`,;<>(){}\[\]&|\\]{0,160}(?:\\(?![nrt"'`\\])[^\s"'`,;<>(){}\[\]&|\\]{0,160}){0,4}/y,
  query: /[^\s"'`<>&#;)\\]{1,160}/y,
  word: /[^\s"'`\u201c\u201d<>|\\]{1,160}/y,
};

/** What stands before a name that is set in a shell or a file. */
export const LINE_START: RegExp =
  /(?:^|\n|\\n)[ \t]{0,16}(?:(?:export|set|setx|ENV|ARG|env|declare -x|-e|--env|-|\+|\$env:|\$|#|\/\/|>)[ \t]{0,4}){0,2}["']?[A-Za-z0-9_.:$\/-]{0,80}$/;

/** A value from elsewhere, for which the secret is the default. */
export const DEFAULT: RegExp =
  /[A-Za-z_$][\w.$\[\]"'()]{0,80}\s{0,4}(?:\|\||\?\?|\bor\b|\?:)\s{0,4}(?=["'`])/y;

export const BLOCK_SCALAR: RegExp = /[|>][+-]?[ \t]{0,4}\n[ \t]{1,32}/y;
export const NAME_ONLY: RegExp = /^[A-Za-z_$][A-Za-z_$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$]\w*)*$/;
export const NUMBER_ONLY: RegExp = /^[+-]?[0-9][0-9_,.]*[a-z%]?$/i;
export const LOWER_WORDS: RegExp = /^[a-z]{1,80}(?:[-_. ][a-z]{1,80}){0,40}$/;
export const CODE_AFTER: RegExp = /[(\[]|\?\.|\.[a-z]{1,20}\(/y;
export const SENTENCE_END: RegExp = /[.,;:?)\]}\u3002\uff0c\u3001\u300d\u201d\u00bb]{1,8}$/;
export const QUERY: RegExp = /[?&][\w.-]{0,80}$/;
export const LINK: RegExp = /:\/\/|\]\(|;/;
export const IN_ADDRESS: RegExp = /(?::\/\/|\barn:)[^\s/]{0,90}$/;
/** A link, or code. */
export const NOT_TOLD: RegExp = /:\/\/|\]\(|[A-Za-z_\])]\(|=>/;
/** Under the bare word: keys of a map are shorter, and hashes have no upper case. */
export const LONG_KEY: RegExp =
  /^(?=[^A-Z]{0,80}[A-Z])(?=[^0-9]{0,80}[0-9])(?:[A-Za-z0-9_+-]{32,}|[A-Za-z0-9+/_-]{40,}={1,2})$/;
/** Names of tokens that open nothing. */
export const OTHER_TOKEN: RegExp =
  /(?:next|starting|page|paging|pagination|continuation|continue|request|cancel|cancellation|sync|lock|resume|design|css|color|style)[-_ .]?$/i;
export const LOWER: RegExp = /[a-z]/;
export const BLANK_OR_MARK: RegExp = /[^A-Za-z0-9+/_-]/;
export const BLANK: RegExp = /\s/;
export const PLURAL: RegExp = /^[sne]?(?![a-z])/;
export const NAME_END: RegExp = /[.-]{1,60}$/;
export const LINE_END: RegExp = /^[ \t]{0,40}(?:[#\r\n]|$)/;
export const FOLLOWING_WORD: RegExp = /\s[a-z]{1,20}/y;
export const VERB: RegExp = /^pass$/i;
export const PASSPHRASE: RegExp = /^[a-z]{3,12}(?:[- ][a-z]{3,12}){3,23}$/;
export const NON_ASCII: RegExp = /[^\x20-\x7e]/;

const LONGEST_KEY = 26;
const LONGEST_NAME = 100;
const LONGEST_VALUE = 1_024;

interface Value {
  text: string;
  start: number;
  end: number;
  isQuoted: boolean;
}

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
    if (OTHER_TOKEN.test(text.slice(Math.max(0, match.index - LONGEST_KEY), match.index))) continue;
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
  if (isCalled && !(value.text.length >= 16 && looksRandom(value.text))) return undefined;
  switch (mark) {
    case ",":
    case "(":
    case "{":
      return value.isQuoted && looksChosen(value.text) ? value : undefined;
    case "|":
      return looksChosen(value.text) ? value : undefined;
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
    if (value !== undefined && isTold(value, key)) return value;
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
    return text.length >= 12 && looksRandom(text) && !UUID.test(text) && !LINK.test(text);
  }
  if (text.length < 4) return false;
  if (PASSPHRASE.test(text)) return true;
  if (NUMBER_ONLY.test(text)) return key.kind === "password" && text.length >= 4;
  if (key.kind === "password" || key.kind === "passphrase") {
    return !NAME_ONLY.test(text) || LOWER_WORDS.test(text) && text.length >= 5 ||
      text.length >= 10 && isMixedCase(text);
  }
  if (LOWER_WORDS.test(text)) return false;
  return text.length >= 8 && (looksRandom(text) || isQuoted && variety(text) >= 3);
}

function quotedAt(text: string, at: number): Value | undefined {
  QUOTE.lastIndex = at;
  const match = QUOTE.exec(text);
  if (match === null) return undefined;
  const start = at + match[0].length;
  const closing = { "\u201c": "\u201d", "\u300c": "\u300d", "\u00ab": "\u00bb" }[match[1][0]] ??
    match[1];
  const limit = Math.min(text.length, start + LONGEST_VALUE);
  let end = start;
  while (end < limit && text[end] !== "\n" && !text.startsWith(closing, end)) {
    end += text[end] === "\\" && !closing.startsWith("\\") && end + 1 < limit ? 2 : 1;
  }
  end = Math.min(end, limit);
  return end === start ? undefined : { text: text.slice(start, end), start, end, isQuoted: true };
}

function bareAt(text: string, at: number, nameStart: number, mark: string): Value | undefined {
  const before = text.slice(Math.max(0, nameStart - LONGEST_NAME), nameStart);
  const isLine = (mark === "=" || mark === ":") && LINE_START.test(before);
  const inQuery = QUERY.test(before);
  const style = inQuery
    ? "query"
    : isLine && mark === "=" && text[at - 1] === "="
    ? "line"
    : "code";
  const run = runAt(BARE[style], text, at);
  const trimmed = run.replace(SENTENCE_END_OF_CODE, "");
  if (trimmed === "") return undefined;
  const end = at + trimmed.length;
  if (!isLine || mark === ":") {
    if (endOf(CODE_AFTER, text, at + run.length) !== undefined) return undefined;
  }
  if (NAME_ONLY.test(trimmed) && !looksRandom(trimmed)) {
    const isShell = mark === "=" && text[at - 1] === "=" && isLine;
    const endsLine = isShell || LINE_END.test(text.slice(end, end + 40));
    if (!isLine || !endsLine || trimmed.includes(".") || trimmed.length < 5) return undefined;
    if (mark === ":" && !LOWER_WORDS.test(trimmed)) return undefined;
  }
  return { text: trimmed, start: at, end, isQuoted: false };
}

export const SENTENCE_END_OF_CODE: RegExp = /[.,;:\\]{1,8}$/;

function wordAt(text: string, at: number): Value | undefined {
  const word = runAt(BARE.word, text, at).replace(SENTENCE_END, "");
  if (word === "") return undefined;
  return { text: word, start: at, end: at + word.length, isQuoted: false };
}

/** Follows a value that is longer than what was judged. */
function endOfRuns(text: string, from: number): number {
  let end = from;
  if (BLANK_OR_MARK.test(text[end] ?? " ")) return end;
  for (let run = runAt(BARE.code, text, end); run !== ""; run = runAt(BARE.code, text, end)) {
    end += run.length;
  }
  return end;
}

function runAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
