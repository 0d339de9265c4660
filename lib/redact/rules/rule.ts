// The form of a rule. A rule is data, with examples that test it. Pure.
//
// A token with a prefix is a row of `tokens.ts`. A word that names a secret is a rule of `names.ts`. Any other secret
// is a rule in the file of its subject. `tests/redact/rules_test.ts` tests all rules.

/** A rule: where secrets of a class occur, and how they look. */
export interface Rule {
  /** The class in kebab-case, such as `github-token`. */
  kind: string;
  /**
   * How to use the pattern. Without this field, it finds the secret itself. With `name`, it finds a word that names
   * a secret, and the value is searched around the word. With `value`, it finds a possible secret, and its rarity
   * and the words before it decide.
   */
  reads?: "name" | "value";
  /** The rule is tried only on texts that contain one of these words, which are in lower case. */
  keywords?: readonly string[];
  /** The secret is the last capture, at the end of the match, or the whole match. The pattern has the flag `g`. */
  pattern: RegExp;
  /** The beginning of every secret. Only the rest of the secret is judged by its look. */
  prefix?: string;
  /**
   * Finds the secret parts of the last capture, if only parts of it are secret. The pattern follows the rules of
   * `pattern`.
   */
  parts?: RegExp;
  /** Must match elsewhere in the same document. Lines of `---` separate documents. */
  beside?: RegExp;
  /** The required look of the value. Without it, the place alone decides. */
  looks?: Look;
  /** The minimum entropy in bits per character. */
  entropy?: number;
  /** Texts with secrets, in the notation of `tests/redact/shapes.ts`. The notation contains no real secrets. */
  secret: readonly string[];
  /** Texts that redaction leaves unchanged. */
  ordinary: readonly string[];
}

/** The look of a value; each is a function of `looks_like_secret.ts`. */
export type Look =
  | "any" // everything except placeholders
  | "chosen" // chosen as a password
  | "random"
  | "random-no-id"
  | "rare" // rare compared with words and names
  | "settings" // pairs, one with a long value
  | "key-block" // some lines of Base64
  | "token"
  | "token-by-prefix" // a token with a prefix that is nearly proof
  // Looks of values after a name:
  | "password"
  | "password-of-sentence" // not a word of a sentence
  | "passphrase"
  | "named-secret"
  | "named-random" // for names that have other meanings
  | "named-long-key";

/** Returns a pattern for every occurrence, in upper or lower case. */
export function anyCase(source: string): RegExp {
  return new RegExp(source, "gi");
}
