/**
 * Reads TOML, and knows the line of each key. Pure.
 *
 * Keys, tables and arrays are read here; single strings, numbers and dates are left to `@std/toml`.
 * By itself, that library accepts duplicate keys (the last one wins), two pairs on one line and a table
 * in place of a value, drops `__proto__`, cuts `\U` escapes and loses digits of large integers: all of
 * these are refused, with file, line and key. A date or time without an offset is read as UTC.
 *
 * @module
 */

import { parse } from "@std/toml";
import { AgentxError } from "../errors.ts";
import { clip, quote } from "../text/quote.ts";

/** The path to a value: keys of tables and indexes of arrays, from the top of the file. */
export type KeyPath = readonly (string | number)[];

/** The content of a TOML file. */
export interface TomlDocument {
  /** The tables and values, as plain objects. */
  readonly value: Record<string, unknown>;
  /**
   * Finds the line of a key.
   *
   * @param keyPath for example `["steps", 1, "agent"]`
   * @returns its 1-based line, or null if the file does not have it
   */
  lineOf(keyPath: KeyPath): number | null;
  /**
   * Makes the error for a value that is valid TOML but does not fit.
   *
   * @param keyPath the value; if it is missing, the line is that of the table around it
   * @param why what is wrong, such as `it must be true or false`
   * @returns an `INVALID_CONFIG` for the caller to throw
   */
  error(keyPath: KeyPath, why: string): AgentxError<"INVALID_CONFIG">;
}

/**
 * Reads a TOML text.
 *
 * @param path the file, for messages only
 * @throws {AgentxError} INVALID_CONFIG if the text is not TOML, or the library would misread it
 */
export function parseToml(text: string, path: string): TomlDocument {
  const reader = new TomlReader(text.replace(/^\uFEFF/, ""), path);
  reader.read();
  return reader;
}

type Table = Record<string, unknown>;

/** How a table or an array was defined, which decides what may be added; nothing to inline ones. */
type Origin = "header" | "implied by a header" | "dotted key" | "array of tables";

const MAX_DEPTH = 64;
const TOO_DEEP = `it is nested more than ${MAX_DEPTH} levels deep`;
const SPACE = /[ \t]*/y;
const BLANK = /(?:[ \t\r\n]|#[^\r\n]*)*/y;
const LINE_END = /[ \t]*(?:#[^\r\n]*)?(?:\r?\n|$)/y;
const KEY_PART = /[A-Za-z0-9_-]+|"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'/y;
const LONG_STRING = /"""(?:[^\\]|\\[^])*?"""(?:"{0,2})|'''[^]*?'''(?:'{0,2})/y;
const STRING = /(?!""")"(?:[^"\\\r\n]|\\.)*"|(?!''')'[^'\r\n]*'/y;
const BARE = /\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]+|[^\s,[\]{}#="']+/y;
const INTEGER = /^[+-]?(?:0[xob][0-9a-f_]+|[0-9_]+)$/i;
/** The library reads four digits after `\U`, and replaces half of a surrogate pair by U+FFFD. */
const MISREAD_ESCAPE = /^"(?:[^\\]|\\[^])*?\\(?:U|u[dD][89a-fA-F])/;

class TomlReader implements TomlDocument {
  readonly value: Table = {};
  readonly #text: string;
  readonly #path: string;
  readonly #origins = new Map<unknown, Origin>();
  readonly #offsets = new Map<unknown, Map<string | number, number>>();
  #position = 0;
  #depth = 0;
  /** The key of the current statement, for messages. */
  #key: string | null = null;

  constructor(text: string, path: string) {
    this.#text = text;
    this.#path = path;
  }

  lineOf(keyPath: KeyPath): number | null {
    let container: unknown = this.value;
    let offset: number | undefined;
    for (const key of keyPath) {
      offset = this.#offsets.get(container)?.get(key);
      if (offset === undefined) return null;
      container = (container as Record<string | number, unknown>)[key];
    }
    return offset === undefined ? null : this.#lineAt(offset);
  }

  error(keyPath: KeyPath, why: string): AgentxError<"INVALID_CONFIG"> {
    const key = keyPath.findLast((part) => typeof part === "string") ?? null;
    let length = keyPath.length;
    while (length > 1 && this.lineOf(keyPath.slice(0, length)) === null) length--;
    return this.#refusal(this.lineOf(keyPath.slice(0, length)), key, why);
  }

  read(): void {
    let table = this.value;
    while (this.#match(BLANK), this.#position < this.#text.length) {
      if (this.#text[this.#position] === "[") table = this.#header();
      else this.#pair(table);
      if (this.#match(LINE_END) === undefined) {
        throw this.#failure("only one statement per line is allowed");
      }
    }
  }

  #header(): Table {
    const start = this.#position;
    const isArray = this.#take("[[");
    if (!isArray) this.#take("[");
    const names = this.#names();
    if (!this.#take(isArray ? "]]" : "]")) throw this.#failure("the bracket is not closed");
    const last = names.pop()!;
    let parent = this.value;
    for (const name of names) parent = this.#enter(parent, name, "implied by a header", start);

    const existing = Object.hasOwn(parent, last) ? parent[last] : undefined;
    const origin = this.#origins.get(existing);
    if (!isArray && origin === "implied by a header") {
      this.#origins.set(existing, "header");
      return existing as Table;
    }
    if (!isArray) return this.#define(parent, last, this.#make({}, "header"), start);
    const tables = origin === "array of tables"
      ? existing as Table[]
      : this.#define(parent, last, this.#make([] as Table[], "array of tables"), start);
    this.#mark(tables, tables.length, start);
    tables.push(this.#make({}, "header"));
    return tables.at(-1)!;
  }

  #pair(table: Table): void {
    const start = this.#position;
    const names = this.#names();
    const key = this.#key;
    if (!this.#take("=")) throw this.#failure('the "=" is missing');
    this.#match(SPACE);
    const last = names.pop()!;
    for (const name of names) table = this.#enter(table, name, "dotted key", start);
    const value = this.#value();
    this.#key = key;
    this.#define(table, last, value, start);
  }

  #names(): string[] {
    const names: string[] = [];
    this.#key = null;
    do {
      if (names.length === MAX_DEPTH) throw this.#failure(TOO_DEEP);
      this.#match(SPACE);
      const part = this.#match(KEY_PART);
      if (part === undefined) throw this.#failure("a key is missing or has no closing quote");
      const name = /^["']/.test(part) ? String(this.#scalar(part)) : part;
      names.push(name);
      this.#key = this.#key === null ? name : `${this.#key}.${name}`;
      if (name === "__proto__") throw this.#failure("this name is reserved");
      this.#match(SPACE);
    } while (this.#take("."));
    return names;
  }

  #value(): unknown {
    if (++this.#depth > MAX_DEPTH) throw this.#failure(TOO_DEEP);
    const value = this.#take("[")
      ? this.#array()
      : this.#take("{")
      ? this.#inlineTable()
      : this.#scalar(this.#match(LONG_STRING) ?? this.#match(STRING) ?? this.#match(BARE));
    this.#depth--;
    return value;
  }

  #array(): unknown[] {
    const items: unknown[] = [];
    this.#list("]", () => {
      this.#mark(items, items.length, this.#position);
      items.push(this.#value());
    });
    return items;
  }

  #inlineTable(): Table {
    const table: Table = {};
    this.#list("}", () => this.#pair(table));
    return table;
  }

  #list(close: string, readOne: () => void): void {
    while (this.#match(BLANK), !this.#take(close)) {
      readOne();
      this.#match(BLANK);
      if (!this.#take(",") && this.#text[this.#position] !== close) {
        throw this.#failure(`a "," or "${close}" is missing`);
      }
    }
  }

  #scalar(token: string | undefined): unknown {
    if (token === undefined) throw this.#failure("the value is missing or has no closing quote");
    const start = this.#position - token.length;
    if (MISREAD_ESCAPE.test(token)) {
      throw this.#failure("the escape sequence is invalid; write the character itself", start);
    }
    let value: unknown;
    try {
      value = parse(`value = ${token}\n`).value;
    } catch {
      // The library's message names a line and a column of the text made for it above.
      const why = /^["']/.test(token)
        ? "the string has an escape or a character that TOML does not allow"
        : `${quote(token)} is not a value; put a string in quotes`;
      throw this.#failure(why, start);
    }
    if (INTEGER.test(token) && !Number.isSafeInteger(value)) {
      throw this.#failure(`${clip(token)} is too large to be represented exactly`, start);
    }
    const day = token.slice(0, 10);
    if (value instanceof Date && new Date(day).toISOString().slice(0, 10) !== day) {
      throw this.#failure(`${day} is not a valid date`, start);
    }
    return value;
  }

  /** The table under a name that a header or a dotted key passes through; created if missing. */
  #enter(parent: Table, name: string, origin: Origin, start: number): Table {
    if (!Object.hasOwn(parent, name)) {
      return this.#define(parent, name, this.#make({}, origin), start);
    }
    const child = parent[name];
    const childOrigin = this.#origins.get(child);
    const isOpen = origin === "dotted key" ? childOrigin === origin : childOrigin !== undefined;
    if (!isOpen) throw this.#duplicate(parent, name, start);
    return childOrigin === "array of tables" ? (child as Table[]).at(-1)! : child as Table;
  }

  #make<T extends object>(container: T, origin: Origin): T {
    this.#origins.set(container, origin);
    return container;
  }

  #define<T>(table: Table, name: string, value: T, start: number): T {
    if (Object.hasOwn(table, name)) throw this.#duplicate(table, name, start);
    table[name] = value;
    this.#mark(table, name, start);
    return value;
  }

  #mark(container: object, key: string | number, offset: number): void {
    const offsets = this.#offsets.get(container) ?? new Map();
    this.#offsets.set(container, offsets.set(key, offset));
  }

  #take(literal: string): boolean {
    const isThere = this.#text.startsWith(literal, this.#position);
    if (isThere) this.#position += literal.length;
    return isThere;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text)?.[0];
    this.#position += found?.length ?? 0;
    return found;
  }

  #lineAt(offset: number): number {
    return this.#text.slice(0, offset).split("\n").length;
  }

  #duplicate(table: Table, name: string, offset: number): AgentxError<"INVALID_CONFIG"> {
    const line = this.#lineAt(this.#offsets.get(table)!.get(name)!);
    return this.#failure(`${quote(name)} is already defined on line ${line}`, offset);
  }

  #failure(why: string, offset: number = this.#position): AgentxError<"INVALID_CONFIG"> {
    return this.#refusal(this.#lineAt(offset), this.#key, why);
  }

  #refusal(line: number | null, name: string | null, why: string): AgentxError<"INVALID_CONFIG"> {
    const key = name && clip(name);
    const place = [line && `line ${line}`, key && `key ${quote(key)}`].filter(Boolean).join(", ");
    return new AgentxError("INVALID_CONFIG", `Cannot read "${this.#path}": ${place}: ${why}`, {
      details: { path: this.#path, line, key },
      next: "Correct the file; nothing was changed",
    });
  }
}
