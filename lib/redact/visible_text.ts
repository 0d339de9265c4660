/**
 * The text as a reader sees it: without terminal sequences, zero-width characters, marks of
 * direction, other controls and lone surrogates, any of which may stand within a secret. Pure.
 *
 * Guaranteed: each position of the view leads back to the original. Sequences that carry text of
 * their own, such as the target of a link, are handed out apart, so that nothing goes unread.
 *
 * @module
 */

/** A text as it is seen. */
export interface VisibleText {
  /** What is seen. */
  text: string;
  /** Text that is not seen, and where it stands in the original. */
  unseen: { start: number; text: string }[];
  /** The part of the original that shows as the units from `start` to `end` of the view. */
  original(start: number, end: number): { start: number; end: number };
}

/** Nothing to be taken out: most text, and then the view costs one pass. */
const PLAIN = /^[\t\n\r -~\u00a0-\u00ac\u00ae-\u02ff\u0400-\u052f\u4e00-\u9fff]*$/;

/** A colour as source code and JSON spell it. */
const SPELLED_COLOUR = /\\(?:x1b|u001b|033|e)\[[0-9;]{0,20}[mK]/i;

/** What is not seen; captured is text within a sequence. */
const HIDDEN = new RegExp(
  [
    String.raw`\x1b[\]PX^_]([^\x07\x1b\x9c]{0,4096})(?:\x07|\x1b\\|\x9c)?`,
    String.raw`(?:\x1b\[|\x9b)[0-?]{0,64}[ -\/]{0,8}[@-~]?`,
    String.raw`\x1b[ -\/]{0,4}[0-~]?`,
    SPELLED_COLOUR.source,
    String.raw`(?![\t\n\v\f\r])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]`,
  ].join("|"),
  "giu",
);

/** Line breaks, tabs and marks as JSON and source code spell them. */
const SPELLED = /\\{1,3}(?:([nrt])|u00([23][0-9A-Fa-f]))/g;

/**
 * The same, of the same length, with spelled line breaks and marks as they are meant: what follows one
 * starts a word.
 */
export function readEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(SPELLED, (spelled, blank: string | undefined, code: string) => {
    const meant = blank === "n" ? "\n" : blank ? " " : String.fromCharCode(parseInt(code, 16));
    return meant.padStart(spelled.length);
  });
}

/** How a text is seen. */
export function visibleText(text: string): VisibleText {
  if (PLAIN.test(text) && !SPELLED_COLOUR.test(text)) {
    return { text, unseen: [], original: (start, end) => ({ start, end }) };
  }
  const unseen: VisibleText["unseen"] = [];
  const places: number[] = []; // of each unit that is seen
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
