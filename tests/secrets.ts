/**
 * Secrets for tests: made from a fixed seed, so that none stands in the source.
 *
 * @module
 */

import { randomFrom } from "./redact/shapes.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const random = randomFrom(8);

/** A token that shows by its prefix. */
export const TOKEN: string = "ghp_" +
  Array.from({ length: 36 }, () => ALPHABET[random(ALPHABET.length)]).join("");

/** What stands in a private part. */
const PRIVATE = "OLDPRIV";

/** @returns a private part, whose tags stand nowhere in the source */
export function privatePart(text: string): string {
  const tag = "private";
  return `<${tag}>${text}</${tag}>`;
}

/** A text with both. */
export const LEAKY: string = `Use ${TOKEN} to clone. ${
  privatePart(`Ask ${PRIVATE}.`)
} Then run the tests.`;

/**
 * @param text anything that is written, sent or shown
 * @returns whether a secret or a private part of {@linkcode LEAKY} is in it
 */
export function leaks(text: string): boolean {
  return text.includes(TOKEN.slice(4)) || text.includes(PRIVATE);
}
