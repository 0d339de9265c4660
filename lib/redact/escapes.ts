// Decodes other spellings in a text: Base64, percent-encoding, escapes of code, joined strings. Pure.
//
// Guaranteed: each position of the decoded text maps to a position in the original.

import { ESCAPES } from "./rules/escapes.ts";

/** The number of characters to read before and after another spelling. */
const AROUND = 160;

/** The length of a Base64 line in a message, with its line break. */
const LINE = 78;

/** Returns the bytes of a Base64 text as characters; undefined if the text is not Base64. */
export function decodeBase64(value: string): string | undefined {
  const body = value.replace(ESCAPES.padding, "").replaceAll("-", "+").replaceAll("_", "/");
  if (body.length % 4 === 1 || !ESCAPES.base64.test(body)) return undefined;
  return atob(body);
}

export interface DecodedText {
  text: string;
  /** Returns the part of the original that was decoded to the units from `start` to `end`. */
  original(start: number, end: number): { start: number; end: number };
}

/** Finds readable texts in Base64. Each one maps to its whole Base64 run in the original. */
export function hiddenTexts(text: string): DecodedText[] {
  const readings: DecodedText[] = [];
  for (const { 0: run, index } of text.matchAll(ESCAPES.base64Run)) {
    // Eight characters are enough to decide in nearly all cases, and most runs are names and paths.
    if (!ESCAPES.readable.test(decodeBase64(run.slice(0, 8)) ?? "")) continue;
    const hidden = decodeBase64(run);
    if (hidden === undefined || !ESCAPES.readable.test(hidden)) continue;
    const before = text.slice(Math.max(0, index - LINE), index);
    // A key or a certificate in a message.
    if (ESCAPES.onlyBase64.test(hidden) && ESCAPES.block.test(before)) continue;
    readings.push({
      text: hidden,
      original: () => ({ start: index, end: index + run.length }),
    });
  }
  return readings;
}

/**
 * Returns the decoded parts of a text with escapes or broken strings, without the rest of the text. Undefined if the
 * text has none.
 */
export function spelledOut(text: string): DecodedText | undefined {
  const pieces: string[] = [];
  const places: number[] = []; // the original index of each decoded unit
  let next = 0;
  const keep = (from: number, to: number) => {
    pieces.push(text.slice(from, to));
    while (from < to) places.push(from++);
  };
  for (const { 0: spelled, index, ...codes } of text.matchAll(ESCAPES.one)) {
    if (index - next > 2 * AROUND) {
      if (next > 0) keep(next, next + AROUND);
      pieces.push("\n");
      places.push(index - AROUND);
      next = index - AROUND;
    }
    keep(next, index);
    next = index + spelled.length;
    const code = codes[1] ?? codes[2] ?? codes[3];
    if (code === undefined && codes[4] === undefined) continue;
    pieces.push(String.fromCharCode(code ? parseInt(code, 16) : Number(codes[4])));
    places.push(index);
  }
  if (next === 0) return undefined;
  keep(next, Math.min(text.length, next + AROUND));
  const ends = [...places.slice(1), Math.min(text.length, next + AROUND)];
  return {
    text: pieces.join(""),
    original: (start, end) => ({ start: places[start], end: ends[end - 1] }),
  };
}
