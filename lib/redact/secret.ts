/**
 * What the rules find, and how findings of several rules become one. Pure.
 *
 * @module
 */

import type { Rule } from "./rules/rule.ts";

/** A secret within a text. */
export interface Secret {
  /** Index of its first UTF-16 unit. */
  start: number;
  /** Index after its last UTF-16 unit. */
  end: number;
  /** Its class in kebab-case, such as `github-token`. */
  kind: string;
}

/** The same with the rule that found it. */
export interface Finding {
  start: number;
  end: number;
  rule: Rule;
}

/** What is this long was perhaps not read to its end. */
const LONG = 160;
const LONG_REST = /^(?:(?=[A-Za-z0-9+/_])[^\s"'`,;<>(){}\[\]&|\\]*)?/;

/** A value that was found, followed to its end. */
export function findingOf(rule: Rule, text: string, start: number, value: string): Finding {
  const end = start + value.length;
  const rest = value.length < LONG ? "" : LONG_REST.exec(text.slice(end))![0];
  return { start, end: end + rest.length, rule };
}

/** What stands for a secret that was taken out, also as earlier versions wrote it; never a secret itself. */
export const MARKER: RegExp = /\[(?:redacted: |REDACTED:)[a-z0-9-]{1,40}\]/g;

/**
 * Joins findings that overlap. The earlier of two findings is the more precise one and names the
 * class; one that would swallow a marker is dropped, since what it holds was dealt with before.
 *
 * @param text where the secrets were found
 * @param found in the order of the rules
 * @returns by position, none overlapping another
 */
export function mergeSecrets(text: string, found: readonly Secret[]): Secret[] {
  const markers = Array.from(text.matchAll(MARKER), ({ index }) => index);
  const order = found.map((secret, rank) => ({ ...secret, rank }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: typeof order = [];
  let marker = 0;
  for (const secret of order) {
    while (marker < markers.length && markers[marker] < secret.start) marker++;
    if (marker < markers.length && markers[marker] < secret.end) continue;
    const last = merged.at(-1);
    if (last === undefined || secret.start >= last.end) {
      merged.push(secret);
      continue;
    }
    last.end = Math.max(last.end, secret.end);
    if (secret.rank < last.rank) {
      last.rank = secret.rank;
      last.kind = secret.kind;
    }
  }
  return merged.map(({ start, end, kind }) => ({ start, end, kind }));
}

/**
 * @param text where the secrets were found
 * @param secrets by position, none overlapping another
 * @param kinds gains how many there are of each class
 * @returns the text with a mark in the place of each
 */
export function replaceSecrets(
  text: string,
  secrets: readonly Secret[],
  kinds: Record<string, number> = {},
): string {
  if (secrets.length === 0) return text;
  const parts: string[] = [];
  let next = 0;
  for (const { start, end, kind } of secrets) {
    parts.push(text.slice(next, start), `[redacted: ${kind}]`);
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    next = end;
  }
  parts.push(text.slice(next));
  return parts.join("");
}
