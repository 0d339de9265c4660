// The table of agentx in a TOML file, edited as text: comments and all other values stay as they are. Each edited text
// is parsed, and refused unless everything except the table is unchanged. Pure.
//
// The table is found by its name, not by the marker, because a host that rewrites its file drops comments.

import { stringify } from "@std/toml";
import { isObject, type JsonObject } from "../base/checks.ts";
import { hasCode } from "../base/errors.ts";
import { parseToml } from "../text/toml.ts";
import { isEqual } from "./is_equal.ts";
import type { PartFormat } from "./part.ts";
import { fileRefusal } from "./refusal.ts";

const MARKER = "# Written by agentx setup v1, which replaces this table";

export interface TomlTableOptions {
  /** The file, for messages. */
  path: string;
  /** The parent of the table, and its own name. */
  name: readonly [parent: string, table: string];
}

export function tomlTable(values: JsonObject, { path, name }: TomlTableOptions): PartFormat {
  const [parent, table] = name;
  const header = new RegExp(
    String
      .raw`^[ \t]*\[+[ \t]*${parent}[ \t]*\.[ \t]*(?:${table}|"${table}"|'${table}')[ \t]*[.\]]`,
  );
  const read = (text: string) => {
    const document = parseToml(text, path).value;
    const { [parent]: tables = {}, ...rest } = document;
    if (!isObject(tables)) throw fileRefusal(path, `"${parent}" is not a table`, { key: parent });
    const { [table]: ours, ...others } = tables;
    return { ours, foreign: { ...rest, [parent]: others } };
  };
  const holds = (text: string, ours: unknown, foreign: JsonObject): boolean => {
    try {
      const now = read(text);
      return isEqual(now.ours, ours) && isEqual(now.foreign, foreign);
    } catch (error) {
      if (hasCode(error, "INVALID_CONFIG")) return false;
      throw error;
    }
  };
  const checked = (before: string, after: string, ours: unknown): string => {
    if (holds(after, ours, read(before).foreign)) return after;
    throw fileRefusal(path, `"${parent}.${table}" is not written as a table of its own`, {
      line: parseToml(before, path).lineOf([parent, table]),
      key: `${parent}.${table}`,
    });
  };
  return {
    isWhole: false,
    presence(text) {
      const { ours } = read(text);
      return ours === undefined ? "absent" : isEqual(ours, values) ? "same" : "different";
    },
    insert(text) {
      const eol = text.includes("\r\n") ? "\r\n" : "\n";
      const written = stringify({ [parent]: { [table]: values } }).trim();
      const lines = [MARKER, ...written.split("\n"), ""].join(eol);
      const gap = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
      return checked(text, text + gap + lines, values);
    },
    withdraw: (text) => checked(text, withoutTable(text, header), undefined),
    found(text) {
      const { ours } = read(text);
      return isObject(ours) ? [{ at: name, value: ours }] : [];
    },
    isEmpty: (text) => text.trim() === "",
  };
}

/**
 * Removes the tables of agentx. Comments and empty lines right before the next header belong to that header and stay,
 * unless it is also one of agentx.
 */
function withoutTable(text: string, header: RegExp): string {
  const lines = text.split(/(?<=\n)/);
  const kept: string[] = [];
  const isEmpty = (line: string | undefined) => line?.trim() === "";
  let takenAt = Infinity;
  for (let at = 0; at < lines.length;) {
    if (!header.test(lines[at])) {
      kept.push(lines[at++]);
      continue;
    }
    if (kept.at(-1)?.trim() === MARKER) kept.pop();
    if (kept.slice(takenAt).every(isEmpty)) kept.length = Math.min(kept.length, takenAt);
    const next = lines.findIndex((line, index) => index > at && /^[ \t]*\[/.test(line));
    let end = next === -1 ? lines.length : next;
    while (end > at + 1 && /^[ \t]*(?:#.*)?\r?\n?$/.test(lines[end - 1])) end--;
    // Also removes the empty line that agentx inserted before the table.
    if ((end === lines.length || isEmpty(lines[end])) && isEmpty(kept.at(-1))) kept.pop();
    takenAt = kept.length;
    at = end;
  }
  return kept.join("");
}
