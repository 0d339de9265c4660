/**
 * How well observations answer a question: BM25+ over their terms, with what the neighbours of the
 * same session say counted a little, and who and when the question names counted too. Among equals
 * the newest comes first. Pure.
 *
 * @module
 */

import type { Matcher } from "./filters.ts";
import type { IndexView } from "./index_view.ts";
import type { Postings } from "./records.ts";

/** What is asked. */
export interface Question {
  /** Each with the documents that have it, and how many times as much as others it counts. */
  terms: ReadonlyArray<{ postings: Postings; boost: number }>;
  /** Whose observations count more. */
  agents?: ReadonlySet<string>;
  /** How many times as much an observation of some time counts, in milliseconds since the epoch. */
  timeWeight?: (timeMs: number) => number;
  /** Whether it is asked in a sentence; otherwise the words are those that are looked for. */
  isSentence?: boolean;
  /** Whether it is about somebody or something that nothing names. */
  namesUnknown?: boolean;
  /** What fits, however little it tells; if undefined, anything that tells more than noise. */
  fitting?: ReadonlySet<number>;
  /** Which of those that fit are looked for. */
  matches?: Matcher;
}

/** A document and its score. */
export interface Ranked {
  document: number;
  score: number;
}

const K1 = 1.2;
const DELTA = 0.3;

/**
 * A question is mostly asked of what was said, words of what was written: of talk, the next turn answers
 * and a long one tells more. Below the evidence, the best hit is noise: its share of the weight of the
 * terms, and that share of the weight which any session has of them. More text, more that comes together
 * by chance: each doubling of the terms in the store adds a step. Tuned on the sets that may be looked at.
 */
const KINDS = {
  sentence: {
    lengthShare: 0.75,
    neighbours: [0.3, 0.15],
    agentFactor: 2.5,
    evidence: { base: 0.7, step: 0.045, most: 1 },
  },
  words: {
    lengthShare: 0.95,
    neighbours: [0.2, 0.1],
    agentFactor: 1.7,
    evidence: { base: 0.7, step: 0.09, most: 1.12 },
  },
};
const BASE_TERMS = 6_000;
const FEWEST_TERMS = 1_000;

/** A question about somebody or something that nothing names needs so much more evidence. */
const UNKNOWN_NAME_EVIDENCE = 0.6;

/** Terms in a larger share of the documents say nothing about neighbours. */
const MAX_CONTEXT_SHARE = 0.1;

/** What each document of a session gains from the best one of it. */
const SESSION_SHARE = 0.4;

/** Added to the number of documents: a small store does not show yet which words are rare. */
const PRIOR_DOCUMENTS = 50;

/** Only the heaviest terms count towards that weight: nothing is about all of a long text. */
const MAX_WEIGHED = 5;

/** The best documents, the best first; none if even the best is noise. */
export function rank(view: IndexView, question: Question, limit: number): Ranked[] {
  const { liveCount, averageLength, lengths } = view;
  const { lengthShare, neighbours } = kindOf(question);
  const { scores, touched } = view.figures;
  const once: number[] = []; // what a term that occurs once gains, by the length: most occur once
  const weights: number[] = [];
  let count = 0;
  let most = 0;
  for (const { postings, boost } of question.terms) {
    const weight = boost * idfOf(Math.max(1, postings.documents.length), liveCount);
    weights.push(weight);
    const { documents, frequencies } = spread(view, postings, neighbours);
    for (let at = 0; at < documents.length; at++) {
      const document = documents[at];
      const frequency = frequencies[at];
      const length = lengths[document];
      let gain = frequency === 1 ? once[length] : undefined;
      if (gain === undefined) {
        const norm = K1 * (1 - lengthShare + lengthShare * length / averageLength);
        gain = DELTA * Math.min(1, frequency) + frequency * (K1 + 1) / (frequency + norm);
        if (frequency === 1) once[length] = gain;
      }
      const before = scores[document];
      const score = scores[document] = before + weight * gain;
      if (before === 0 && score > 0) touched[count++] = document;
      if (score > most) most = score;
    }
  }
  let best: Ranked[] = [];
  if (question.fitting !== undefined || isMeant(view, question, weights, most)) {
    const isAll = question.fitting === undefined && question.matches === undefined;
    const all = touched.subarray(0, count);
    weigh(view, question, all);
    const weighed = isAll ? contenders(view, all, limit) : Array.from(all);
    shareInSessions(view, weighed);
    best = select(view, question, weighed, limit);
  }
  scores.fill(0);
  return best;
}

/** Whether enough speaks for the best document, which has that score; the rarest terms are asked first. */
function isMeant(
  view: IndexView,
  question: Question,
  weights: readonly number[],
  score: number,
): boolean {
  const heaviest = Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a]);
  const sum = (indices: readonly number[]) =>
    indices.reduce((total, index) => total + weights[index], 0);
  let left = sum(heaviest);
  const wanted = left * (minEvidence(view, question) - score / sum(heaviest.slice(0, MAX_WEIGHED)));
  if (wanted <= 0) return true;
  const sums = new Float64Array(view.size);
  const seen = new Uint32Array(view.size);
  let most = 0;
  for (const [turn, index] of heaviest.entries()) {
    if (most + left < wanted) return false;
    const { documents } = question.terms[index].postings;
    for (let at = 0; at < documents.length; at++) {
      const session = view.sessionOf(documents[at]);
      if (seen[session] > turn) continue;
      seen[session] = turn + 1;
      most = Math.max(most, sums[session] += weights[index]);
      if (most >= wanted) return true;
    }
    left -= weights[index];
  }
  return false;
}

function minEvidence({ liveCount, averageLength }: IndexView, question: Question): number {
  const { base, step, most } = kindOf(question).evidence;
  const terms = Math.max(FEWEST_TERMS, liveCount * averageLength);
  return Math.min(most, base + step * Math.log2(terms / BASE_TERMS)) +
    (question.namesUnknown ? UNKNOWN_NAME_EVIDENCE : 0);
}

function kindOf({ isSentence = false }: Question): (typeof KINDS)["words"] {
  return KINDS[isSentence ? "sentence" : "words"];
}

/** Takes into account who and when was asked for, if anything. */
function weigh(view: IndexView, question: Question, touched: Uint32Array): void {
  const { agents = new Set(), timeWeight } = question;
  if (agents.size === 0 && timeWeight === undefined) return;
  const { agentFactor } = kindOf(question);
  const { scores } = view.figures;
  for (const document of touched) {
    if (agents.size > 0) {
      const { segment, number } = view.placeOf(document);
      if (agents.has(segment.agentOf(number))) scores[document] *= agentFactor;
    }
    if (timeWeight !== undefined) scores[document] *= timeWeight(view.timeOf(document));
  }
}

/**
 * Those that may be among the best once they share in their sessions: what is not among the best by
 * itself can overtake one of them only if one of its session is.
 */
function contenders(view: IndexView, touched: Uint32Array, limit: number): number[] {
  const { scores } = view.figures;
  const found = new Set<number>();
  for (const document of largest(scores, touched, limit)) {
    if (found.has(document)) continue;
    const { first, end, order } = view.sessionAround(document);
    for (let other = first; other < end; other++) if (scores[other] > 0) found.add(other);
    for (const other of order ?? []) if (scores[other] > 0) found.add(other);
  }
  return [...found];
}

/** Those with a score that only `limit` documents reach; all where there are not so many. */
function largest(scores: Float64Array, documents: Uint32Array, limit: number): number[] {
  const top = new Float64Array(2 * limit);
  const found: number[] = [];
  let count = 0;
  let least = 0;
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at];
    const score = scores[document];
    if (score < least) continue;
    found.push(document);
    if (score === least) continue;
    top[count++] = score;
    if (count < top.length) continue;
    top.sort().copyWithin(0, limit);
    count = limit;
    least = top[0];
  }
  if (count >= limit) least = top.subarray(0, count).sort()[count - limit];
  return found.filter((document) => scores[document] >= least);
}

/** Takes into account what else the session says. */
function shareInSessions(view: IndexView, documents: readonly number[]): void {
  const { scores, hits: best } = view.figures;
  const sessions = documents.map((document) => view.sessionOf(document));
  sessions.forEach((session, at) => best[session] = Math.max(best[session], scores[documents[at]]));
  sessions.forEach((session, at) => scores[documents[at]] += SESSION_SHARE * best[session]);
  for (const session of sessions) best[session] = 0;
}

/** The inverse document frequency of a term. */
function idfOf(documents: number, all: number): number {
  return Math.log(1 + (PRIOR_DOCUMENTS + all - documents + 0.5) / (documents + 0.5));
}

/** The documents that have a term, with what that is for their neighbours: where, and how often. */
function spread(
  view: IndexView,
  postings: Postings,
  neighbours: readonly number[],
): { documents: Uint32Array; frequencies: Float64Array } {
  const { documents, frequencies } = postings;
  const { length } = documents;
  if (length === 0 || length > view.liveCount * MAX_CONTEXT_SHARE) {
    return { documents, frequencies: new Float64Array(frequencies) }; // one kind of numbers for the loop
  }
  const { hits } = view.figures;
  for (let at = 0; at < length; at++) hits[documents[at]] = frequencies[at];
  const near = new Uint32Array((1 + 2 * neighbours.length) * length);
  near.set(documents);
  let count = length;
  let around = view.sessionAround(documents[0]);
  for (let at = 0; at < length; at++) {
    const document = documents[at];
    if (document >= around.end || document < around.first) around = view.sessionAround(document);
    const { first, end, order } = around;
    const place = order?.indexOf(document) ?? document;
    for (let distance = 1; distance <= neighbours.length; distance++) {
      const share = neighbours[distance - 1];
      for (let side = -distance; side <= distance; side += 2 * distance) {
        const beside = place + side;
        if (order === undefined && (beside < first || beside >= end)) continue;
        const neighbour = order === undefined ? beside : order[beside];
        if (neighbour === undefined) continue;
        if (hits[neighbour] === 0) near[count++] = neighbour;
        hits[neighbour] += share;
      }
    }
  }
  const counted = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    counted[at] = hits[near[at]];
    hits[near[at]] = 0;
  }
  return { documents: near.subarray(0, count), frequencies: counted };
}

function select(
  view: IndexView,
  { fitting, matches }: Question,
  touched: Iterable<number>,
  limit: number,
): Ranked[] {
  const { scores } = view.figures;
  let best: Ranked[] = [];
  let least = -Infinity;
  for (const document of fitting ?? touched) {
    const score = scores[document];
    if (score < least || matches?.(view.filteredAt(document)) === false) continue;
    if (best.push({ document, score }) < 2 * limit) continue;
    best = best.sort((a, b) => compare(view, a, b)).slice(0, limit);
    least = best.at(-1)?.score ?? Infinity;
  }
  return best.sort((a, b) => compare(view, a, b)).slice(0, limit);
}

/** Times and ids are read only where they decide. */
function compare(view: IndexView, a: Ranked, b: Ranked): number {
  return b.score - a.score || view.timeOf(b.document) - view.timeOf(a.document) ||
    idHashOf(view, a.document) - idHashOf(view, b.document);
}

function idHashOf(view: IndexView, document: number): number {
  const { segment, number } = view.placeOf(document);
  return segment.idHashes[number];
}
