/**
 * What a model, and the host that shows it, may read of what others wrote: nothing in it is hidden,
 * moves a cursor or ends a turn. Pure.
 *
 * @module
 */

import { breakTemplateMarks } from "../../text/template_marks.ts";
import { terminalLine } from "../../text/text.ts";

/** Whatever may be taken for the end of a line. */
const LINE_END = /\r\n|[\n\r\v\f\x85\u2028\u2029]/;

/**
 * @param value what JSON can express
 * @returns a copy in which every text, and every key, is inert; line ends stay
 */
export function inert<T>(value: T): T;
export function inert(value: unknown): unknown {
  if (typeof value === "string") return inertText(value);
  if (Array.isArray(value)) return value.map((inner) => inert(inner));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [inertText(key), inert(inner)]));
}

function inertText(text: string): string {
  return breakTemplateMarks(text).split(LINE_END).map((line) => terminalLine(line)).join("\n");
}
