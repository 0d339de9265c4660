/** Writes plain values as TOML. */
export function stringify(values: Record<string, unknown>): string;
