// A rule is data, with examples that test it. Pure.
//
// A token with a prefix is a row of `tokens.ts`, a word that names a secret one of `names.ts`; any other
// place of a secret is a rule of the file of its subject. `tests/redact/rules_test.ts` reads them all.

/** A rule: the places of the secrets of a class, and the look of these secrets. */
export interface Rule {
  /** The class in kebab-case, such as `github-token`. */
  kind: string;
  /**
   * The pattern finds the secret itself. With `name` it finds a word that names a secret, and the value is
   * looked for around the word. With `value` it finds a possible secret; rarity and the words before it decide.
   */
  reads?: "name" | "value";
  /** The rule is tried only on texts that contain one of these, in lower case. */
  keywords?: readonly string[];
  /** The secret is the last capture, at the end of the match, or the whole match. The pattern has the flag `g`. */
  pattern: RegExp;
  /** The beginning of every secret; only the rest is judged by its look. */
  prefix?: string;
  /** Finds the secret parts of the last capture, if not all of it is secret, as `pattern` does in a text. */
  parts?: RegExp;
  /** A text elsewhere in the same document, where lines of `---` part one from the next. */
  beside?: RegExp;
  /** The look of the value; without it, the place says enough. */
  looks?: Look;
  /** Least bits per character. */
  entropy?: number;
  /** Texts with secrets, in the notation of `tests/redact/shapes.ts`: no secret stands here. */
  secret: readonly string[];
  /** Texts that stay as they are. */
  ordinary: readonly string[];
}

/** The look of a value; each is a function of `looks_like_secret.ts`. */
export type Look =
  | "any" // everything but what stands in for a secret
  | "chosen" // as a password
  | "random"
  | "random-no-id"
  | "rare" // among words and names
  | "settings" // pairs, one of which has a long value
  | "key-block" // some lines of Base64
  | "token"
  | "token-by-prefix" // of which the prefix says nearly all
  // Under a name:
  | "password"
  | "password-of-sentence" // of which it is not a word
  | "passphrase"
  | "named-secret"
  | "named-random" // the name has other meanings
  | "named-long-key";

/** A pattern for every occurrence, in capitals or not. */
export function anyCase(source: string): RegExp {
  return new RegExp(source, "gi");
}
