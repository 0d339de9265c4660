// The text as a reader sees it: without terminal sequences, zero-width characters, direction marks, other control
// characters and lone surrogates. Each of these may occur within a secret. Pure.
//
// Guaranteed: each position of the view maps to a position in the original. Sequences with a text of their own, such
// as the target of a link, are returned separately, so that this text is searched too.

import { HIDDEN, PLAIN, SPELLED, SPELLED_COLOUR } from "./rules/markup.ts";

/** A text as a reader sees it. */
export interface VisibleText {
  text: string;
  /** Invisible texts, with their positions in the original. */
  unseen: { start: number; text: string }[];
  /** Returns the part of the original that shows as the units from `start` to `end` of the view. */
  original(start: number, end: number): { start: number; end: number };
}

/** Returns a text of the same length with decoded line breaks and marks, because a word may follow such an escape. */
export function readEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(SPELLED, (spelled, blank: string | undefined, code: string) => {
    const meant = blank === "n" ? "\n" : blank ? " " : String.fromCharCode(parseInt(code, 16));
    return meant.padStart(spelled.length);
  });
}

export function visibleText(text: string): VisibleText {
  if (PLAIN.test(text) && !SPELLED_COLOUR.test(text)) {
    return { text, unseen: [], original: (start, end) => ({ start, end }) };
  }
  const unseen: VisibleText["unseen"] = [];
  const places: number[] = []; // the original index of each visible unit
  let seen = "";
  let next = 0;
  const keep = (end: number) => {
    seen += text.slice(next, end);
    while (next < end) places.push(next++);
  };
  for (const match of text.matchAll(HIDDEN)) {
    keep(match.index);
    if (match[1]) unseen.push({ start: match.index + 2, text: match[1] });
    next = match.index + match[0].length;
  }
  keep(text.length);
  return {
    text: seen,
    unseen,
    original: (start, end) => ({ start: places[start], end: places[end - 1] + 1 }),
  };
}
