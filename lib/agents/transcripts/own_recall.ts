/**
 * Takes recalled memory out of what was recorded, so that memory does not feed on itself.
 *
 * It is found between its markers, also quoted, indented or escaped as in JSON or HTML, and by its
 * heading where a host dropped the markers. Where the end is missing, all that follows is taken for
 * recalled; where the beginning is missing, all that precedes.
 *
 * @module
 */

import { RECALL_BEGIN, RECALL_END } from "./recall_markers.ts";

const HEADING = "Memory Recall";

const NAME = /agentx:memory-recall/;

/** Both markers (the slash is captured), as they are or with escaped angle brackets. */
const MARKER = new RegExp(
  [RECALL_BEGIN, RECALL_END].map((marker) => {
    const inner = marker.slice("<!-- ".length, -" -->".length).replace("/", "(/)");
    return String.raw`(?:<|&lt;|\\{1,8}u003c)!-- {0,4}${inner} {0,4}--(?:>|&gt;|\\{1,8}u003e)`;
  }).join("|"),
  "gi",
);

/** The heading on a line of its own; the line may be quoted, or a `\n` in a string of JSON. */
const HEADING_LINE =
  /(?:^|\n|\\n|")[ \t>]{0,40}(#{1,6}) {0,4}Memory Recall[ \t]{0,40}(?=\r?\n|\\r|\\n|$)/g;

const NEXT_HEADING = /(?:\n|\\n)[ \t>]{0,40}(#{1,6}) /g;

/**
 * @param text any text
 * @param recalled gains what is taken out
 * @returns the text without recalled memory
 */
export function withoutRecall(text: string, recalled: string[]): string {
  const unmarked = NAME.test(text) ? withoutMarked(text, recalled) : text;
  return unmarked.includes(HEADING) ? withoutSections(unmarked, recalled) : unmarked;
}

function withoutMarked(text: string, recalled: string[]): string {
  let kept = "";
  let from = 0;
  let begin: number | undefined;
  for (const match of text.matchAll(MARKER)) {
    if (match[1] === undefined) {
      if (begin !== undefined) continue;
      begin = match.index;
      kept += text.slice(from, begin);
      from = begin;
    } else {
      recalled.push(text.slice(from, match.index));
      from = match.index + match[0].length;
      begin = undefined;
    }
  }
  if (begin === undefined) return kept + text.slice(from);
  recalled.push(text.slice(begin));
  return kept;
}

function withoutSections(text: string, recalled: string[]): string {
  let kept = "";
  let from = 0;
  for (const heading of text.matchAll(HEADING_LINE)) {
    if (heading.index < from) continue;
    kept += text.slice(from, heading.index);
    from = heading.index;
    const end = sectionEnd(text, heading.index + heading[0].length, heading[1].length);
    recalled.push(text.slice(from, end));
    from = end;
  }
  return kept + text.slice(from);
}

function sectionEnd(text: string, start: number, level: number): number {
  NEXT_HEADING.lastIndex = start;
  for (let next = NEXT_HEADING.exec(text); next !== null; next = NEXT_HEADING.exec(text)) {
    if (next[1].length <= level) return next.index;
  }
  return text.length;
}
