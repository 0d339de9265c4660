/**
 * Reads the value that may be a secret: in quotation marks, bare in code or in a file, as a word.
 * Pure.
 *
 * @module
 */

import { looksRandom, partLength } from "./looks_like_secret.ts";
import {
  BARE,
  BLANK_OR_MARK,
  CODE_AFTER,
  LINE_END,
  LINE_START,
  LOWER_WORDS,
  NAME_ONLY,
  QUERY,
  QUOTE,
  SENTENCE_END,
  SENTENCE_END_OF_CODE,
} from "./rules/key_patterns.ts";

const LONGEST_NAME = 100;
const LONGEST_VALUE = 1_024;

/** What stands where a secret may stand. */
export interface Value {
  text: string;
  start: number;
  end: number;
  isQuoted: boolean;
}

export function quotedAt(text: string, at: number): Value | undefined {
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

export function bareAt(
  text: string,
  at: number,
  nameStart: number,
  mark: string,
): Value | undefined {
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
  if (!isLine || mark === ":" || partLength(trimmed) >= 3) {
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

export function wordAt(text: string, at: number): Value | undefined {
  const word = runAt(BARE.word, text, at).replace(SENTENCE_END, "");
  if (word === "") return undefined;
  return { text: word, start: at, end: at + word.length, isQuoted: false };
}

/** Follows a value that is longer than what was judged. */
export function endOfRuns(text: string, from: number): number {
  let end = from;
  if (BLANK_OR_MARK.test(text[end] ?? " ")) return end;
  for (let run = runAt(BARE.code, text, end); run !== ""; run = runAt(BARE.code, text, end)) {
    end += run.length;
  }
  return end;
}

export function runAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

export function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
