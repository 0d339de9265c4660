/**
 * Private keys in PEM and its relatives: whole, cut short at either end, with `\n` spelled out, quoted
 * or indented. Certificates and public keys stay. Pure.
 *
 * @module
 */

import type { Secret } from "./secret.ts";

/** The first line of a private key. */
export const BEGIN: RegExp =
  /-{4,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?(?: ?-{1,5})?|Private-Lines: ?[0-9]{1,4}/g;

/** The last line of a private key. */
export const END: RegExp =
  /-{4,5} ?END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?(?: ?-{1,5})?|Private-MAC: ?[0-9a-f]{20,64}/g;

/** One line of the key, or what is left of it, with what quotes and source code put around it. */
export const KEY_LINE: RegExp =
  /(?:\s|\\{1,2}[nrt]|["'`+>|#*,;\\]){0,40}(?:[A-Za-z0-9+/]{16,200}={0,2}|(?:Proc-Type|DEK-Info|Version|Comment|Encryption|Public-Lines|Private-Lines|Hash): ?[^\n\\]{0,120}|[A-Za-z0-9+/=]{1,80}(?=\s{0,4}$|\\|["'`]|\s{0,4}-{4}|\n))/y;

/** The same backwards: a line of the key that ends the text. */
export const KEY_LINE_BEFORE: RegExp =
  /(?:^|[^A-Za-z0-9+/=])([A-Za-z0-9+/]{16,128}={0,2})(?:\s|\\{1,2}[nrt]|["'`+>|#*,;]){1,24}$/;

/** Less than this between the first and the last line only mentions a key. */
export const BODY: RegExp = /[A-Za-z0-9+/]{16}/;

const LONGEST_KEY = 20_000;
const LONGEST_LINE = 160;

/**
 * @param text a view
 * @param found where findings go
 */
export function findPrivateKeys(text: string, found: Secret[]): void {
  if (!text.includes("PRIVATE KEY") && !text.includes("Private-")) return;
  const ends = Array.from(text.matchAll(END), (match) => match);
  const closed = new Set<number>();
  let next = 0;
  let done = 0;
  const begins = Array.from(text.matchAll(BEGIN), ({ index, 0: line }) => ({ index, line }));
  for (const [place, begin] of begins.entries()) {
    const from = begin.index + begin.line.length;
    while (next < ends.length && ends[next].index < from) next++;
    if (begin.index < done) continue;
    const limit = Math.min(begins[place + 1]?.index ?? text.length, from + LONGEST_KEY);
    if (next < ends.length && ends[next].index <= limit) {
      closed.add(next);
      done = ends[next].index + ends[next][0].length;
    } else {
      done = endOfLines(text, from);
    }
    if (BODY.test(text.slice(from, done))) {
      found.push({ start: begin.index, end: done, kind: "private-key" });
    }
  }
  for (const [place, end] of ends.entries()) {
    if (closed.has(place)) continue;
    const from = startOfLines(text, end.index);
    if (from === end.index) continue;
    found.push({ start: from, end: end.index + end[0].length, kind: "private-key" });
  }
}

function endOfLines(text: string, from: number): number {
  KEY_LINE.lastIndex = from;
  let end = from;
  while (KEY_LINE.test(text)) end = KEY_LINE.lastIndex;
  return end;
}

function startOfLines(text: string, from: number): number {
  let start = from;
  for (;;) {
    const line = KEY_LINE_BEFORE.exec(text.slice(Math.max(0, start - LONGEST_LINE), start));
    if (line === null) return start;
    start -= line[0].length - line[0].indexOf(line[1]);
  }
}
