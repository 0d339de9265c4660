/**
 * Pairs of observations of which both cannot be true: they say the same of the same thing but for a
 * value. Found by their words, so that what is said in other words is not found. Pure.
 *
 * @module
 */

import type { Observation } from "../schema.ts";
import { byTime } from "../schema.ts";

/** Two observations that differ in a value. */
export interface Contradiction {
  /** The id of the younger one, which holds unless somebody says otherwise. */
  younger: string;
  /** The id of the older one. */
  older: string;
}

/** Fewer words in common do not make one subject; of them, so many that say something. */
const MIN_SHARED = 3;
const MIN_TELLING = 2;

/** A word of more observations tells nothing, and would make this slow. */
const MAX_SHARING = 200;

/** Longer ones say more than one thing. */
const MAX_WORDS = 40;

const STOP_WORDS = new Set(
  "a an and are as at be by for from has have in into is it its now of on or so than that the then there this to uses use used was were will with we"
    .split(" "),
);

const NEGATION = /^(?:not|no|never|cannot|without|off|false|disabled)$|n't$/;
const AFFIRMATION = /^(?:always|on|true|enabled)$/;

/** A number with its unit, a name in code, or a name of a product. */
const VALUE = /^(?:[$#]?\d[\w.,:%/-]*|[\w.-]*[A-Z_.][\w.-]*|[\w-]+=[\w.-]+)$/;

/**
 * @param observations that hold, of any issues
 * @returns the pairs, each once
 */
export function contradictionsIn(observations: readonly Observation[]): Contradiction[] {
  const claims = observations.toSorted(byTime).map(({ id, content }) => ({
    id,
    words: wordsOf(content),
  })).filter(({ words }) => words.length > MIN_SHARED && words.length <= MAX_WORDS);
  const byWord = new Map<string, number[]>();
  const found = new Map<string, Contradiction>();
  claims.forEach(({ id, words }, index) => {
    const shared = new Map<number, number>();
    for (const word of new Set(words.map(fold).filter(isTelling))) {
      const earlier = byWord.get(word) ?? [];
      if (earlier.length >= MAX_SHARING) continue;
      for (const other of earlier) shared.set(other, (shared.get(other) ?? 0) + 1);
      byWord.set(word, [...earlier, index]);
    }
    for (const [other, count] of shared) {
      if (count >= MIN_TELLING && differInValue(claims[other].words, words)) {
        found.set(`${claims[other].id} ${id}`, { younger: id, older: claims[other].id });
      }
    }
  });
  return [...found.values()];
}

/** In the same order the same words, but for a value in the same place, or a "not". */
function differInValue(older: readonly string[], younger: readonly string[]): boolean {
  const start = sharedRun(older, younger);
  const end = sharedRun(older.slice(start).reverse(), younger.slice(start).reverse());
  const shared = [...older.slice(0, start), ...older.slice(older.length - end)];
  if (shared.length < MIN_SHARED || shared.filter(isTelling).length < MIN_TELLING) return false;
  const [was, is] = [older, younger].map((words) => words.slice(start, words.length - end));
  if (was.length > 2 || is.length > 2) return false;
  if (was.length === 0 || is.length === 0) {
    const turn = [...was, ...is];
    return turn.length === 1 && NEGATION.test(fold(turn[0]));
  }
  const changes = [...was, ...is].map(fold);
  const isTurned = changes.some((word) => NEGATION.test(word)) &&
    changes.some((word) => AFFIRMATION.test(word));
  return isTurned || was.some(isValue) && is.some(isValue);
}

function sharedRun(one: readonly string[], other: readonly string[]): number {
  let length = 0;
  while (
    length < one.length && length < other.length && fold(one[length]) === fold(other[length])
  ) {
    length++;
  }
  return length;
}

function isValue(word: string): boolean {
  return VALUE.test(word);
}

function isTelling(word: string): boolean {
  return !STOP_WORDS.has(fold(word));
}

function fold(word: string): string {
  return word.toLowerCase();
}

function wordsOf(content: string): string[] {
  return content.split(/[\s"'`()[\]{}<>;]+/)
    .map((word) => word.replace(/^[.,:!?*-]+|[.,:!?*-]+$/g, ""))
    .filter((word) => word !== "");
}
