// Chooses the few statements of a session that are kept. Pure.

import { type Claim, claimOf, relationOf } from "../last_word.ts";
import type { ObservationCategory } from "../schema.ts";
import { namesIn } from "./kind.ts";

/** Statements worth less are left out even if there is room. */
const MIN_WEIGHT = 5;

/** At most this many are compared with each other. */
const MOST_COMPARED = 150;

/** Share of its runs of words in what was recalled from which on it was taken from there. */
const TAKEN = 0.7;

const RUN = 4;

/** What is chosen from. */
export interface SelectOptions {
  /** Recalled memory: what was taken from there is not remembered again. */
  recalled: readonly string[];
  /** How many may stay. */
  limit: number;
}

/** Those that stay, in the order in which they were said: of several on one subject the last. */
export function select(candidates: readonly Candidate[], options: SelectOptions): Candidate[] {
  const isTaken = takenFrom(options.recalled);
  const own = candidates.filter(({ text }) => !isTaken(text));
  const heaviest = new Set(own.toSorted((a, b) => b.weight - a.weight).slice(0, MOST_COMPARED));
  const inOrder = own.filter((candidate) => heaviest.has(candidate))
    .toSorted((a, b) => a.message - b.message);
  let kept: { candidate: Candidate; claim: Claim }[] = [];
  for (const candidate of inOrder) {
    const claim = claimOf(candidate.text);
    const known = kept.map((one) => ({ one, relation: relationOf(claim, one.claim) }));
    const isKnown = known.some(({ one, relation }) =>
      relation === "same" && one.candidate.weight > candidate.weight
    );
    if (isKnown) continue;
    const said = known.filter(({ relation }) => relation === "same" || relation === "replaced");
    kept = kept.filter((one) => !said.some((each) => each.one === one));
    kept.push({ candidate, claim });
  }
  const standing = kept.map(({ candidate }) => candidate).filter((candidate, _, all) =>
    !isCovered(candidate, all)
  );
  return standing.filter(({ weight }) => weight >= MIN_WEIGHT)
    .toSorted((a, b) => b.weight - a.weight || b.message - a.message)
    .slice(0, options.limit)
    .toSorted((a, b) => standing.indexOf(a) - standing.indexOf(b));
}

/** Whether another statement of the same message names the same things and more. */
function isCovered({ text, message }: Candidate, others: readonly Candidate[]): boolean {
  const names = namesIn(text);
  return names.length > 1 &&
    others.some((other) =>
      other.message === message && namesIn(other.text).length > names.length &&
      names.every((name) => other.text.includes(name))
    );
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
