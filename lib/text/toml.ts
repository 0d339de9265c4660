// Reads TOML, and finds the line of a key for error messages. Pure.
//
// `smol-toml` reads the text, because `@std/toml` accepts duplicate keys and two pairs on a line, and loses digits of
// large integers. `@std/toml` writes (`setup/toml_table.ts`).

import { parse, TomlError } from "smol-toml";
import { AgentxError } from "../base/errors.ts";
import { clip, quote } from "../base/quote.ts";

/** The path to a value: keys of tables and indexes of arrays, from the top of the file. */
export type KeyPath = readonly (string | number)[];

export interface TomlDocument {
  /** The tables and values, as objects without a prototype. */
  readonly value: Record<string, unknown>;
  /** The 1-based line where the value's statement begins, or null if it is not in the file. */
  lineOf(keyPath: KeyPath): number | null;
  /** Makes an INVALID_CONFIG error for a value that does not fit; it names the nearest line that exists. */
  error(keyPath: KeyPath, why: string): AgentxError<"INVALID_CONFIG">;
}

const MAX_DEPTH = 64;

/** Maximum lines to search for a key, because the text is parsed again for each line. */
const MAX_LINES = 1_000;

/** Parses TOML. Throws `INVALID_CONFIG`, which names the file, if the text is not TOML. */
export function parseToml(text: string, path: string): TomlDocument {
  const whole = text.replace(/^\uFEFF/, "");
  const lines = whole.split(/\r?\n/);
  const refusal = (line: number | null, name: string | null, why: string) => {
    const key = name && clip(name);
    const place = [line && `line ${line}`, key && `key ${quote(key)}`].filter(Boolean).join(", ");
    return new AgentxError("INVALID_CONFIG", `Cannot read "${path}": ${place}: ${why}`, {
      details: { path, line, key },
      next: "Correct the file; nothing was changed",
    });
  };
  const lineOf = (keyPath: KeyPath) => lineIn(lines, keyPath);
  try {
    return {
      value: read(whole),
      lineOf,
      error(keyPath, why) {
        const key = keyPath.findLast((part) => typeof part === "string") ?? null;
        let length = keyPath.length;
        while (length > 1 && lineOf(keyPath.slice(0, length)) === null) length--;
        return refusal(lineOf(keyPath.slice(0, length)), key, why);
      },
    };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw refusal(error.line, null, clip(reasonIn(error)));
  }
}

function read(text: string): Record<string, unknown> {
  return parse(text, { maxDepth: MAX_DEPTH });
}

/** Returns the first line of a message, without its fixed beginning; the next lines draw the place. */
function reasonIn({ message }: TomlError): string {
  return message.split("\n", 1)[0].replace(/^Invalid TOML document: /, "");
}

/**
 * Returns the line where a value begins: the line after the longest start of the text that is TOML without the value.
 */
function lineIn(lines: readonly string[], keyPath: KeyPath): number | null {
  let start = 0;
  for (let end = 1; end <= Math.min(lines.length, MAX_LINES); end++) {
    const value = readOrUndefined(lines.slice(0, end).join("\n"));
    if (value === undefined) continue;
    if (keyPath.length > 0 && holds(value, keyPath)) return start + 1;
    start = end;
  }
  return null;
}

/** Parses a part of the text; undefined if it ends within a value. */
function readOrUndefined(text: string): unknown {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof TomlError) return undefined;
    throw error;
  }
}

function holds(value: unknown, [key, ...rest]: KeyPath): boolean {
  if (key === undefined) return true;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return false;
  return holds((value as Record<string | number, unknown>)[key], rest);
}
