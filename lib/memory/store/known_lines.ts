/**
 * An issue file without the lines that are known: telling them by a checksum takes a tenth of what parsing
 * and comparing them does. Pure.
 *
 * @module
 */

import { checksumOf } from "../hash.ts";

/** Tells whether a line is known, by its checksum. */
export type IsKnown = (line: number) => boolean;

const BEGIN = `  "observations": [`;
const INDENT = "    ";
const END = "  ]\n}\n";
const [NEWLINE, BRACE, COMMA] = Array.from("\n{,", (character) => character.charCodeAt(0));

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * The text of an issue file without the observations that are known; all of it where it is not laid out as
 * {@linkcode encodeMemoryFile} does, such as after a merge.
 */
export function withoutKnown(bytes: Uint8Array, isKnown: IsKnown): string {
  const lines = linesOf(bytes);
  const first =
    lines.findIndex(([start, end]) =>
      end - start === BEGIN.length && textAt(bytes, start, end) === BEGIN
    ) + 1;
  let last = first;
  while (last < lines.length && isElement(bytes, lines[last][0])) last++;
  const isOurs = first > 0 && last > first &&
    textAt(bytes, lines[last - 1][1] + 1, bytes.length) === END;
  if (!isOurs) return decoder.decode(bytes);
  const left = lines.slice(first, last).flatMap(([start, end]) => {
    const element = bytes.subarray(start + INDENT.length, bytes[end - 1] === COMMA ? end - 1 : end);
    return isKnown(checksumOf(element)) ? [] : [INDENT + decoder.decode(element)];
  });
  return textAt(bytes, 0, lines[first][0]) + left.join(",\n") + "\n" + END;
}

/** Where each line begins and ends. */
function linesOf(bytes: Uint8Array): [start: number, end: number][] {
  const lines: [number, number][] = [];
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found < 0 ? bytes.length : found;
    lines.push([start, end]);
    start = end + 1;
  }
  return lines;
}

function isElement(bytes: Uint8Array, start: number): boolean {
  return bytes[start + INDENT.length] === BRACE &&
    textAt(bytes, start, start + INDENT.length) === INDENT;
}

function textAt(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end));
}
