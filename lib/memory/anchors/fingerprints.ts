// Makes fingerprints of lines, and finds the definition of a symbol in a source file, in any language that indents
// blocks. Pure.

import { hash32 } from "../../base/hash.ts";
import { escapeRegExp } from "../../text/reg_exp.ts";

/** Length of a fingerprint, in letters and digits. */
const DIGITS = 5;

const VALUES = 36 ** DIGITS;

/** Returns five letters or digits that stand for a line; white space does not count. */
export function fingerprint(line: string): string {
  const hash = hash32(line.replace(/[\0- ]+/g, ""));
  return (hash % VALUES).toString(36).padStart(DIGITS, "0");
}

/** Splits a text of joined fingerprints. */
export function split(fingerprints: string): string[] {
  const all: string[] = [];
  for (let at = 0; at + DIGITS <= fingerprints.length; at += DIGITS) {
    all.push(fingerprints.slice(at, at + DIGITS));
  }
  return all;
}

/** Whether a line has more than brackets. */
export function isTelling(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

export function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

/** How far a line is indented. */
function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** A part of a file. */
export interface FileBlock {
  /** Index of its first line. */
  start: number;
  /** Index after its last line. */
  end: number;
}

/** Maximum lines of a definition; a longer one is cut. */
const MAX_LINES = 60;

const KEYWORDS =
  "function\\*?|class|interface|type|enum|const|let|var|def|fn|func|fun|struct|trait|impl|module|namespace|mod|sub|proc|macro_rules!|#define|package|protocol|object|record|val|union|typedef|resource|task";
const MODIFIERS =
  "export|default|public|private|protected|internal|static|async|readonly|override|abstract|get|set|final|virtual|inline|unsafe|declare|pub(?:\\([^)]*\\))?";
const NOT_A_TYPE =
  "return|if|while|for|switch|await|throw|new|else|case|yield|not|and|or|in|assert";

/** Finds the line that defines a symbol, with the lines indented below it; undefined if there is none. */
export function findDefinition(lines: readonly string[], symbol: string): FileBlock | undefined {
  if (!lines.some((line) => line.includes(symbol))) return undefined;
  const name = `["']?(?<![\\w$])#?${escapeRegExp(symbol)}(?![\\w$])["']?`;
  const patterns = [
    `^\\s*(?:(?:${MODIFIERS})\\s+)*(?:${KEYWORDS})\\s+(?:\\([^)]*\\)\\s*)?(?:[\\w$]+\\.)*${name}`,
    `^\\s*(?:(?:${MODIFIERS})\\s+)*[*]?${name}\\s*(?:\\([^;]*[{,(]\\s*$|\\([^)]*\\)\\s*[{:]|[?!]?:(?!:)|=(?![=>])|<[^>]*>\\()`,
    `^(?!\\s*(?:${NOT_A_TYPE})\\b)\\s*[\\w$][\\w\\s$*&:<>,~\\[\\]]*\\s[*&]*(?:[\\w$]+::)?${name}\\s*(?:\\([^;]*$|=(?!=))`,
  ];
  for (const pattern of patterns) {
    const definition = new RegExp(pattern);
    const start = lines.findIndex((line) => line.includes(symbol) && definition.test(line));
    if (start >= 0) return { start, end: endOf(lines, start) };
  }
  return undefined;
}

/** Returns the index of the first line behind the definition, which is neither indented deeper nor a lone bracket. */
function endOf(lines: readonly string[], start: number): number {
  const own = indentOf(lines[start]);
  const most = Math.min(lines.length, start + MAX_LINES);
  let end = start + 1;
  for (let index = start + 1; index < most; index++) {
    const line = lines[index];
    if (line.trim() === "") continue;
    if (indentOf(line) > own) {
      end = index + 1;
      continue;
    }
    const isOpener = /^\s*\{\s*$/.test(line);
    const isCloser = /^\s*[)\]}>]/.test(line);
    if (!isOpener && !isCloser) break;
    end = index + 1;
    // A line such as `) {` ends the signature and begins the body, so the definition goes on.
    if (isCloser && !/[{(:=[]\s*$|=>\s*$/.test(line)) break;
  }
  return end;
}
