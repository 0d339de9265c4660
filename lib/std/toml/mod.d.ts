/** Parses a TOML text into plain values. */
export function parse(text: string): Record<string, unknown>;
