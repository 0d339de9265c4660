/**
 * Chooses among candidates: each thing once, nothing that is remembered already, the most valuable.
 * Pure.
 *
 * @module
 */

import { MAX_PER_CAPTURE } from "../schema.ts";
import type { Candidate } from "./candidate.ts";

/** Once so many different things were found, those that are worth less are not looked at. */
const MAX_DIFFERENT = 150;

/** What is worth less is left out even where there is room. */
const MIN_WEIGHT = 4;

/** Of the words of one in another, from which on they say the same. */
const SAME = 0.85;

/** Of the runs of words of one in what was recalled, from which on it was taken from there. */
const TAKEN = 0.7;

const RUN = 4;

const WORD = /[\p{L}\p{N}]+/gu;

interface Item {
  candidate: Candidate;
  order: number;
  words: string;
}

interface Kept extends Item {
  set: Set<string>;
}

/** Options of {@linkcode select}. */
export interface SelectOptions {
  /** Recalled memory: what was taken from there is not remembered again. */
  recalled: readonly string[];
  /** How many may stay, at most 50. */
  limit: number;
}

/**
 * @param candidates in the order in which they were said
 * @param options what is remembered already, and how many may stay
 * @returns those that stay, in the same order
 */
export function select(candidates: readonly Candidate[], options: SelectOptions): Candidate[] {
  const remembered = memoryOf(options.recalled);
  const items = candidates.filter(({ weight }) => weight >= MIN_WEIGHT).map(itemOf).filter((
    { words },
  ) => words !== "" && !isTaken(words, remembered));
  items.sort((a, b) => b.candidate.weight - a.candidate.weight || a.order - b.order);
  return withoutNamed(distinct(items))
    .slice(0, Math.min(options.limit, MAX_PER_CAPTURE))
    .sort((a, b) => a.order - b.order)
    .map(({ candidate }) => candidate);
}

function itemOf(candidate: Candidate, order: number): Item {
  const words = candidate.text.toLowerCase().match(WORD) ?? [];
  return { candidate, order, words: words.join(" ") };
}

/** Leaves out what another one says as well; of two that say the same, the longer one stays. */
function distinct(items: Item[]): Kept[] {
  const kept: Kept[] = [];
  const seen = new Set<string>();
  for (const item of items) {
    if (kept.length >= MAX_DIFFERENT) break;
    if (seen.size === seen.add(item.words).size) continue;
    const next = { ...item, set: new Set(item.words.split(" ")) };
    const same = kept.findIndex((other) => isSame(next, other));
    if (same < 0) {
      kept.push(next);
    } else if (next.words.length > kept[same].words.length) {
      const { category, weight } = kept[same].candidate;
      kept[same] = { ...next, candidate: { ...next.candidate, category, weight } };
    }
  }
  return kept;
}

/** That a file was changed is not worth telling beside a sentence that says how. */
function withoutNamed(items: Kept[]): Kept[] {
  return items.filter(({ candidate: { file } }) =>
    file === undefined ||
    !items.some((other) => other.candidate.file !== file && other.candidate.text.includes(file))
  );
}

function isSame(a: Kept, b: Kept): boolean {
  const [small, large] = a.set.size < b.set.size ? [a, b] : [b, a];
  if (` ${large.words} `.includes(` ${small.words} `)) return true;
  if (small.set.size < 5) return false;
  let common = 0;
  for (const word of small.set) common += Number(large.set.has(word));
  return common >= small.set.size * SAME;
}

interface Memory {
  words: string;
  runs: Set<string>;
}

function memoryOf(texts: readonly string[]): Memory {
  const lists = texts.map((text) => text.toLowerCase().match(WORD) ?? []);
  return {
    words: ` ${lists.map((words) => words.join(" ")).join(" ")} `,
    runs: new Set(lists.flatMap(runsIn)),
  };
}

function isTaken(words: string, remembered: Memory): boolean {
  const runs = runsIn(words.split(" "));
  if (runs.length === 0) return remembered.words.includes(` ${words} `);
  return runs.filter((run) => remembered.runs.has(run)).length >= runs.length * TAKEN;
}

function runsIn(words: readonly string[]): string[] {
  const runs: string[] = [];
  for (let at = 0; at + RUN <= words.length; at++) runs.push(words.slice(at, at + RUN).join(" "));
  return runs;
}
