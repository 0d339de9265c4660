/**
 * Texts that redaction leaves as they are, so that it need not be loaded, nor look at them again.
 *
 * What an observation says was looked at when it came into the index of memory, which notes that with
 * the version of the rules. The index is made on this machine and fits its files by their inodes and
 * times: none that came with a repository is believed.
 *
 * @module
 */

import { mayHoldSecret } from "./hint.ts";

/** Stands for all that decides what is redacted: a test says what it must be. */
export const RULES_VERSION = 4_007_215_511;

/** More are not remembered. */
const MAX_KNOWN = 20_000;

const known = new Set<string>();

let redact: ((text: string) => string) | undefined;

/** Loads the rules, which takes too long under a lock: without them, {@linkcode isClean} knows less. */
export async function loadRules(): Promise<void> {
  redact ??= (await import("./redact.ts")).redact;
}

/** Whether a text is known to pass redaction as it is. */
export function isClean(text: string): boolean {
  return isKnownClean(text) || !mayHoldSecret(text) || redact?.(text) === text;
}

/** Notes that a text passes redaction as it is. */
export function noteClean(text: string): void {
  if (known.size >= MAX_KNOWN) known.clear();
  known.add(text);
}

/** Whether that was noted. */
export function isKnownClean(text: string): boolean {
  return known.has(text);
}
