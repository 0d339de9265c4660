/**
 * What a model may read of what others wrote. Pure.
 *
 * @module
 */

import { breakTemplateMarks } from "./template_marks.ts";
import { terminalLine } from "./text.ts";

/** Whatever a model may take for the end of a line. */
const LINE_END = /\r\n|[\n\r\v\f\x85\u2028\u2029]/;

/**
 * Makes text inert for a model, and for the host that shows it: nothing in it is hidden, moves a cursor
 * or ends a turn.
 *
 * @returns its lines, however they ended
 */
export function inertLines(text: string): string[] {
  return breakTemplateMarks(text).split(LINE_END).map((line) => terminalLine(line));
}

/**
 * @param text anything
 * @returns the same as a quote in markdown, which no line of it leaves
 */
export function quotedText(text: string): string {
  return inertLines(text).map((line) => `> ${line}`.trimEnd()).join("\n");
}
