/**
 * Values as an error message quotes them: on one line, and cut where they are long. Pure.
 *
 * @module
 */

const MAX_QUOTED = 80;

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
    return "a value that JSON cannot hold"; // a circle, or nested deeper than the stack
  }
}
