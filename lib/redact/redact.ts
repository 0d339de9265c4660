// Removes secrets and private parts from text (SPEC-AgentX section 6). Pure.
//
// Guaranteed: the same text always gives the same result; redacting a result again changes nothing; a secret that was
// found once is cut at each repetition in the text; and the time grows with the length of the text. Hashes stay,
// except those of passwords, and so do UUIDs, ids, certificates and public keys. A cut leaves `[redacted: class]`.
//
// Not guaranteed: that every secret is found. A password that is an everyday word in a sentence, or a secret in an
// unknown format without a naming word, looks like any other text. Text that must not be stored belongs between
// `<private>` and `</private>`.

import { type DecodedText, hiddenTexts, spelledOut } from "./escapes.ts";
import { type FileKind, fileKind } from "./file_kind.ts";
import { createFinder } from "./find.ts";
import { cutClosedParts, cutPrivate, cutPrivateParts, privateParts } from "./private_parts.ts";
import { Repeats } from "./repeats.ts";
import { REDACTION_RULES } from "./rules/rules.ts";
import { MARKER, mergeSecrets, replaceSecrets, type Secret } from "./secret.ts";
import { readEscapes, visibleText } from "./visible_text.ts";

export { cutClosedParts, cutPrivate, cutPrivateParts, fileKind };
export type { FileKind, Secret };

/**
 * The maximum number of passes. A marker may complete or reveal another secret, so more than one pass may be needed.
 */
const MAX_PASSES = 4;

/** Matches a checksum as in lock files. No part of a checksum is a token. */
const CHECKSUM = /(?<=\b(?:sha(?:1|256|384|512)-|h1:))[A-Za-z0-9+/]{27,88}={0,2}/g;

const findVisible = createFinder(REDACTION_RULES);

/** A text without its secrets, and the number of secrets by class. */
export interface Redacted {
  /** The text without its secrets. */
  text: string;
  /** The number of removed secrets by class; empty if there were none. */
  kinds: Record<string, number>;
}

/**
 * Cuts the parts between `<private>` and `</private>`, then replaces each secret by `[redacted: class]`
 * (SPEC-AgentX section 6).
 *
 * @returns the text without them
 *
 * @example A token of a provider, and a part that is marked as private
 * ```ts
 * import { redact } from "@agentx/toolkit";
 * import { assertEquals } from "@std/assert";
 *
 * const token = `ghp_${"a1B2c3D4e5F6g7H8i9".repeat(2)}`;
 * assertEquals(redact(`Push with ${token}`), "Push with [redacted: github-token]");
 * assertEquals(redact("Ask <private>Ann</private>"), "Ask [redacted: private]");
 * ```
 */
export function redact(text: string): string {
  return redacted(text).text;
}

/** Like {@linkcode redact}, for callers that have to name the removed classes. */
export function redacted(text: string): Redacted {
  return createRedactor()(text);
}

export interface RedactorOptions {
  /**
   * Whether to search a text while no secret is known. After that, every text is searched, because it may repeat a
   * secret.
   */
  isSuspect?: (text: string) => boolean;
}

/**
 * Returns a redactor for several texts of one session. It also cuts the secrets of one text from all later texts.
 * Secrets are remembered in memory only.
 */
export function createRedactor(
  { isSuspect = () => true }: RedactorOptions = {},
): (text: string) => Redacted {
  const repeats = new Repeats();
  return (text) => {
    const kinds: Record<string, number> = {};
    if (repeats.isEmpty && !isSuspect(text)) return { text, kinds };
    let current = text;
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const parts = privateParts([current])[0];
      for (const { start, end } of parts) {
        const part = current.slice(start, end);
        repeats.learn(part, findSecrets(part));
      }
      const open = replaceSecrets(current, parts, kinds);
      const secrets = findSecrets(open);
      repeats.learn(open, secrets);
      const found = mergeSecrets(open, [...secrets, ...repeats.find(open)]);
      const last = replaceSecrets(open, found, kinds);
      if (last === current) break;
      current = last;
    }
    return { text: current, kinds };
  };
}

/** Returns a copy of a JSON value with every string redacted, as texts of one session. Keys stay. */
export function redactValue<T>(value: T, options?: RedactorOptions): T {
  const redactor = createRedactor(options);
  return redactStrings(value, (text) => redactor(text).text) as T;
}

/**
 * Returns the secrets of a text by position, without overlaps and without private parts. `file` is the kind of the
 * file that the text comes from, which excludes some rules; without it, every rule applies.
 */
export function findSecrets(text: string, file?: FileKind): Secret[] {
  const visible = visibleText(text);
  const open = visible.text.replace(MARKER, blank).replace(
    CHECKSUM,
    (sum) => "*".repeat(sum.length),
  );
  const found = [...findVisible(readEscapes(open), file), ...findSpelled(open, file)]
    .map(({ start, end, kind }) => ({ ...visible.original(start, end), kind }));
  for (const { start, text: hidden } of visible.unseen) {
    for (const secret of findSecrets(hidden, file)) {
      found.push({ start: secret.start + start, end: secret.end + start, kind: secret.kind });
    }
  }
  return mergeSecrets(text, found);
}

/** Finds secrets that only another spelling of the text shows. In a file, Base64 counts as data. */
function findSpelled(text: string, file?: FileKind): Secret[] {
  const spelled = spelledOut(text);
  const inBase64 = file && { ...file, isData: true };
  const find = (reading: DecodedText, kind?: FileKind) =>
    findVisible(reading.text, kind)
      .map((secret) => ({ ...reading.original(secret.start, secret.end), kind: secret.kind }));
  return [
    ...hiddenTexts(text).flatMap((reading) => find(reading, inBase64)),
    ...spelled === undefined ? [] : find(spelled, file),
  ];
}

/** Masks the class in a redaction marker with asterisks, because the class name looks like a name of a secret. */
function blank(marker: string): string {
  return "[redacted".padEnd(marker.length - 1, "*") + "]";
}

function redactStrings(value: unknown, cut: (text: string) => string): unknown {
  if (typeof value === "string") return cut(value);
  if (Array.isArray(value)) return value.map((item) => redactStrings(item, cut));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, redactStrings(item, cut)]),
  );
}
