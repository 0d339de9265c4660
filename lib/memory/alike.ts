/**
 * Puts together texts that are about the same. Pure and deterministic.
 *
 * What two texts are about is told by the rare words that they have in common. Only the latest groups that
 * wait for another text are compared with it, so that the time grows with the number of texts.
 *
 * @module
 */

import { wordsOf } from "../text/similarity.ts";

/** So many of its rarest words tell what a text is about. */
const MAX_TELLING = 40;

/** Texts that have less in common are strangers; a word that nothing else has would count 1. */
const LEAST_COMMON = 0.08;

/** A short text has few words; that they are in common says more of a longer one. */
const SHORT_WORDS = 10;

const MAX_WAITING = 200;

/** Numbers of texts, with what the first of them is about. */
interface Group {
  members: number[];
  telling: readonly string[];
}

/**
 * @param texts in the order in which they look for company
 * @param hasRoom whether a group, as numbers of texts, has room for another one
 * @returns the numbers of all texts in groups, also of those that are alone
 */
export function groupsAlike(
  texts: readonly string[],
  hasRoom: (group: readonly number[], next: number) => boolean,
): number[][] {
  const words = texts.map(wordsOf);
  const counts = new Map<string, number>();
  for (const each of words) for (const word of each) counts.set(word, (counts.get(word) ?? 0) + 1);
  const byRarity = (a: string, b: string) => counts.get(a)! - counts.get(b)! || (a < b ? -1 : 1);
  const groups: Group[] = [];
  const rarest = Math.log(texts.length);
  const waiting = new Waiting((word) => (Math.log(texts.length / counts.get(word)!) / rarest) ** 2);
  for (const [index, each] of words.entries()) {
    const telling = [...each].filter((word) => counts.get(word)! > 1).sort(byRarity)
      .slice(0, MAX_TELLING);
    const least = LEAST_COMMON * Math.sqrt(each.size + SHORT_WORDS);
    const best = waiting.like(telling, least, ({ members }) => hasRoom(members, index));
    if (best !== undefined) {
      best.members.push(index);
      continue;
    }
    const group = { members: [index], telling };
    groups.push(group);
    waiting.add(group);
  }
  return groups.map(({ members }) => members);
}

/** The latest groups, by what they are about. */
class Waiting {
  readonly #weightOf: (word: string) => number;
  readonly #groups: Group[] = [];
  readonly #byWord = new Map<string, Set<Group>>();

  constructor(weightOf: (word: string) => number) {
    this.#weightOf = weightOf;
  }

  /** The group that fits and has most in common with these words, if it has enough. */
  like(
    words: readonly string[],
    least: number,
    fits: (group: Group) => boolean,
  ): Group | undefined {
    const common = new Map<Group, number>();
    for (const word of words) {
      const weight = this.#weightOf(word);
      for (const group of this.#byWord.get(word) ?? []) {
        common.set(group, (common.get(group) ?? 0) + weight);
      }
    }
    let best: Group | undefined;
    let most = least;
    for (const [group, weight] of common) {
      if (weight > most && fits(group)) [best, most] = [group, weight];
    }
    return best;
  }

  add(group: Group): void {
    this.#groups.push(group);
    for (const word of group.telling) {
      const others = this.#byWord.get(word);
      if (others === undefined) this.#byWord.set(word, new Set([group]));
      else others.add(group);
    }
    if (this.#groups.length <= MAX_WAITING) return;
    const oldest = this.#groups.shift()!;
    for (const word of oldest.telling) this.#byWord.get(word)!.delete(oldest);
  }
}
