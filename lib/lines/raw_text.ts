// An index on the raw text of lines: a hook has no time to parse every line of a long file, so those that cannot
// hold a value are left out unparsed. A line that is found is parsed, and only that decides.

/** Whether a line of JSON may hold a text, whatever its keys and their order. */
export function mayHold(raw: string, text: string): boolean {
  return raw.includes(JSON.stringify(text).slice(1, -1)) || raw.includes("\\u");
}

/** Whether a line of JSON may give a key this number, or name the key. */
export function mayNumber(raw: string, key: string, number: number): boolean {
  return new RegExp(`"${key}"\\s*(?::\\s*${number}\\b|[,}])`).test(raw);
}
