// The findings of the rules, and how several findings are merged. Pure.

import type { Rule } from "./rules/rule.ts";

export interface Secret {
  /** The index of the secret's first UTF-16 unit. */
  start: number;
  /** The index after the secret's last UTF-16 unit. */
  end: number;
  /** The class of the secret in kebab-case, such as `github-token`. */
  kind: string;
}

/** From this length, the pattern of a rule may not have matched the value to its end. */
const LONG = 160;
const LONG_REST = /^(?:(?=[A-Za-z0-9+/_])[^\s"'`,;<>(){}\[\]&|\\]*)?/;

export interface SecretPart {
  text: string;
  start: number;
}

/** Yields the secrets that a pattern finds. The last capture ends the match. */
export function* secretsIn(text: string, pattern: RegExp, start = 0): Generator<SecretPart> {
  for (const match of text.matchAll(pattern)) {
    const secret = match.at(-1)!;
    yield { text: secret, start: start + match.index + match[0].length - secret.length };
  }
}

export function secretOf(rule: Rule, text: string, start: number, value: string): Secret {
  const end = start + value.length;
  const rest = value.length < LONG ? "" : LONG_REST.exec(text.slice(end))![0];
  return { start, end: end + rest.length, kind: rule.kind };
}

/** Matches the marker of a removed secret, including the form of earlier versions. A marker is never a secret. */
export const MARKER: RegExp = /\[(?:redacted: |REDACTED:)[a-z0-9-]{1,40}\]/g;

/** Whether a text contains only markers, without any other letter or digit. */
export function isAllRedacted(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text.replace(MARKER, ""));
}

/**
 * Merges overlapping secrets and sorts them by position. Of overlapping secrets, the one found first is the most
 * precise and names the class. A secret that overlaps a marker is dropped, because that text was cut before.
 */
export function mergeSecrets(text: string, found: readonly Secret[]): Secret[] {
  const markers = Array.from(text.matchAll(MARKER), ({ index }) => index);
  const order = found.map((secret, rank) => ({ ...secret, rank }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: typeof order = [];
  let marker = 0;
  for (const secret of order) {
    while (markers[marker] < secret.start) marker++;
    if (markers[marker] < secret.end) continue;
    const last = merged.at(-1);
    if (last === undefined || secret.start >= last.end) {
      merged.push(secret);
      continue;
    }
    last.end = Math.max(last.end, secret.end);
    if (secret.rank < last.rank) [last.rank, last.kind] = [secret.rank, secret.kind];
  }
  return merged.map(({ start, end, kind }) => ({ start, end, kind }));
}

/** Replaces merged secrets by markers, and adds the number of secrets of each class to `kinds`. */
export function replaceSecrets(
  text: string,
  secrets: readonly Secret[],
  kinds: Record<string, number> = {},
): string {
  let left = "";
  let next = 0;
  for (const { start, end, kind } of secrets) {
    left += `${text.slice(next, start)}[redacted: ${kind}]`;
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    next = end;
  }
  return left + text.slice(next);
}
