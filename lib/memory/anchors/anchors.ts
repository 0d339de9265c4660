// Checks observations against the code: whether the lines that they name are as they were when captured. Nothing is
// run. Files are read through a `SourceTree`, which limits how many are read. Pure.

import type { Anchor, Observation } from "../schema.ts";
import {
  type FileBlock,
  findDefinition,
  fingerprint,
  isTelling,
  linesOf,
  split,
} from "./fingerprints.ts";
import { pathsIn, symbolsIn } from "./names.ts";

/** The files of a repository, as they are in the working tree. */
export interface SourceTree {
  /** The text of a file; null if there is none; undefined if it is unknown or unread. */
  read(path: string): string | null | undefined;
  /** The files that may define a symbol; the list ends when the budget for reading is used up. */
  sources(): Iterable<string>;
  /** The commit that is checked out; undefined if it is not known. */
  commit(): string | undefined;
}

/** Whether the code that an observation names still holds. */
export interface Standing {
  /** `unknown` if the observation names nothing, or nothing could be read. */
  state: "same" | "changed" | "gone" | "unknown";
  /** A line for each change. It has text of the repository, so it is not safe to print as it is. */
  changes: string[];
}

const MAX_ANCHORS = 4;

/** Number of fingerprints that stand for a whole file: its smallest ones. */
const SKETCH_LINES = 24;

/** A file counts as rewritten if less than this share of these fingerprints is left. */
const LEFT_SHARE = 0.5;

const WORD = /[A-Za-z_$][\w$]*/g;

/** Maximum length of a new line that is shown for a change. */
const MAX_SHOWN = 100;

/** Returns the places in the tree that each content names. */
export function anchorsOf(contents: readonly string[], tree: SourceTree): Anchor[][] {
  const named = contents.map((content) => inNamedFiles(content, tree));
  const wanted = new Set(named.flatMap(({ open }) => open));
  const found = wanted.size === 0 ? new Map<string, Anchor>() : definitions(wanted, tree);
  return named.map(({ anchors, files, open }) => {
    const elsewhere = open.flatMap((symbol) => found.get(symbol) ?? []);
    return [...anchors, ...elsewhere, ...files].slice(0, MAX_ANCHORS);
  });
}

/** Adds the places that new observations name, and the commit. */
export function withAnchors(
  observations: readonly Observation[],
  tree: SourceTree,
): Observation[] {
  const found = anchorsOf(observations.map(({ content }) => content), tree);
  const commit = found.some((anchors) => anchors.length > 0) ? tree.commit() : undefined;
  const place = commit === undefined ? {} : { commit };
  return observations.map((observation, index) =>
    found[index].length === 0 ? observation : { ...observation, ...place, anchors: found[index] }
  );
}

/** Returns the symbols defined in named files, the files named alone, and the remaining symbols. */
function inNamedFiles(content: string, tree: SourceTree) {
  const symbols = symbolsIn(content);
  const anchors: Anchor[] = [];
  const files: Anchor[] = [];
  for (const { path, line } of pathsIn(content)) {
    const text = tree.read(path);
    if (typeof text !== "string") continue;
    const lines = linesOf(text);
    const defined = symbols.flatMap((symbol) => anchorAt(path, lines, symbol) ?? []);
    if (line !== undefined && lines[line - 1]?.trim()) {
      anchors.push({ path, line, lines: fingerprint(lines[line - 1]) });
    } else if (defined.length === 0) files.push({ path, lines: sketch(lines) });
    anchors.push(...defined);
  }
  const known = new Set(anchors.map(({ symbol }) => symbol));
  return { anchors, files, open: symbols.filter((symbol) => !known.has(symbol)) };
}

/** Returns the valid anchors of an observation; files are untrusted. */
export function anchorsIn({ anchors }: Pick<Observation, "anchors">): Anchor[] {
  return Array.isArray(anchors) ? anchors.slice(0, MAX_ANCHORS).filter(isAnchor) : [];
}

/**
 * Compares the places that an observation names with the present tree.
 *
 * @returns `gone` if none of the places is left; `changed` if any of them differs
 */
export function anchorStanding(anchors: readonly Anchor[], tree: SourceTree): Standing {
  const each = anchors.map((anchor) => compare(anchor, tree));
  const known = each.filter(({ state }) => state !== "unknown");
  const changes = known.flatMap(({ changes }) => changes);
  if (known.length === 0) return { state: "unknown", changes };
  if (known.every(({ state }) => state === "gone")) return { state: "gone", changes };
  return { state: known.every(({ state }) => state === "same") ? "same" : "changed", changes };
}

function compare({ path, symbol, line, lines: then }: Anchor, tree: SourceTree): Standing {
  const text = tree.read(path);
  if (text === undefined) return { state: "unknown", changes: [] };
  if (text === null) return { state: "gone", changes: [`${path} is gone`] };
  const lines = linesOf(text);
  if (symbol === undefined) {
    const present = new Set(lines.map(fingerprint));
    const wanted = split(then);
    const left = wanted.filter((each) => present.has(each)).length;
    const isSame = line === undefined ? left >= wanted.length * LEFT_SHARE : left > 0;
    const what = line === undefined ? `most of ${path}` : `line ${line} of ${path}`;
    return isSame
      ? { state: "same", changes: [] }
      : { state: "changed", changes: [`${what} was rewritten`] };
  }
  const block = findDefinition(lines, symbol);
  if (block === undefined) {
    return { state: "gone", changes: [`${symbol} is no longer defined in ${path}`] };
  }
  const { added, removed, total } = difference(split(then), linesIn(lines, block));
  if (added.length + removed === 0) return { state: "same", changes: [] };
  const now = added.length === 0 ? "" : `; now: ${added[0].trim().slice(0, MAX_SHOWN)}`;
  const count = Math.max(added.length, removed);
  const change = `${symbol} in ${path}: ${count} of ${total} lines changed${now}`;
  return { state: "changed", changes: [change] };
}

function isAnchor(value: Partial<Anchor> | null): value is Anchor {
  const { path, symbol = "x", line = 1, lines } = value ?? {};
  return typeof path === "string" && /^[^\0]{1,1000}$/.test(path) && typeof lines === "string" &&
    typeof line === "number" &&
    typeof symbol === "string" && symbol.length > 0 && symbol.length <= MAX_SHOWN;
}

function anchorAt(path: string, lines: readonly string[], symbol: string): Anchor | undefined {
  const block = findDefinition(lines, symbol);
  if (block === undefined) return undefined;
  return { path, symbol, lines: linesIn(lines, block).map(fingerprint).join("") };
}

/** Finds the definition of each symbol that no named file defines, if the repository has exactly one definition. */
function definitions(symbols: ReadonlySet<string>, tree: SourceTree): Map<string, Anchor> {
  const found = new Map<string, Anchor | null>();
  for (const path of tree.sources()) {
    const text = tree.read(path);
    if (typeof text !== "string") continue;
    const words = new Set(Array.from(text.matchAll(WORD), ([word]) => word));
    const lines = linesOf(text);
    for (const symbol of symbols) {
      const anchor = words.has(symbol) ? anchorAt(path, lines, symbol) : undefined;
      if (anchor !== undefined) found.set(symbol, found.has(symbol) ? null : anchor);
    }
  }
  return new Map([...found].flatMap(([symbol, anchor]) => anchor ? [[symbol, anchor]] : []));
}

/** Compares two lists of fingerprints in any order: returns the added ones, and the number of the removed ones. */
function difference(then: readonly string[], now: readonly string[]) {
  const left = new Map<string, number>();
  for (const each of then) left.set(each, (left.get(each) ?? 0) + 1);
  const added = now.filter((line) => {
    const count = left.get(fingerprint(line)) ?? 0;
    if (count > 0) left.set(fingerprint(line), count - 1);
    return count === 0;
  });
  const removed = [...left.values()].reduce((sum, count) => sum + count, 0);
  return { added, removed, total: Math.max(then.length, now.length) };
}

/** Returns the lines of a block, except lines with brackets only. */
function linesIn(lines: readonly string[], { start, end }: FileBlock): string[] {
  return lines.slice(start, end).filter(isTelling);
}

function sketch(lines: readonly string[]): string {
  const telling = lines.filter((line) => line.trim().length >= 8).map(fingerprint);
  return [...new Set(telling)].sort().slice(0, SKETCH_LINES).join("");
}
