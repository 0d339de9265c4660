// The entries of agentx in a JSON file, with or without comments. Each entry is inserted and removed by editing the
// text, so comments, order and all other values stay as they are. Each edited text is parsed, and refused unless the
// other values are unchanged. Pure.

import { isObject, type JsonObject } from "../base/checks.ts";
import { isEqual } from "./is_equal.ts";
import { hasComment, type JsonEntry, JsonText } from "./json_text.ts";
import type { PartFormat } from "./part.ts";
import { fileRefusal } from "./refusal.ts";

export interface JsonEntriesOptions {
  /** The file, for messages. */
  path: string;
  /** Other keys to write, for a file that only agentx writes. */
  base?: JsonObject;
}

export function jsonEntries(
  entries: readonly JsonEntry[],
  { path, base = {} }: JsonEntriesOptions,
): PartFormat {
  const file = new JsonText(path);
  const insert = (text: string): string => {
    let after = text.trim() === "" ? "{}\n" : text;
    for (const [key, value] of Object.entries(base)) {
      if (file.find(after, [key]) === undefined) after = file.set(after, [key], value);
    }
    for (const entry of entries) {
      if ("value" in entry) after = file.set(after, entry.at, entry.value);
      else if ("word" in entry) {
        if (file.findWord(after, entry) === undefined) {
          after = file.append(after, entry.at, entry.word);
        }
      } else after = file.append(after, entry.at, entry.item);
    }
    return after;
  };
  const withdraw = (text: string): string => {
    let after = text;
    for (const entry of entries) {
      const ours = () =>
        "value" in entry
          ? file.find(after, entry.at) && [...entry.at]
          : "word" in entry
          ? file.findWord(after, entry)
          : file.findHandler(after, entry.at, entry.isOurs);
      for (let at = ours(); at !== undefined; at = ours()) after = file.remove(after, at);
    }
    return after;
  };
  const foreignIn = (text: string) => {
    const foreign = { ...base, ...file.read(withdraw(text)) };
    for (const { at } of entries) dropEmpty(foreign, at);
    return foreign;
  };
  return {
    isWhole: false,
    presence(text) {
      if (text.trim() === "") return "absent";
      const stand = entries.map((entry) => {
        if ("value" in entry) return file.presenceOfKey(text, entry);
        if (!("word" in entry)) return file.presenceOfItem(text, entry);
        return file.findWord(text, entry) === undefined ? "absent" : "same";
      });
      return stand.every((each) => each === stand[0]) ? stand[0] : "different";
    },
    insert(text) {
      const after = insert(text);
      if (isEqual(foreignIn(text.trim() === "" ? "{}" : text), foreignIn(after))) return after;
      throw fileRefusal(path, "the edit would change entries that are not those of agentx");
    },
    withdraw: (text) => text.trim() === "" ? text : withdraw(text),
    found(text) {
      if (text.trim() === "") return [];
      return entries.flatMap((entry) =>
        file.found(text, entry).map((value) => ({ at: entry.at, value }))
      );
    },
    isEmpty(text) {
      if (text.trim() === "") return true;
      const value = file.read(text);
      return !hasComment(text) && (isEqual(value, {}) || isEqual(value, base));
    },
  };
}

/** Removes containers that held only entries of agentx, so they do not count as foreign values. */
function dropEmpty(value: JsonObject, [key, ...rest]: readonly string[]): void {
  if (!Object.hasOwn(value, key)) return;
  const inner = value[key];
  if (isObject(inner) && rest.length > 0) dropEmpty(inner, rest);
  const isEmpty = Array.isArray(inner) ? inner.length === 0 : isEqual(inner, {});
  if (isEmpty) delete value[key];
}
