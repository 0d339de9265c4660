// Removes recalled memory from a recording, so that memory does not feed on itself.
//
// Recalled memory is found between its markers, also quoted, indented or escaped as in JSON or HTML, and by its heading
// if a host dropped the markers. If the end marker is missing, the rest of the text counts as recalled; if the start
// marker is missing, all text before the end marker does. Entries that the commands print (`memory search`, `view`,
// `timeline`) are found by their ids; the line of `hook start` is found by its words.

import { RECALL_BEGIN, RECALL_END } from "../text/recall_markers.ts";

const HEADING = "Memory Recall";

const NAME = /agentx:memory-recall/;

/** Matches both markers, verbatim or with escaped angle brackets; captures the slash of the end marker. */
const MARKER = new RegExp(
  [RECALL_BEGIN, RECALL_END].map((marker) => {
    const inner = marker.slice("<!-- ".length, -" -->".length).replace("/", "(/)");
    return String.raw`(?:<|&lt;|\\{1,8}u003c)!-- {0,4}${inner} {0,4}--(?:>|&gt;|\\{1,8}u003e)`;
  }).join("|"),
  "gi",
);

/**
 * Matches the heading on a line of its own. The line may be quoted, and its line breaks may be `\n` in a JSON string.
 */
const HEADING_LINE =
  /(?:^|\n|\\n|")[ \t>]{0,40}(#{1,6}) {0,4}Memory Recall[ \t]{0,40}(?=\r?\n|\\r|\\n|$)/g;

const NEXT_HEADING = /(?:\n|\\n)[ \t>]{0,40}(#{1,6}) /g;

/** Matches an id with its cost, the line of `memory view` below it, and the indented lines below that. */
const ENTRY =
  /(?:^|\n)[ \t>]{0,40}(?:[-*] )?[`*]{0,3}obs-[a-z0-9][a-z0-9_.@-]{0,63}-\d{1,9}-\d{1,15}-[a-z0-9]{6}\b[^\n]{0,80}\btokens\b[^\n]{0,200}(?:\n[ \t>]{0,40}\S{1,64} on #\d{1,9}, session [^\n]{0,200})?(?:\n(?:[ \t]{0,40}\n)?[ \t>]{3,40}[^\s>][^\n]{0,2000})*/g;

const STATUS_LINE =
  /^[ \t>]{0,40}[a-z0-9][\w.@-]{0,63} is (?:working|done)(?: on #\d{1,9})?\.(?: Remembered: \d{1,3}\.)?[ \t]{0,40}$/gm;

/** Returns a text without recalled memory; adds the recalled parts to `recalled`. */
export function withoutRecall(text: string, recalled: string[]): string {
  const unmarked = NAME.test(text) ? withoutMarked(text, recalled) : text;
  const rest = unmarked.includes(HEADING) ? withoutSections(unmarked, recalled) : unmarked;
  return withoutPrinted(rest, recalled);
}

function withoutPrinted(text: string, recalled: string[]): string {
  return text.replace(STATUS_LINE, "").replace(ENTRY, (entry) => (recalled.push(entry), "\n"));
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
  for (const next of text.slice(start).matchAll(NEXT_HEADING)) {
    if (next[1].length <= level) return start + next.index;
  }
  return text.length;
}
