/**
 * JSON with a line for each record, so that two branches that both wrote can be merged by lines: with
 * git's `merge=union`, or by a web page that knows no driver at all. Then both sides' lines are
 * there, some of them twice, and the commas are those of either side; that is read here too. Pure.
 *
 * @module
 */

import { isObject, tryParseJson } from "./checks.ts";
import { encodeJson } from "./text/text.ts";

/** What the lines of a file say. */
export interface MergedLines {
  /** Each key with the values that stand for it, in the order of their lines. */
  values: Map<string, unknown[]>;
  /** The elements of each list, in the order of their lines. */
  lists: Map<string, unknown[]>;
  /** Whether it contains unresolved conflict markers. */
  hasConflict: boolean;
}

/** What a version control system leaves where two changes met. */
const MARK = /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/;

/** With three-way marks, what stood there before either change. */
const BASE_BEGINS = /^\|{7}/;
const BASE_ENDS = /^={7}/;

/** A key of the file itself, in the form in which we write it. */
const KEY = /^ {2}"/gm;

/** Brackets on their own. */
const STRUCTURE = /^[[\]{}]{0,2},?$/;

/** The beginning of a list whose elements follow, or a list that has none. */
const LIST = /^"([^"\\]+)": \[(?:\],?)?$/;

/**
 * Encodes a file with each key and each element of some lists on a line of its own.
 *
 * @param file what to write; keys that are undefined are left out
 * @param lists the keys whose elements get lines
 * @param together keys that share a line, so that both branches' lines are whole where they conflict
 * @returns the text
 */
export function encodeLines(
  file: object,
  lists: readonly string[],
  together: readonly string[] = [],
): string {
  const keys = Object.entries(file).filter(([, value]) => value !== undefined);
  const pair = ([key, value]: [string, unknown]) => `${encodeJson(key)}: ${encodeJson(value)}`;
  const shared = keys.filter(([key]) => together.includes(key));
  const lines = keys.flatMap(([key, value]) => {
    if (together.includes(key)) {
      return key === shared[0][0] ? `  ${shared.map(pair).join(", ")}` : [];
    }
    if (!lists.includes(key) || !Array.isArray(value) || value.length === 0) {
      return `  ${pair([key, value])}`;
    }
    const elements = value.map((element) => `    ${encodeJson(element)}`);
    return `  ${encodeJson(key)}: [\n${elements.join(",\n")}\n  ]`;
  });
  return `{\n${lines.join(",\n")}\n}\n`;
}

/**
 * Tells whether a file that parses may still be the work of a merge: a key stands there twice.
 *
 * @param text what is in the file
 * @param file what it parses to
 */
export function hasRepeatedKey(text: string, file: object): boolean {
  return (text.match(KEY)?.length ?? 0) > Object.keys(file).length;
}

/**
 * Reads what {@linkcode encodeLines} wrote, in whatever order and with whatever commas.
 *
 * @param text what is in the file
 * @param listOf the list that an element belongs to, which need not be the one that began last: a
 *   merge may put the lines of one branch behind those of the other
 * @returns what its lines say; undefined if one of them cannot be read, or the end is missing
 */
export function readMergedLines(
  text: string,
  listOf: (element: unknown, lastList: string) => string,
): MergedLines | undefined {
  if (!/\n\}\s*$/.test(text)) return undefined;
  const merged: MergedLines = { values: new Map(), lists: new Map(), hasConflict: false };
  let list = "";
  let isBase = false;
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (MARK.test(line)) {
      merged.hasConflict = true;
      isBase = BASE_BEGINS.test(line) || isBase && !BASE_ENDS.test(line);
      continue;
    }
    if (isBase || STRUCTURE.test(line)) continue;
    const [, begun] = LIST.exec(line) ?? [];
    if (begun !== undefined) {
      list = begun;
      push(merged.lists, list);
      continue;
    }
    const bare = line.replace(/,$/, "");
    const element = tryParseJson(bare);
    if (element !== undefined) {
      push(merged.lists, listOf(element, list), element);
      continue;
    }
    const header = tryParseJson(`{${bare}}`);
    if (!isObject(header)) return undefined;
    for (const [key, value] of Object.entries(header)) push(merged.values, key, value);
  }
  return merged;
}

/**
 * Makes one value of all that stand for the same key, whichever branch comes first: lists are
 * united; of everything else the greatest counts, which of times is the latest.
 *
 * @param lines what the lines of a file say
 * @returns the file
 */
export function mergeLines({ values, lists }: MergedLines): Record<string, unknown> {
  const merged = Array.from(values, ([key, all]) => {
    const elements = lists.get(key);
    if (elements === undefined) return [key, mergeValues(all)];
    return [key, unite([...elements, ...all.flat()])];
  });
  const rest = Array.from(lists).filter(([key]) => !values.has(key));
  return Object.fromEntries([...merged, ...rest.map(([key, all]) => [key, unite(all)])]);
}

function mergeValues(values: readonly unknown[]): unknown {
  if (values.length === 1) return values[0];
  if (values.every((value) => Array.isArray(value))) return unite(values.flat());
  return values.toSorted(compare).at(-1);
}

/** Each value once, in an order that does not depend on that of the lines. */
function unite(values: readonly unknown[]): unknown[] {
  const united = new Map(values.map((each) => [JSON.stringify(each), each]));
  return [...united.values()].sort(compare);
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [textA, textB] = [JSON.stringify(a), JSON.stringify(b)];
  return textA < textB ? -1 : textA > textB ? 1 : 0;
}

function push(map: Map<string, unknown[]>, key: string, ...values: unknown[]): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, values);
  else list.push(...values);
}
