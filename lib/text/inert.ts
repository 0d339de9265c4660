// Makes text from others safe for a model to read. Pure.

import { breakTemplateMarks } from "./template_marks.ts";
import { terminalLine } from "./text.ts";

/** Characters that a model may take for the end of a line. */
const LINE_END = /\r\n|[\n\r\v\f\x85\u2028\u2029]/;

/** Returns the lines of a text, inert for a model and its host: nothing is hidden, moves a cursor or ends a turn. */
export function inertLines(text: string): string[] {
  return breakTemplateMarks(text).split(LINE_END).map((line) => terminalLine(line));
}

/** Returns a text as a quote in markdown; no line of the text leaves the quote. */
export function quotedText(text: string): string {
  return inertLines(text).map((line) => `> ${line}`.trimEnd()).join("\n");
}
