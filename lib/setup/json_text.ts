// Reads JSON text, with or without comments, and edits it at a path of keys and indexes. All other text stays as it is.
// Pure.

import {
  applyEdits,
  findNodeAtLocation,
  modify,
  type Node,
  type ParseError,
  parseTree,
} from "jsonc-parser";
import { isObject, type JsonObject } from "../base/checks.ts";
import { isEqual } from "./is_equal.ts";
import type { Presence } from "./part.ts";
import { fileRefusal } from "./refusal.ts";

/** An entry of agentx: a value under a key, a word in a list, or a handler in the list of an event. */
export type JsonEntry =
  | { at: readonly string[]; value: unknown }
  | WordEntry
  | {
    at: readonly string[];
    item: JsonObject;
    /** Whether a handler belongs to agentx, even if it was edited or comes from an older version. */
    isOurs(handler: JsonObject): boolean;
  };

interface WordEntry {
  at: readonly string[];
  word: string;
}

type Path = (string | number)[];
type KeyEntry = Extract<JsonEntry, { value: unknown }>;
type ItemEntry = Extract<JsonEntry, { item: JsonObject }>;

/** Parses a JSON object. Throws `INVALID_CONFIG` if the text is not one. */
export function readJson(text: string, path: string): JsonObject {
  return new JsonText(path).read(text);
}

export class JsonText {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  read(text: string): JsonObject {
    return valueOf(this.#root(text)) as JsonObject;
  }

  find(text: string, at: readonly (string | number)[]): Node | undefined {
    const root = this.#root(text);
    for (const [depth, key] of at.slice(0, -1).entries()) {
      const node = findNodeAtLocation(root, at.slice(0, depth + 1));
      if (node === undefined) return undefined;
      if (node.type !== "object") throw this.#wrongKind(text, node, String(key), "an object");
    }
    return findNodeAtLocation(root, [...at]);
  }

  /** Returns the value of an entry, or all its handlers. */
  found(text: string, entry: JsonEntry): JsonObject[] {
    if ("value" in entry) {
      const node = this.find(text, entry.at);
      return node === undefined ? [] : [valueOf(node)].filter(isObject);
    }
    if ("word" in entry) return [];
    return (this.#list(text, entry.at)?.children ?? []).map(valueOf).filter(isObject)
      .flatMap(handlersOf).filter((handler) => entry.isOurs(handler));
  }

  presenceOfKey(text: string, { at, value }: KeyEntry): Presence {
    const node = this.find(text, at);
    if (node === undefined) return "absent";
    return isEqual(valueOf(node), value) ? "same" : "different";
  }

  /** Returns the path of a word; undefined if it is not in the list. */
  findWord(text: string, { at, word }: WordEntry): Path | undefined {
    const index = this.#list(text, at)?.children?.findIndex((node) => node.value === word) ?? -1;
    return index === -1 ? undefined : [...at, index];
  }

  presenceOfItem(text: string, { at, item, isOurs }: ItemEntry): Presence {
    const ours = (this.#list(text, at)?.children ?? []).map(valueOf)
      .filter((each) => isObject(each) && handlersOf(each).some(isOurs));
    if (ours.length === 0) return "absent";
    return ours.length === 1 && isEqual(ours[0], item) ? "same" : "different";
  }

  /** Returns the path of the first handler of agentx, or of its group if the group holds no other handler. */
  findHandler(
    text: string,
    at: readonly string[],
    isOurs: (handler: JsonObject) => boolean,
  ): Path | undefined {
    const list = this.#list(text, at);
    for (const [index, node] of (list?.children ?? []).entries()) {
      const item = valueOf(node);
      if (!isObject(item)) continue;
      if (isOurs(item)) return [...at, index];
      if (!Array.isArray(item.hooks)) continue;
      const handler = item.hooks.findIndex((each) => isObject(each) && isOurs(each));
      if (handler === -1) continue;
      return item.hooks.length === 1 ? [...at, index] : [...at, index, "hooks", handler];
    }
    return undefined;
  }

  set(text: string, at: readonly (string | number)[], value: unknown): string {
    this.find(text, at); // throws if a key on the path is not an object
    return this.#edit(text, [...at], value);
  }

  append(text: string, at: readonly string[], item: unknown): string {
    const list = this.#list(text, at);
    if (list === undefined) return this.set(text, at, [item]);
    return this.#edit(text, [...at, list.children?.length ?? 0], item);
  }

  /** Removes a value, and each list and object that becomes empty. */
  remove(text: string, at: Path): string {
    let after = this.#cut(text, at);
    for (let length = at.length - 1; length > 0; length--) {
      const around = findNodeAtLocation(this.#root(after), at.slice(0, length));
      if (around === undefined || (around.children?.length ?? 1) > 0) break;
      if (hasComment(after.slice(around.offset, around.offset + around.length))) break;
      after = this.#cut(after, at.slice(0, length));
    }
    return after;
  }

  /** Cuts a value and its comma, but no comments, because they may be about the neighbors. */
  #cut(text: string, at: Path): string {
    const value = findNodeAtLocation(this.#root(text), at)!;
    const node = value.parent!.type === "property" ? value.parent! : value;
    const around = node.parent!;
    const index = around.children!.indexOf(node);
    const [start, end] = [node.offset, node.offset + node.length];
    const previous = around.children![index - 1];
    const next = around.children![index + 1];
    const from = previous === undefined ? around.offset + 1 : previous.offset + previous.length;
    const to = next === undefined ? around.offset + around.length - 1 : next.offset;
    const [before, after] = [text.slice(from, start), text.slice(end, to)];
    const head = text.slice(0, from);
    const tail = text.slice(to);
    if (previous !== undefined) {
      const gap = withoutComma(before);
      return head + (hasComment(gap) ? gap : gap.trimEnd()) + after + tail;
    }
    if (next !== undefined) {
      const rest = withoutComma(after);
      return head + before + (hasComment(rest) ? rest : "") + tail;
    }
    const rest = [before, withoutComma(after)].filter(hasComment);
    return head + rest.join("") + tail;
  }

  #list(text: string, at: readonly string[]): Node | undefined {
    const list = this.find(text, at);
    if (list === undefined || list.type === "array") return list;
    throw this.#wrongKind(text, list, String(at.at(-1)), "a list");
  }

  #edit(text: string, at: Path, value: unknown): string {
    return applyEdits(text, modify(text, at, value, { formattingOptions: styleOf(text) }));
  }

  #root(text: string): Node {
    const errors: ParseError[] = [];
    let root: Node | undefined;
    try {
      root = parseTree(text, errors, { allowTrailingComma: true });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw fileRefusal(this.#path, "it is nested too deeply");
    }
    if (errors.length > 0 || root === undefined) {
      const line = lineAt(text, errors[0]?.offset ?? 0);
      throw fileRefusal(this.#path, "it is not JSON", { line });
    }
    if (root.type !== "object") {
      throw fileRefusal(this.#path, "it is not a JSON object", { line: 1 });
    }
    this.#refuseDuplicates(text, root);
    return root;
  }

  /** Refuses duplicate keys. Parsers take the last of two equal keys, but an edit would change the first. */
  #refuseDuplicates(text: string, node: Node): void {
    const keys = new Set<string>();
    for (const { type, children = [] } of node.children ?? []) {
      if (type !== "property") continue;
      const [key, value] = children;
      if (keys.has(key.value)) {
        const line = lineAt(text, key.offset);
        throw fileRefusal(this.#path, "the key is a duplicate", { line, key: key.value });
      }
      keys.add(key.value);
      if (value?.type === "object") this.#refuseDuplicates(text, value);
    }
  }

  #wrongKind(text: string, { offset }: Node, key: string, kind: string) {
    return fileRefusal(this.#path, `"${key}" is not ${kind}`, { line: lineAt(text, offset), key });
  }
}

/** Returns the handlers in an item of a list: some hosts group them, others list them directly. */
function handlersOf(item: JsonObject): JsonObject[] {
  return [item, ...(Array.isArray(item.hooks) ? item.hooks.filter(isObject) : [])];
}

/** Returns the value of a node. Uses `fromEntries`, which makes even `__proto__` an own key. */
function valueOf(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(valueOf);
  if (node.type !== "object") return node.value;
  const entries = (node.children ?? []).map(({ children }) => [
    children![0].value,
    valueOf(children![1]),
  ]);
  return Object.fromEntries(entries);
}

/** Removes the comma between two values; leaves commas in comments. */
function withoutComma(gap: string): string {
  let isDone = false;
  return gap.replace(/\/\/[^\n]*|\/\*[^]*?\*\/|,/g, (found) => {
    if (found !== "," || isDone) return found;
    isDone = true;
    return "";
  });
}

/** Whether a text may contain a comment; a string that looks like one also counts. */
export function hasComment(text: string): boolean {
  return /\/[/*]/.test(text);
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** Returns the formatting style of the file. */
function styleOf(text: string) {
  const [, indent = "  "] = /\n([ \t]+)\S/.exec(text) ?? [];
  return {
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
  };
}
