/**
 * What a rule is: data, with the examples that hold it. Pure.
 *
 * A token with a prefix is a row of `tokens.ts`, a word that names a secret one of `names.ts`; any other
 * place of a secret is a rule of the file of its subject. `tests/redact/rules_test.ts` reads them all.
 *
 * @module
 */

/** A rule: where secrets of a class stand, and what they look like. */
export interface Rule {
  /** The class in kebab-case, such as `github-token`. */
  kind: string;
  /**
   * How the pattern is read. As it is, it finds a secret: what it captures last, or all of it; with
   * that the match ends. As a `prefix`, it is what has to stand behind one of the keywords. As a `name`, it is a
   * word that names a secret, whose value is looked for around it.
   */
  reads?: "prefix" | "name";
  /** A text that the rule fits has one of them, in lower case. Of a `prefix`, how secrets begin. */
  keywords?: readonly string[];
  /** With the flag `g`, unless it is that of a `prefix`. */
  pattern: RegExp;
  /** What of the last capture is secret, where not all of it is: found in it as `pattern` in a text. */
  parts?: RegExp;
  /** What stands elsewhere in the same document, where lines of `---` part one from the next. */
  beside?: RegExp;
  /** What the value has to look like; without it, the place says enough. */
  looks?: Look;
  /** Least bits per character. */
  entropy?: number;
  /** Texts with secrets, in the notation of `tests/redact/shapes.ts`: no secret stands here. */
  secret: readonly string[];
  /** Texts that stay as they are. */
  ordinary: readonly string[];
}

/** What a value looks like; each is a function of `looks_like_secret.ts`. */
export type Look =
  | "any" // everything but what stands in for a secret
  | "chosen" // as a password
  | "random"
  | "random-no-id"
  | "random-no-name" // where names, paths and numbers are more likely
  | "settings" // pairs, one of which has a long value
  | "key-block" // some lines of Base64
  | "token"
  | "token-by-prefix" // of which the prefix says nearly all
  // Under a name:
  | "password"
  | "passphrase"
  | "named-secret"
  | "named-random" // the name has other meanings
  | "named-long-key";
