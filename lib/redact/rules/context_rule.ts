/**
 * What a place is where secrets stand. Pure.
 *
 * @module
 */

/** One place where secrets stand. */
export interface Structure {
  kind: string;
  /** Where it stands. */
  pattern: RegExp;
  /**
   * What the place leaves open: all but placeholders, what looks random, what
   * looks chosen as a password, what no name looks like, what looks random but is no id, pairs with
   * a long value.
   */
  accepts: "any" | "random" | "chosen" | "strict" | "query" | "pairs";
}
