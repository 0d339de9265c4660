// Quotes values in error messages, on one line and shortened. Pure.

const MAX_QUOTED = 80;
const MAX_NAMES = 20;

/** Returns the first 80 characters of a text, followed by three dots if there are more. */
export function clip(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}...` : text;
}

/** Returns a value as JSON, shortened; a string is in quotes. */
export function quote(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(clip(value));
  try {
    return clip(JSON.stringify(value) ?? String(value));
  } catch {
    return "a value that JSON cannot represent"; // circular, or nested too deeply for the stack
  }
}

/** Quotes a text so that a shell reads it as one word. */
export function shellWord(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns a command line that a shell reads as these words. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}

/** Lists the first twenty names, and the number of the others. */
export function enumerate(names: readonly string[], separator = ", "): string {
  const more = names.length - MAX_NAMES;
  if (more <= 0) return names.join(separator);
  return [...names.slice(0, MAX_NAMES), `... (${more} more)`].join(separator);
}

/** Lists the first names, and the number of the others: `a, b and 3 more`. */
export function listed(names: readonly string[], max: number): string {
  const left = names.length - max;
  return names.slice(0, max).join(", ") + (left > 0 ? ` and ${left} more` : "");
}
