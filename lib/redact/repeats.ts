// Remembers secrets that were found once, and finds their repetitions: a word before a password marks it the first
// time, but seldom the second time. Pure.
//
// Everyday words and numbers are not searched again, because they occur in too many places with another meaning.

import { isPlaceholder, isUnmistakable, looksLike } from "./looks_like_secret.ts";
import { VALUES } from "./rules/values.ts";
import { MARKER, type Secret } from "./secret.ts";
import { visibleText } from "./visible_text.ts";

const END = 6;
const LONG = 12;

/** Finds repetitions of the secrets that it has learned. */
export class Repeats {
  /** The kind of each value, in groups by the last units of the value. The last units tell tokens of one kind apart. */
  readonly #byEnd = new Map<string, Map<string, string>>();
  readonly #lastUnits = new Set<number>();

  get isEmpty(): boolean {
    return this.#byEnd.size === 0;
  }

  learn(text: string, secrets: readonly Secret[]): void {
    for (const { start, end, kind } of secrets) {
      const value = visibleText(text.slice(start, end)).text.replace(VALUES.around, "");
      const parts = value.split(VALUES.listEnd).map((part) => part.replace(VALUES.partName, ""));
      for (const part of parts.length === 1 ? parts : parts.filter(isLongAndRandom)) {
        if (part.length < END || isPlaceholder(part) || !isUnmistakable(part)) continue;
        const end = part.slice(-END);
        this.#byEnd.set(end, (this.#byEnd.get(end) ?? new Map()).set(part, kind));
        this.#lastUnits.add(part.charCodeAt(part.length - 1));
      }
    }
  }

  /** Returns the places where a text repeats a secret, in any order. */
  find(text: string): Secret[] {
    const found: Secret[] = [];
    if (this.isEmpty) return found;
    const open = text.replace(MARKER, (marker) => " ".repeat(marker.length));
    for (let end = END; end <= open.length; end++) {
      if (!this.#lastUnits.has(open.charCodeAt(end - 1))) continue;
      for (const [value, kind] of this.#byEnd.get(open.slice(end - END, end)) ?? []) {
        const start = end - value.length;
        if (open.startsWith(value, start) && isApart(open, start, end)) {
          found.push({ start, end, kind });
        }
      }
    }
    return found;
  }
}

function isLongAndRandom(part: string): boolean {
  return part.length >= LONG && looksLike("random", part);
}

/** Whether a repetition counts. A short value within a word is a part of something else. */
function isApart(text: string, start: number, end: number): boolean {
  return start >= 0 && (end - start >= LONG ||
    !VALUES.wordUnit.test(text[start - 1] ?? "") && !VALUES.wordUnit.test(text[end] ?? ""));
}
