/**
 * Values as an error message quotes them: on one line, and cut where they are long. Pure.
 *
 * @module
 */

const MAX_QUOTED = 80;
const MAX_NAMES = 20;

/**
 * @param text anything
 * @returns its first 80 characters, with an ellipsis where there are more
 */
export function clip(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}...` : text;
}

/**
 * @param value anything
 * @returns it as JSON, a text in quotes; cut where it is long
 */
export function quote(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(clip(value));
  try {
    return clip(JSON.stringify(value) ?? String(value));
  } catch {
    return "a value that JSON cannot represent"; // a circle, or nested deeper than the stack
  }
}

/**
 * @param word anything
 * @returns it as a shell reads it back as one word
 */
export function shellWord(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * @param names any number of names
 * @param separator stands between them
 * @returns the first twenty, and how many more there are
 */
export function enumerate(names: readonly string[], separator = ", "): string {
  const more = names.length - MAX_NAMES;
  if (more <= 0) return names.join(separator);
  return [...names.slice(0, MAX_NAMES), `... (${more} more)`].join(separator);
}
