/**
 * Cuts a message in markdown into what a person would read as one statement, and leaves out code,
 * diffs and logs. Pure.
 *
 * @module
 */

import type { ObservationCategory } from "../schema.ts";
import { categoryOfHeading, CHOICE } from "./cues.ts";
import { LOG_LINE } from "./junk.ts";

/** A heading, an item of a list, a row of a table, or a paragraph. */
export interface Block {
  kind: "heading" | "item" | "row" | "paragraph";
  /** On one line, without the marks of its kind. */
  text: string;
}

const FENCE = /^\s{0,12}(?:>\s?)?(`{3,}|~{3,})/;

const HEADING = /^\s{0,3}#{1,6}\s+([^]*)$/;
const CLOSING_MARKS = /(?<!#)#+$/;

/** A line that is bold in whole serves as a heading. */
const BOLD_LINE = /^\s{0,3}\*\*([^*]{2,80})\*\*:?$/;

const ITEM = /^\s{0,12}(?:[-*+\u2022\u2013]|\d{1,3}[.)]|[a-z]\))\s+(?:\[[ xX]\]\s+)?(.*)$/;

const ROW = /^\s{0,12}\|(.*)\|\s*$/;

const QUOTE = /^\s{0,3}>\s?/;

const RULE = /^[\s|:=*_-]*$/;

const DIFF =
  /^(?:diff --git |index [0-9a-f]{4,}\.\.|@@ |(?:\+\+\+|---) [ab]\/|[+-](?![\s-])\S|<{7}|={7}|>{7})/;

const INDENTED_CODE =
  /^(?: {4,}|\t+)(?:[\w$.]+\(|[{}<>()[\];]|(?:const|let|var|if|for|return|import|def|class)\b)/;

const LONGEST_LINE = 8_000;

/** Where a sentence may end: the mark with what closes after it, or a mark of Chinese and Japanese. */
const END = /(?<![.!?])([.!?]+)["')\]*_`\u201d\u2019]{0,4}(?=\s|$)|[\u3002\uff01\uff1f]/g;

/** What stands before a full stop that ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|no|fig|sec|Mr|Mrs|Dr|[A-Z])$/;

/** How a message is read. */
export interface ReadingOptions {
  /** Whether quoted lines are read like others, or left out. */
  readQuotes: boolean;
}

/** A sentence, or a part of an item or a row, word for word. */
export interface Statement {
  text: string;
  kind: Block["kind"];
  /** What the heading above, or the sentence before the list, says about it. */
  heading: ObservationCategory | undefined;
  /** Whether it is an item of a list to choose from. */
  isChoice: boolean;
}

/** The statements of a message, in order. */
export function* statementsIn(
  text: string,
  options: ReadingOptions,
): Generator<Statement> {
  let heading: ObservationCategory | undefined;
  let lead: string | undefined;
  for (const { kind, text: said } of blocksOf(text, options)) {
    if (kind === "heading") {
      heading = categoryOfHeading(said);
      lead = undefined;
      continue;
    }
    const sentences = sentencesOf(said);
    if (kind === "paragraph") lead = sentences.findLast((sentence) => sentence.endsWith(":"));
    const before = kind === "item" ? lead ?? "" : "";
    const isChoice = CHOICE.test(before);
    const led = categoryOfHeading(before);
    for (const sentence of sentences) {
      yield { text: sentence, kind, heading: led ?? heading, isChoice };
    }
  }
}

/** The blocks of a message, in order. */
export function* blocksOf(text: string, options: ReadingOptions): Generator<Block> {
  let open: Block | undefined;
  let fence: string | undefined;
  for (const written of text.split(/\r?\n/)) {
    const line = options.readQuotes ? written.replace(QUOTE, "") : written;
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark !== undefined && mark.startsWith(fence) && line.trim().endsWith(mark)) {
        fence = undefined;
      }
      continue;
    }
    const next = mark === undefined ? blockAt(line, open) : "gap";
    if (mark !== undefined) fence = mark;
    if (next === "more" && open !== undefined) {
      open.text += ` ${line.trim()}`;
      continue;
    }
    if (open !== undefined) yield open;
    open = typeof next === "string" ? undefined : next;
  }
  if (open !== undefined) yield open;
}

/** The block that begins on a line; whether the open one goes on; or that there is nothing on it. */
function blockAt(line: string, open: Block | undefined): Block | "more" | "gap" {
  if (line.length > LONGEST_LINE || RULE.test(line)) return "gap";
  const heading = HEADING.exec(line)?.[1].replace(CLOSING_MARKS, "").trimEnd() ??
    BOLD_LINE.exec(line)?.[1];
  if (heading !== undefined) return { kind: "heading", text: heading };
  const row = ROW.exec(line);
  if (row !== null) {
    return { kind: "row", text: row[1].split("|").map((cell) => cell.trim()).join(" - ") };
  }
  const item = ITEM.exec(line);
  if (item !== null) return { kind: "item", text: item[1].trim() };
  if (QUOTE.test(line) || DIFF.test(line) || INDENTED_CODE.test(line) || LOG_LINE.test(line)) {
    return "gap";
  }
  const goesOn = open !== undefined && (open.kind === "paragraph" || open.kind === "item");
  return goesOn ? "more" : { kind: "paragraph", text: line.trim() };
}

/** The sentences of a paragraph on one line; a full stop within code ends none. */
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

/** People in a chat begin sentences with small letters: only an abbreviation goes on. */
function goesOn(paragraph: string, match: RegExpExecArray): boolean {
  if (match[1] !== "." && match[1] !== "...") return false;
  return match[1] === "..." ||
    ABBREVIATION.test(paragraph.slice(Math.max(0, match.index - 8), match.index));
}
