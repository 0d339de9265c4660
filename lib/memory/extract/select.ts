// Chooses the few statements of a session that are kept. Pure.

import { claimOf, type ComparedStatement, relationOf } from "../last_word.ts";
import type { Observation, ObservationCategory } from "../schema.ts";

/** Maximum number of candidates to compare with each other. */
const MOST_COMPARED = 150;

/** A candidate counts as taken from recalled memory if this share of its word runs is found there. */
const TAKEN = 0.7;

const RUN = 4;

const CAUSE = /\broot cause\b|\bthe cause\b/i;

/** The texts that a selection compares with. */
export interface SelectOptions {
  /** Recalled memory; a candidate taken from there is dropped. */
  recalled: readonly string[];
  /** Maximum number of candidates to keep. */
  limit: number;
}

/** Returns the chosen candidates in their order in the session; if several are about one subject, the last. */
export function select(candidates: readonly Candidate[], options: SelectOptions): Candidate[] {
  const isTaken = takenFrom(options.recalled);
  const own = candidates.filter(({ text }) => !isTaken(text));
  const heaviest = new Set(own.toSorted((a, b) => b.weight - a.weight).slice(0, MOST_COMPARED));
  const inOrder = own.filter((candidate) => heaviest.has(candidate))
    .toSorted((a, b) => a.message - b.message);
  let kept: Kept[] = [];
  for (const candidate of inOrder) {
    const claim = claimOf(candidate.text);
    // A report says many things, and is compared as a whole below.
    const known = isReport(candidate) ? [] : kept.filter((one) => !isReport(one.candidate))
      .map((one) => ({ one, relation: relationOf(claim, one.claim) }));
    const isKnown = known.some(({ one, relation }) =>
      relation === "same" && one.candidate.weight > candidate.weight
    );
    if (isKnown) continue;
    const said = known.filter(({ relation }) => relation === "same" || relation === "replaced");
    kept = kept.filter((one) => !said.some((each) => each.one === one));
    kept.push({ candidate, claim });
  }
  const standing = kept.filter((one, at) => !isOvertaken(one, kept.slice(at + 1)))
    .map(({ candidate }) => candidate);
  return standing.toSorted((a, b) => b.weight - a.weight || b.message - a.message)
    .slice(0, options.limit)
    .toSorted((a, b) => standing.indexOf(a) - standing.indexOf(b));
}

interface Kept {
  candidate: Candidate;
  claim: ComparedStatement;
}

/** Whether a later report covers all that this report names, or gives another cause for the same thing. */
function isOvertaken({ candidate, claim }: Kept, later: readonly Kept[]): boolean {
  const { names } = claim;
  return isReport(candidate) && names.size > 0 && later.some((other) => {
    const again = [...names].filter((name) => other.claim.names.has(name)).length;
    const isCause = CAUSE.test(candidate.text) && CAUSE.test(other.candidate.text);
    return isReport(other.candidate) && again >= (isCause ? 1 : names.size);
  });
}

function isReport({ source }: Candidate): boolean {
  return source === "report";
}

/** Returns a function that tells whether a text was taken from one of the given texts. */
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

/** A statement or report that may be kept, and its worth. */
export interface Candidate {
  /** Redacted text, with single spaces. */
  text: string;
  category: ObservationCategory;
  source?: Observation["source"];
  /** Candidates with more weight are kept first. */
  weight: number;
  /** Index of the message that it comes from. */
  message: number;
}
