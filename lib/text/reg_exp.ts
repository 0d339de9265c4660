// Text within regular expressions. Pure.

const SYNTAX = /[\\^$.*+?()[\]{}|]/g;

/** The source of a regular expression that matches the text as it is. */
export function escapeRegExp(text: string): string {
  return text.replace(SYNTAX, "\\$&");
}
