// Tokens with a provider's prefix. Pure.

import { escapeRegExp } from "../../text/reg_exp.ts";
import { PREFIXES_A_TO_H } from "./prefixes_a_to_h.ts";
import { PREFIXES_I_TO_Z } from "./prefixes_i_to_z.ts";
import type { Look, Rule } from "./rule.ts";

/** The alphabets for the rest of a token: in a pattern, and in an example. */
const ALPHABETS: Readonly<Record<string, readonly [pattern: string, example: string]>> = {
  alnum: ["A-Za-z0-9", "an"],
  upper: ["A-Z0-9", "up"],
  lower: ["a-z0-9", "low"],
  hex: ["A-Fa-f0-9", "hex"],
  word: ["A-Za-z0-9_-", "b64u"],
  dotted: ["A-Za-z0-9_.-", "b64u"],
  base64: ["A-Za-z0-9+/=_-", "b64u"],
  any: ["A-Za-z0-9_.~+/=:|!-", "b64u"],
};

const LONGEST_JUDGED = 256;
/** The minimum length of a token that is cut at the end of a text. Its prefix still identifies it. */
const LEAST_CUT_SHORT = 6;
/** The minimum length of a prefix that ends in a mark and may follow a letter. */
const LEAST_GLUED = 4;

/** The rule for a prefix. Most rules are never tried, so each rule builds its pattern on first use. */
class TokenRule implements Rule {
  readonly keywords: readonly string[];
  #pattern?: RegExp;

  constructor(
    readonly kind: string,
    readonly prefix: string,
    readonly rest: string,
    readonly least: number,
  ) {
    this.keywords = [prefix.toLowerCase()];
  }

  get looks(): Look {
    return isTellingPrefix(this.prefix) ? "token-by-prefix" : "token";
  }

  get pattern(): RegExp {
    return this.#pattern ??= patternOf(this);
  }

  get secret(): string[] {
    const example = ALPHABETS[this.rest][1];
    return [`see @[${this.prefix}{${example}:${Math.max(this.least + 4, 20)}}]@ there`];
  }

  get ordinary(): string[] {
    return [`see ${this.prefix}${"x".repeat(this.least)} there`];
  }
}

/**
 * One rule for each prefix. The longest prefixes come first, because a shorter one may be the beginning of a longer
 * one.
 */
export const TOKENS: readonly Rule[] = (PREFIXES_A_TO_H + PREFIXES_I_TO_Z).split("\n")
  .flatMap((row) => {
    const [kind, rest, least, ...prefixes] = row.split(" ");
    return prefixes.map((prefix) => new TokenRule(kind, prefix, rest, Number(least)));
  })
  .sort((one, other) => other.prefix.length - one.prefix.length);

/**
 * Returns the pattern of a token. It excludes tokens within a word or in Base64 data, and names of functions, but
 * allows them after a percent-encoded mark. Punctuation that ends a sentence does not belong to a token.
 */
function patternOf({ prefix, rest, least, looks }: TokenRule): RegExp {
  const literal = escapeRegExp(prefix);
  const run = `[${ALPHABETS[rest][0]}]`;
  const isTelling = looks === "token-by-prefix";
  const cutShort = isTelling && least > LEAST_CUT_SHORT
    ? `|${run}{${LEAST_CUT_SHORT},${least}}$`
    : "";
  const base64 = prefix.endsWith("+") ? "+/" : "";
  const apart = `(?<!(?<!%[0-9A-Fa-f])[A-Za-z0-9${base64}]${literal})`;
  const place = isTelling && prefix.length >= LEAST_GLUED ? `(?:${apart}|(?=${run}{16}))` : apart;
  const isMarked = "_.-".includes(prefix.at(-1)!);
  const notOfData = isMarked ? "" : `(?<![A-Za-z0-9+/]{40}(?:\\\\\\n)?${literal})`;
  return new RegExp(
    `${literal}${notOfData}${place}(?:${run}{${least},${LONGEST_JUDGED}}${cutShort})(?<![.:|!-])(?!\\w{0,40}\\()`,
    "g",
  );
}

/** Whether almost no other word begins with this prefix. */
function isTellingPrefix(prefix: string): boolean {
  return prefix.length >= 4 &&
    ("_.-".includes(prefix.at(-1)!) || prefix === "AKIA" || prefix === "AIza");
}
