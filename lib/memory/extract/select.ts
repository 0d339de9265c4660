/**
 * Chooses among candidates: each thing once, nothing that is remembered already, the most valuable.
 * Pure.
 *
 * @module
 */

import { MAX_PER_CAPTURE } from "../schema.ts";
import type { Candidate } from "./candidates.ts";

/** After this many different things, those that are worth less are not looked at. */
const MAX_DIFFERENT = 150;

/** What is worth less is left out even where there is room. */
const MIN_WEIGHT = 4;

/** Share of the words of one in another from which on they say the same. */
const SAME = 0.85;

/** Share of the common words in all words of both from which on they say the same. */
const ALIKE = 0.7;

/** Share of its runs of words in what was recalled from which on it was taken from there. */
const TAKEN = 0.7;

const RUN = 4;

/** So many of a message count in full; each further one counts less, so that all of a session is heard. */
const IN_FULL = 3;
const LESS_EACH = 0.6;
const LESS_AT_MOST = 4;

/** What is longer names no further file. */
const LONGEST_OF_FILES = 400;

interface Item {
  candidate: Candidate;
  /** Of the candidate, less where its message says much. */
  weight: number;
  order: number;
  /** Between single blanks. */
  words: string;
  set: ReadonlySet<string>;
}

/** What is chosen from. */
export interface SelectOptions {
  /** Recalled memory: what was taken from there is not remembered again. */
  recalled: readonly string[];
  /** How many may stay, at most 50. */
  limit: number;
}

/** Those that stay, in the order in which they were said. */
export function select(candidates: readonly Candidate[], options: SelectOptions): Candidate[] {
  const isTaken = takenFrom(options.recalled);
  const items = lastChecks(candidates).filter(({ weight }) => weight >= MIN_WEIGHT)
    .map((candidate, order): Item => {
      const words = wordsIn(candidate.text);
      const { weight } = candidate;
      return { candidate, weight, order, words: words.join(" "), set: new Set(words) };
    })
    .filter(({ words }) => words !== "" && !isTaken(words))
    .sort(heavierFirst);
  return withoutNamed(distinct(shared(items)))
    .slice(0, Math.min(options.limit, MAX_PER_CAPTURE))
    .sort((a, b) => a.order - b.order)
    .map(({ candidate }) => candidate);
}

/** Of the checks with the same command, the last one: the others are of a state that has passed. */
function lastChecks(candidates: readonly Candidate[]): Candidate[] {
  const last = new Map(candidates.map((candidate) => [candidate.check, candidate]));
  return candidates.filter((candidate) =>
    candidate.check === undefined || last.get(candidate.check) === candidate
  );
}

function heavierFirst(a: Item, b: Item): number {
  return b.weight - a.weight || a.order - b.order;
}

/** Lets a message that says much not silence the others. */
function shared(items: readonly Item[]): Item[] {
  const said = new Map<number, number>();
  return items.map((item) => {
    const rank = said.get(item.candidate.message) ?? 0;
    said.set(item.candidate.message, rank + 1);
    const less = Math.min(LESS_AT_MOST, Math.max(0, rank - IN_FULL) * LESS_EACH);
    return { ...item, weight: item.weight - less };
  }).sort(heavierFirst);
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Leaves out what another one says as well; of two that say the same, the longer one stays. */
function distinct(items: readonly Item[]): Item[] {
  const kept: Item[] = [];
  const seen = new Set<string>();
  for (const item of items) {
    if (kept.length >= MAX_DIFFERENT) break;
    if (seen.has(item.words)) continue;
    seen.add(item.words);
    const same = kept.findIndex((other) =>
      isSame(item, other) || isOtherFile(item.candidate, other.candidate)
    );
    if (same < 0) {
      kept.push(item);
    } else if (isOtherFile(item.candidate, kept[same].candidate)) {
      kept[same] = withFile(kept[same], item.candidate);
    } else if (item.words.length > kept[same].words.length) {
      const { weight } = kept[same].candidate;
      kept[same] = { ...item, candidate: { ...item.candidate, weight } };
    }
  }
  return kept;
}

function isOtherFile(a: Candidate, b: Candidate): boolean {
  if (a.path === undefined || b.path === undefined) return false;
  return !b.text.includes(a.path) && b.text.startsWith(a.text.slice(0, a.text.indexOf(a.path))) &&
    b.text.length + a.path.length < LONGEST_OF_FILES;
}

/** Lines that differ by the file alone are one: `File created at: a.ts; b.ts`. */
function withFile(item: Item, { path }: Candidate): Item {
  const text = `${item.candidate.text}; ${path}`;
  return { ...item, candidate: { ...item.candidate, text, file: undefined } };
}

/** That a file was changed is not worth telling beside a sentence that says how. */
function withoutNamed(items: readonly Item[]): Item[] {
  return items.filter(({ candidate: { file } }) =>
    file === undefined ||
    !items.some((other) => other.candidate.file !== file && other.candidate.text.includes(file))
  );
}

function isSame(a: Item, b: Item): boolean {
  const [small, large] = a.set.size < b.set.size ? [a, b] : [b, a];
  if (` ${large.words} `.includes(` ${small.words} `)) return true;
  if (small.set.size < 5) return false;
  let common = 0;
  for (const word of small.set) common += Number(large.set.has(word));
  return common >= small.set.size * SAME ||
    common >= (small.set.size + large.set.size - common) * ALIKE;
}

/** Tells whether some words were taken from one of the texts. */
function takenFrom(texts: readonly string[]): (words: string) => boolean {
  const lists = texts.map(wordsIn);
  const all = ` ${lists.map((words) => words.join(" ")).join(" ")} `;
  const known = new Set(lists.flatMap(runsIn));
  return (words) => {
    const runs = runsIn(words.split(" "));
    if (runs.length === 0) return all.includes(` ${words} `);
    return runs.filter((run) => known.has(run)).length >= runs.length * TAKEN;
  };
}

function runsIn(words: readonly string[]): string[] {
  return words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(" "));
}
