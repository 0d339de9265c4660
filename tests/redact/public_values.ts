/**
 * Values that look random and are no secrets, from a fixed seed.
 *
 * @module
 */

import { randomFrom } from "./shapes.ts";

const DIGITS = "0123456789";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Makes such values; each call gives other ones. */
export interface PublicValues {
  /** Digits and a to f. */
  hex: (length: number) => string;
  /** Letters, digits, `+` and `/`. */
  base64: (length: number) => string;
  /** Letters and digits. */
  alphanumeric: (length: number) => string;
  /** A UUID of a version, such as 4. */
  uuid: (version: number) => string;
  /** A PEM block that may be public. */
  block: (kind: string, newline?: string) => string;
}

/**
 * @param seed any integer
 * @returns what makes the same values for the same seed
 */
export function publicValues(seed: number): PublicValues {
  const random = randomFrom(seed);
  const draw = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[random(alphabet.length)]).join("");
  const hex = (length: number) => draw(DIGITS + "abcdef", length);
  const base64 = (length: number) => draw(LETTERS + DIGITS + "+/", length);
  return {
    hex,
    base64,
    alphanumeric: (length) => draw(LETTERS + DIGITS, length),
    uuid: (version) => [hex(8), hex(4), version + hex(3), "a" + hex(3), hex(12)].join("-"),
    block: (kind, newline = "\n") => {
      const dashes = "-".repeat(5);
      const lines = ["MIID" + base64(60), base64(64), base64(64), base64(40) + "=="];
      return [`${dashes}BEGIN ${kind}${dashes}`, ...lines, `${dashes}END ${kind}${dashes}`]
        .join(newline);
    },
  };
}
