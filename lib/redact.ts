/**
 * Secrets and private parts out of text (SPEC-AgentX section 6).
 *
 * Guaranteed: the same text always gives the same result, redacting a result again changes nothing,
 * and the time grows with the length of the text. Hashes, UUIDs, ids, certificates and public keys
 * stay.
 *
 * Not guaranteed: that every secret is found. A password that is an everyday word in a sentence, or
 * a secret in a format that nothing names, looks like any other text. What must not be stored belongs
 * between `<private>` and `</private>`.
 *
 * @module
 */

import { findKeyValues } from "./redact/key_values.ts";
import { findManifestSecrets } from "./redact/manifests.ts";
import { findPrivateKeys } from "./redact/pem.ts";
import { cutPrivate } from "./redact/private_parts.ts";
import { MARKER, markerOf, mergeSecrets, type Secret } from "./redact/secret.ts";
import { findStructures } from "./redact/structures.ts";
import { findTableSecrets } from "./redact/tables.ts";
import { findTokens } from "./redact/tokens.ts";
import { viewOf } from "./redact/view.ts";

export { cutPrivate };
export type { Secret };

/** A marker may complete or bring to light something else; more often than this is not seen. */
const MAX_PASSES = 4;

/**
 * Cuts the private parts, then replaces each secret by `[REDACTED:class]`.
 *
 * @param text anything, in any state: cut short, escaped, with terminal sequences, 2 MB
 * @returns the text without them
 */
export function redact(text: string): string {
  let current = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const open = cutPrivate(current);
    const next = replaceSecrets(open, findSecrets(open));
    if (next === current) break;
    current = next;
  }
  return current;
}

/**
 * Redacts every string of a plain JSON value; keys stay.
 *
 * @param value what JSON can express
 * @returns a copy with redacted strings
 */
export function redactValue<T>(value: T): T {
  return redacted(value) as T;
}

/**
 * Finds the secrets of a text, and leaves its private parts alone.
 *
 * @param text anything
 * @returns by position, none overlapping another
 */
export function findSecrets(text: string): Secret[] {
  const view = viewOf(text);
  const seen: Secret[] = [];
  const shown = view.text.replace(MARKER, blank);
  findPrivateKeys(shown, seen);
  findTokens(shown, seen);
  findManifestSecrets(shown, seen);
  findStructures(shown, seen);
  findTableSecrets(shown, seen);
  findKeyValues(shown, seen);
  const found = seen.map(({ start, end, kind }) => ({ ...view.original(start, end), kind }));
  for (const { start, text: hidden } of view.unseen) {
    found.push(
      ...findSecrets(hidden).map((secret) => ({
        start: secret.start + start,
        end: secret.end + start,
        kind: secret.kind,
      })),
    );
  }
  return mergeSecrets(text, found);
}

/** Hides the class in a marker, which is a word that names a secret. */
function blank(marker: string): string {
  return "[REDACTED".padEnd(marker.length - 1, "*") + "]";
}

function replaceSecrets(text: string, secrets: readonly Secret[]): string {
  if (secrets.length === 0) return text;
  const parts: string[] = [];
  let next = 0;
  for (const { start, end, kind } of secrets) {
    parts.push(text.slice(next, start), markerOf(kind));
    next = end;
  }
  parts.push(text.slice(next));
  return parts.join("");
}

function redacted(value: unknown): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redacted(item)]));
}
