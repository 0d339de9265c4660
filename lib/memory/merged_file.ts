/**
 * Reading a memory file that a merge put together line by line, with git's `merge=union` or by a
 * web page that knows no driver at all: both sides' lines are there, some of them twice, and the
 * commas are those of either side. Pure.
 *
 * @module
 */

import { isObject } from "../json_schema.ts";

/** What the lines of a file say. */
export interface MergedLines {
  /** The file, each key once. */
  file: Record<string, unknown>;
  /** Whether the marks of a conflict that nobody has resolved stand in it. */
  hasConflict: boolean;
}

/** What a version control system leaves where two changes met. */
const MARK = /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/;

/** With three-way marks, what stood there before either change. */
const BASE_BEGINS = /^\|{7}/;
const BASE_ENDS = /^={7}/;

/** A line of the file itself, in the form in which we write it. */
const HEADER = /^ {2}"/gm;

/**
 * Tells whether a file that parses may still be the work of a merge: a key stands there twice.
 *
 * @param text what is in the file
 * @param file what it parses to
 */
export function hasRepeatedKey(text: string, file: object): boolean {
  return (text.match(HEADER)?.length ?? 0) > Object.keys(file).length;
}

/**
 * Reads a file in which every element of a list has a line of its own, as do the keys beside it.
 *
 * @param text what is in the file
 * @param list the key that holds the list
 * @returns what its lines say, in whatever order and with whatever commas; undefined if one of them
 *   cannot be read
 */
export function readMergedLines(text: string, list: string): MergedLines | undefined {
  const values = new Map<string, unknown[]>();
  const elements: unknown[] = [];
  let hasConflict = false;
  let isBase = false;
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (MARK.test(line)) {
      hasConflict = true;
      isBase = BASE_BEGINS.test(line) || isBase && !BASE_ENDS.test(line);
      continue;
    }
    if (isBase || isStructure(line, list)) continue;
    const value = parseLine(line);
    if (value === undefined) return undefined;
    if (line.startsWith("{")) elements.push(value);
    else for (const [key, each] of Object.entries(value)) push(values, key, each);
  }
  const header = Array.from(values, ([key, all]) => [key, mergeValues(all)] as const);
  return { file: { ...Object.fromEntries(header), [list]: elements }, hasConflict };
}

/** Brackets and the beginning of the list, which say nothing. */
function isStructure(line: string, list: string): boolean {
  return /^[[\]{}]{0,2},?$/.test(line) || line === `"${list}": [` ||
    line.replace(/,$/, "") === `"${list}": []`;
}

function parseLine(line: string): object | undefined {
  const bare = line.replace(/,$/, "");
  try {
    const value: unknown = JSON.parse(bare.startsWith('"') ? `{${bare}}` : bare);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // the caller names the file
  }
}

/** Lists are united; of everything else the greatest counts, which of times is the latest. */
function mergeValues(values: readonly unknown[]): unknown {
  if (values.length === 1) return values[0];
  if (values.every(Array.isArray)) {
    const united = new Map(values.flat().map((each) => [JSON.stringify(each), each]));
    return [...united.values()].sort((a, b) => compare(a, b));
  }
  return values.toSorted(compare).at(-1);
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [textA, textB] = [JSON.stringify(a), JSON.stringify(b)];
  return textA < textB ? -1 : textA > textB ? 1 : 0;
}

function push(values: Map<string, unknown[]>, key: string, value: unknown): void {
  const list = values.get(key);
  if (list === undefined) values.set(key, [value]);
  else list.push(value);
}
