/**
 * Chooses the few statements of a session that are kept. Pure.
 *
 * @module
 */

import { type Claim, claimOf, relationOf } from "../last_word.ts";
import type { ObservationCategory } from "../schema.ts";

/** What is worth less is left out even where there is room. */
const MIN_WEIGHT = 5;

/** So many are compared with each other. */
const MOST_COMPARED = 150;

/** Share of its runs of words in what was recalled from which on it was taken from there. */
const TAKEN = 0.7;

const RUN = 4;

/** Of one message, so many count in full; each further one counts less, so that all are heard. */
const IN_FULL = 3;
const LESS_EACH = 0.5;

/** What is chosen from. */
export interface SelectOptions {
  /** Recalled memory: what was taken from there is not remembered again. */
  recalled: readonly string[];
  /** How many may stay. */
  limit: number;
}

/** What says that something named before is not there any more. */
const GONE =
  /\b(?:removed?|deleted?|dropped|reverted?|no longer|replaced|instead of|undone|undo)\b/i;

const NAME = /`([^`\n]{3,80})`/g;

/** Those that stay, in the order in which they were said: of several on one subject the last. */
export function select(candidates: readonly Candidate[], options: SelectOptions): Candidate[] {
  const isTaken = takenFrom(options.recalled);
  const own = candidates.filter(({ text }) => !isTaken(text));
  const heaviest = new Set(own.toSorted((a, b) => b.weight - a.weight).slice(0, MOST_COMPARED));
  const inOrder = own.filter((candidate) => heaviest.has(candidate))
    .toSorted((a, b) => a.message - b.message);
  const kept: { candidate: Candidate; claim: Claim }[] = [];
  for (const candidate of inOrder) {
    const claim = claimOf(candidate.text);
    let { weight } = candidate;
    for (let at = kept.length - 1; at >= 0; at--) {
      const relation = relationOf(claim, kept[at].claim);
      if (relation === "replaced") kept.splice(at, 1);
      else if (relation === "same") {
        weight = Math.max(weight, kept[at].candidate.weight);
        kept.splice(at, 1);
      }
    }
    kept.push({ candidate: { ...candidate, weight }, claim });
  }
  const standing = kept.map(({ candidate }) => candidate).filter((candidate, _, all) =>
    !isGone(candidate, all)
  );
  return shared(standing).filter(({ weight }) => weight >= MIN_WEIGHT)
    .toSorted((a, b) => b.weight - a.weight || b.candidate.message - a.candidate.message)
    .slice(0, options.limit)
    .map(({ candidate }) => candidate)
    .toSorted((a, b) => standing.indexOf(a) - standing.indexOf(b));
}

/** Whether a later message says that what this one made was taken away. */
function isGone({ text, category, message }: Candidate, all: readonly Candidate[]): boolean {
  if (category !== "code-change" || GONE.test(text)) return false;
  const names = Array.from(text.matchAll(NAME), ([, name]) => name);
  return names.length > 0 && all.some((other) =>
    other.message > message && GONE.test(other.text) &&
    names.some((name) =>
      new RegExp(`${GONE.source}[^.]{0,40}\`${escape(name)}\``, "i").test(other.text)
    )
  );
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** Lets a message that says much not silence the others. */
function shared(candidates: readonly Candidate[]): { candidate: Candidate; weight: number }[] {
  const said = new Map<number, number>();
  return candidates.toSorted((a, b) => b.weight - a.weight).map((candidate) => {
    const rank = said.get(candidate.message) ?? 0;
    said.set(candidate.message, rank + 1);
    const less = Math.max(0, rank - IN_FULL + 1) * LESS_EACH;
    return { candidate, weight: candidate.weight - less };
  });
}

/** Tells whether a text was taken from one of the others. */
function takenFrom(texts: readonly string[]): (text: string) => boolean {
  const lists = texts.map(wordsIn);
  const all = ` ${lists.map((words) => words.join(" ")).join(" ")} `;
  const known = new Set(lists.flatMap(runsIn));
  return (text) => {
    const words = wordsIn(text);
    const runs = runsIn(words);
    if (words.length === 0) return true;
    if (runs.length === 0) return all.includes(` ${words.join(" ")} `);
    return runs.filter((run) => known.has(run)).length >= runs.length * TAKEN;
  };
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function runsIn(words: readonly string[]): string[] {
  return words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(" "));
}

/** One or two sentences that stand alone, and what they are worth. */
export interface Candidate {
  /** Redacted; white space is single. */
  text: string;
  category: ObservationCategory;
  /** The more, the rather it is kept. */
  weight: number;
  /** Which message it comes from, from 0. */
  message: number;
}
