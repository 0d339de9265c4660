// Estimates the tokens of a text without a tokenizer. Pure.
//
// The estimate is fitted to the tokenizers `o200k_base` and `cl100k_base`: on English prose and on code it is within 15
// % of both. It is used because a real tokenizer is a file of megabytes. Other scripts count by the character, and the
// estimate is too low for tables of data. Memory has a coarser estimate (`memory/schema.ts`), which is stored with each
// observation.

/** Matches a word or a part of one, digits, a line end with the next indent, or punctuation. */
const PIECE =
  // deno-lint-ignore no-control-regex -- that is what ASCII is
  /([A-Z]?[a-z]+|[A-Z]+(?![a-z]))|([0-9]{1,3})|(\r?\n\s*)|([!-/:-@[-`{-~]+)|([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])|([\ud800-\udfff])|[^\x00-\x7f]/g;

/** Tokens of a piece, by the group that matches it. */
const WORD = 1.1;
const DIGITS = 1.75;
const LINE_END = 0.75;
const PUNCTUATION = 0.65;
const CJK = 0.9;
const SURROGATE = 1;
const OTHER = 0.4;

/** Corrections for length: a long word is seldom one token, and a row of marks mostly is one. */
const LONG_WORD = 12;
const MORE_LETTERS = 0.3;
const MORE_MARKS = 0.23;
const MAX_MARKS = 8;

/** Returns the approximate number of tokens that a model needs for a text. */
export function estimatedTokens(text: string): number {
  let tokens = 0;
  for (const [, word, digits, lineEnd, marks, cjk, surrogate] of text.matchAll(PIECE)) {
    if (word !== undefined) tokens += WORD + MORE_LETTERS * Math.max(0, word.length - LONG_WORD);
    else if (digits !== undefined) tokens += DIGITS;
    else if (lineEnd !== undefined) tokens += LINE_END;
    else if (marks !== undefined) {
      tokens += PUNCTUATION + MORE_MARKS * (Math.min(marks.length, MAX_MARKS) - 1);
    } else if (cjk !== undefined) tokens += CJK;
    else tokens += surrogate === undefined ? OTHER : SURROGATE;
  }
  return Math.round(tokens);
}
