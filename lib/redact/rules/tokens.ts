// Tokens with the prefix of a provider. Pure.

import { escapeRegExp } from "../../text/reg_exp.ts";
import { PREFIXES_A_TO_H } from "./prefixes_a_to_h.ts";
import { PREFIXES_I_TO_Z } from "./prefixes_i_to_z.ts";
import type { Look, Rule } from "./rule.ts";

/** The characters of the rest of a token: in a pattern, and in an example. */
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
/** At the end of a text a token may be cut short; its prefix tells it all the same. */
const LEAST_CUT_SHORT = 6;
/** A prefix this long that ends in a mark is one even within a word. */
const LEAST_GLUED = 4;

/** The rule of a prefix. Most rules are never tried, so each rule builds its pattern on first use. */
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

/** A rule for each prefix. The longest come first, since a shorter one may begin a longer one. */
export const TOKENS: readonly Rule[] = (PREFIXES_A_TO_H + PREFIXES_I_TO_Z).split("\n")
  .flatMap((row) => {
    const [kind, rest, least, ...prefixes] = row.split(" ");
    return prefixes.map((prefix) => new TokenRule(kind, prefix, rest, Number(least)));
  })
  .sort((one, other) => other.prefix.length - one.prefix.length);

/**
 * Not within a word or data in Base64, nor the name of a function, but after a percent-encoded mark. What ends a
 * sentence does not end a token.
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
