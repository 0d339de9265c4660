/**
 * Cuts markdown into what a person would read as one thing, and leaves out code, diffs and logs.
 * Pure.
 *
 * @module
 */

import { isLogLine } from "./junk.ts";

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

/** Options of {@linkcode blocksOf}. */
export interface BlocksOptions {
  /** Whether quoted lines are read like others, or left out. */
  readQuotes: boolean;
}

/**
 * @param text a message
 * @param options what becomes of quoted lines
 * @returns its blocks, in order
 */
export function* blocksOf(text: string, options: BlocksOptions): Generator<Block> {
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
  if (QUOTE.test(line) || DIFF.test(line) || INDENTED_CODE.test(line) || isLogLine(line)) {
    return "gap";
  }
  const goesOn = open !== undefined && (open.kind === "paragraph" || open.kind === "item");
  return goesOn ? "more" : { kind: "paragraph", text: line.trim() };
}
