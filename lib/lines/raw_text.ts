// Filters lines by their raw text: a hook has no time to parse every line of a long file, so lines that cannot hold a
// value are skipped unparsed. The remaining lines are parsed, and only the parsed line decides.

/** Whether a line of JSON may hold a text, whatever its keys and their order. */
export function mayHold(raw: string, text: string): boolean {
  return raw.includes(JSON.stringify(text).slice(1, -1)) || raw.includes("\\u");
}

/** Whether a line of JSON may give a key this number, or name the key. */
export function mayNumber(raw: string, key: string, number: number): boolean {
  return new RegExp(`"${key}"\\s*(?::\\s*${number}\\b|[,}])`).test(raw);
}
