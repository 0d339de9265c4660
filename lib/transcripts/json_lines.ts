// Reads JSON or JSON lines that may be truncated.

import { isObject, type JsonObject, tryParseJson } from "../base/checks.ts";

const MAX_PROBLEMS = 10;

export interface JsonLine {
  number: number;
  value: JsonObject;
}

/** Yields the start and end of each line of a text, without its line break; copies nothing. */
export function* lineSpans(text: string): Generator<{ start: number; end: number }> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf("\n", start);
    const next = found < 0 ? text.length : found;
    const end = next > start && text.charCodeAt(next - 1) === 13 ? next - 1 : next;
    yield { start, end };
    start = next + 1;
  }
}

/** Yields the lines that are JSON objects; adds a sentence to `problems` for each other line. */
export function* jsonLines(text: string, problems: string[]): Generator<JsonLine> {
  let number = 0;
  let skipped = 0;
  for (const { start, end } of lineSpans(text)) {
    number++;
    const line = text.slice(start, end);
    if (line.trim() === "") continue;
    const value = tryParseJson(line);
    if (isObject(value)) {
      yield { number, value };
      continue;
    }
    skipped++;
    if (skipped > MAX_PROBLEMS) continue;
    const isCut = end === text.length && value === undefined;
    problems.push(
      `Line ${number} is ${isCut ? "incomplete" : "not a JSON object"}; skipped`,
    );
  }
  if (skipped > MAX_PROBLEMS) {
    problems.push(`${skipped - MAX_PROBLEMS} more lines are not JSON objects; skipped`);
  }
}

/**
 * Returns the object or list of a JSON document. If the end is missing, returns all complete parts and adds a sentence
 * to `problems`; undefined for anything else.
 */
export function jsonDocument(text: string, problems: string[]): unknown {
  const whole = tryParseJson(text);
  if (whole !== undefined) return whole;
  const repaired = tryParseJson(closeJson(text));
  if (repaired !== undefined) problems.push("The file is truncated; the complete part was read");
  return repaired;
}

/** Cuts JSON after the last complete object or list, and closes the open ones. */
function closeJson(text: string): string {
  const closers: string[] = [];
  let cut = 0;
  let depthAtCut = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isString) {
      if (character === "\\") at++;
      else if (character === '"') isString = false;
    } else if (character === '"') {
      isString = true;
    } else if (character === "{" || character === "[") {
      closers.push(character === "{" ? "}" : "]");
    } else if (character === "}" || character === "]") {
      if (closers.pop() !== character) break;
      cut = at + 1;
      depthAtCut = closers.length;
      if (depthAtCut === 0) break;
    }
  }
  return text.slice(0, cut) + closers.slice(0, depthAtCut).reverse().join("");
}
