// Cuts a paragraph into sentences, in Latin and in Chinese and Japanese scripts. Pure.

/** Matches a possible end of a sentence: a mark with closing quotes or brackets, or a Chinese or Japanese mark. */
const END = /(?<![.!?])([.!?]+)["')\]*_`\u201d\u2019]{0,4}(?=\s|$)|[\u3002\uff01\uff1f]/g;

/** Abbreviations, after which a full stop ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|no|fig|sec|Mr|Mrs|Dr|[A-Z])$/;

/** Returns the sentences of a paragraph on one line; a full stop inside code does not end a sentence. */
export function sentencesOf(paragraph: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  let looked = 0;
  let isCode = false;
  for (const match of paragraph.matchAll(END)) {
    const end = match.index + match[0].length;
    for (; looked < match.index; looked++) {
      if (paragraph[looked] === "`") isCode = !isCode;
    }
    if (isCode || goesOn(paragraph, match)) continue;
    sentences.push(paragraph.slice(start, end).trim());
    start = end;
  }
  sentences.push(paragraph.slice(start).trim());
  return sentences.filter((sentence) => sentence !== "");
}

/**
 * Whether a sentence goes on after a full stop: only after an abbreviation or an ellipsis. A small letter proves
 * nothing, because people in a chat begin sentences with it.
 */
function goesOn(paragraph: string, match: RegExpExecArray): boolean {
  if (match[1] !== "." && match[1] !== "...") return false;
  if (match[1] === "...") return true;
  const before = paragraph.slice(Math.max(0, match.index - 8), match.index);
  if (before.endsWith("etc")) {
    return !/^\s+\p{Lu}/u.test(paragraph.slice(match.index + 1, match.index + 5));
  }
  return ABBREVIATION.test(before);
}
