// Cuts a message in markdown into blocks, and leaves out code, diffs and logs. Pure.

import { sentencesOf } from "./sentences.ts";

/** Matches a line that a program printed. */
export const LOG_LINE = new RegExp(
  [
    String.raw`^\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d`,
    String.raw`^\s*\[?\d\d:\d\d:\d\d`,
    String.raw`^\s*\[?(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE|FATAL|notice)\b[\]: ]`,
    String.raw`^\s+at .{1,200}:\d+`,
    String.raw`^\s*(?:npm|yarn|pnpm) (?:warn|WARN|notice|info|http|verb)\b`,
    String.raw`^\s*(?:\$|%|>>>|PS>|#\s*\$) \S`,
    String.raw`^\s*File "[^"]{1,300}", line \d+`,
    String
      .raw`^\s*(?:Traceback|Caused by|goroutine \d|Collecting |Downloading |Compiling |Checking )`,
    String.raw`^\s*[\w.+-]{1,80}=\S*\s*$`,
    String.raw`^\s*(?:[{}\[\]]|"[\w-]{1,60}":)`,
    String.raw`^\s*</?[a-zA-Z][\w:-]*(?:\s[^>]{0,200})?>\s*$`,
  ].join("|"),
);

/** Matches a line of code outside a fence. A keyword that can also begin a sentence needs further signs of code. */
export const CODE_LINE = new RegExp(
  [
    String.raw`^\s*import (?:.* from ['"]|['"]|\w+(?:\.\w+)*;?$|[\w*{].*;$)`,
    String.raw`^\s*from [\w.]+ import `,
    String.raw`^\s*export (?:default|const|function|class|type|interface|async|enum|\{|\*)`,
    String.raw`^\s*(?:const|let|var|val) [\w{[][^=]{0,200}=`,
    String.raw`^\s*(?:async )?(?:function|func|fn|def)\b[^(]{0,80}\(`,
    String.raw`^\s*(?:if|for|while|switch|catch) ?\(.*[){;]$`,
    String.raw`^\s*(?:def|class|elif|except)\b.{0,120}:$|^\s*(?:else|try|finally):`,
    String.raw`^\s*(?:class|interface|type|enum|struct|public|private|protected)\b.*[{;]$`,
    String.raw`^\s*class \w+(?:\(\w*\))?:`,
    String.raw`^\s*(?:return|throw|package|use)\b.*;$`,
    String.raw`^\s*(?:[{}]|\/[/*]|\* ?[@/]|@\w+[(]|#include)`,
    String.raw`\b(?:INSERT INTO|CREATE TABLE|SELECT \S+ FROM)\b`,
    String.raw`[;{]$`,
  ].join("|"),
);
/** A heading, an item of a list, a row of a table, or a paragraph. */
export interface Block {
  kind: "heading" | "item" | "row" | "paragraph";
  /** The text on one line, without the marks of its kind. */
  text: string;
  /** How far an item is indented; 0 for other kinds. */
  indent: number;
}

const FENCE = /^\s{0,12}(?:>\s?)?(`{3,}|~{3,})/;

/** An element on a line of its own; some hosts have their agent write files inside it. */
const ELEMENT = /^<(source|code|pre|codeblock|sourcecode)>\s*$/;

const HEADING = /^\s{0,3}#{1,6}\s+([^]*)$/;
const CLOSING_MARKS = /(?<!#)#+$/;

/** A line that is bold in whole serves as a heading. */
const BOLD_LINE = /^\s{0,3}\*\*([^*]{2,80})\*\*:?$/;

const ITEM = /^(\s{0,12})(?:[-*+\u2022\u2013]|\d{1,3}[.)]|[a-z]\))\s+(?:\[[xX]\]\s+)?(.*)$/;

/** Matches an open to-do; by the end of the session it is done or dropped. */
const TO_DO = /^\[[^\]xX]{1,2}\]\s/;

const ROW = /^\s{0,12}\|(.*)\|\s*$/;

const QUOTE = /^\s{0,3}>\s?/;

const RULE = /^[\s|:=*_-]*$/;

const DIFF =
  /^(?:diff --git |index [0-9a-f]{4,}\.\.|@@ |(?:\+\+\+|---) [ab]\/|[+-](?![\s-])\S|<{7}|={7}|>{7})/;

const INDENTED_CODE =
  /^(?: {4,}|\t+)(?:[\w$.]+\(|[{}<>()[\];]|(?:const|let|var|if|for|return|import|def|class)\b)/;

/**
 * Maximum length of a typed line. A longer line is read sentence by sentence; a longer sentence is data, and skipped.
 */
const LONGEST_LINE = 8_000;

/** How a message is read. */
export interface ReadingOptions {
  /** Whether quoted lines are read like others, or left out. */
  readQuotes: boolean;
}

/** The blocks of a message, in order. */
export function* blocksOf(text: string, options: ReadingOptions): Generator<Block> {
  let open: Block | undefined;
  let fence: string | undefined;
  for (const written of text.split(/\r?\n/)) {
    const line = options.readQuotes ? written.replace(QUOTE, "") : written;
    const element = ELEMENT.exec(line)?.[1];
    const mark = element === undefined ? FENCE.exec(line)?.[1] : `</${element}>`;
    if (fence !== undefined) {
      const isEnd = mark !== undefined && mark.startsWith(fence) && line.trim().endsWith(mark);
      if (isEnd || line.trimEnd() === fence) fence = undefined;
      continue;
    }
    const next = mark === undefined ? blockAt(line, open) : "gap";
    if (mark !== undefined) fence = mark;
    if (next === "more" && open !== undefined) {
      open.text += ` ${line.trim()}`;
      continue;
    }
    if (open !== undefined) yield open;
    if (line.length > LONGEST_LINE && mark === undefined) yield* paragraphsIn(line);
    open = typeof next === "string" ? undefined : next;
  }
  if (open !== undefined) yield open;
}

function* paragraphsIn(line: string): Generator<Block> {
  for (const text of sentencesOf(line)) {
    if (text.length <= LONGEST_LINE) yield { kind: "paragraph", text, indent: 0 };
  }
}

/** Returns the block that begins on a line, `more` if the line continues the open block, or `gap` if it has no text. */
function blockAt(line: string, open: Block | undefined): Block | "more" | "gap" {
  if (line.length > LONGEST_LINE || RULE.test(line)) return "gap";
  const heading = HEADING.exec(line)?.[1].replace(CLOSING_MARKS, "").trimEnd() ??
    BOLD_LINE.exec(line)?.[1];
  if (heading !== undefined) return { kind: "heading", text: heading, indent: 0 };
  const row = ROW.exec(line);
  if (row !== null) {
    const text = row[1].split("|").map((cell) => cell.trim()).join(" - ");
    return { kind: "row", text, indent: 0 };
  }
  const item = ITEM.exec(line);
  if (item !== null) {
    const [, { length: indent }, text] = item;
    return TO_DO.test(text) ? "gap" : { kind: "item", text: text.trim(), indent };
  }
  if (QUOTE.test(line) || DIFF.test(line) || INDENTED_CODE.test(line) || LOG_LINE.test(line)) {
    return "gap";
  }
  const goesOn = open !== undefined && (open.kind === "paragraph" || open.kind === "item");
  return goesOn ? "more" : { kind: "paragraph", text: line.trim(), indent: 0 };
}
