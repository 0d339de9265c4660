/**
 * How well observations answer a question: BM25+ over their terms, with what the neighbours of the
 * same session say counted a little, and who and when the question names counted too. Among equals
 * the newest comes first. Pure.
 *
 * @module
 */

import { type AskedDate, dateWeight } from "./dates.ts";
import type { Matcher } from "./filters.ts";
import type { IndexView } from "./index_view.ts";
import type { Postings } from "./records.ts";

/** What is asked. */
export interface Question {
  /** Each with the documents that have it, and how many times as much as others it counts. */
  terms: ReadonlyArray<{ postings: Postings; boost: number }>;
  /** Whose observations count more. */
  agents?: ReadonlySet<string>;
  /** When those were made that count more. */
  date?: AskedDate;
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
  const [scores, hits] = view.figures;
  const touched: number[] = [];
  const weights: number[] = [];
  let most = 0;
  for (const { postings, boost } of question.terms) {
    const count = postings.documents.length;
    const weight = boost * idfOf(Math.max(1, count), liveCount);
    weights.push(weight);
    const near = spread(view, postings, hits, neighbours);
    for (let at = 0; at < near.length; at++) {
      const document = near[at];
      const frequency = hits[document];
      hits[document] = 0;
      const norm = K1 * (1 - lengthShare + lengthShare * lengths[document] / averageLength);
      const gain = DELTA * Math.min(1, frequency) + frequency * (K1 + 1) / (frequency + norm);
      const before = scores[document];
      if (before === 0) touched.push(document);
      const score = scores[document] = before + weight * gain;
      if (score > most) most = score;
    }
  }
  let best: Ranked[] = [];
  if (question.fitting !== undefined || isMeant(view, question, weights, most)) {
    const isAll = question.fitting === undefined && question.matches === undefined;
    most = weigh(view, question, touched) ?? most;
    const weighed = isAll ? contenders(scores, touched, most, limit) : touched;
    shareInSessions(view, weighed);
    best = select(view, question, weighed, limit);
  }
  for (const document of touched) scores[document] = 0;
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
  const missing = minEvidence(view, question) - score / sum(heaviest.slice(0, MAX_WEIGHED));
  const wanted = missing * left;
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

/** Takes into account who and when was asked for, if anything, and says what is the best score then. */
function weigh(
  view: IndexView,
  question: Question,
  touched: readonly number[],
): number | undefined {
  const { agents = new Set(), date } = question;
  if (agents.size === 0 && date === undefined) return undefined;
  const { agentFactor } = kindOf(question);
  const [scores] = view.figures;
  let most = 0;
  for (const document of touched) {
    if (agents.size > 0) {
      const { segment, number } = view.placeOf(document);
      if (agents.has(segment.agentOf(number))) scores[document] *= agentFactor;
    }
    if (date !== undefined) scores[document] *= dateWeight(date, view.timesMs[document]);
    most = Math.max(most, scores[document]);
  }
  return most;
}

/**
 * Those that may be among the best once they share in their sessions: of any two, the one with the
 * lower score gains at most what the best score of all gives, and the other at least what its own does.
 */
function contenders(
  scores: Float64Array,
  touched: readonly number[],
  most: number,
  limit: number,
): number[] {
  const found: number[] = [];
  let top: number[] = [];
  let least = -Infinity;
  let floor = -Infinity;
  for (const document of touched) {
    const score = scores[document];
    if (score < floor) continue;
    found.push(document);
    if (score <= least || top.push(score) < 2 * limit) continue;
    top = top.sort((a, b) => b - a).slice(0, limit);
    least = top.at(-1) ?? Infinity;
    floor = least - SESSION_SHARE * (most - least);
  }
  return found.filter((document) => scores[document] >= floor);
}

/** Takes into account what else the session says. */
function shareInSessions(view: IndexView, documents: readonly number[]): void {
  const [scores, bests] = view.figures;
  for (const document of documents) {
    const session = view.sessionOf(document);
    bests[session] = Math.max(bests[session], scores[document]);
  }
  for (const document of documents) {
    scores[document] += SESSION_SHARE * bests[view.sessionOf(document)];
  }
  for (const document of documents) bests[view.sessionOf(document)] = 0;
}

/** The inverse document frequency of a term. */
function idfOf(documents: number, all: number): number {
  return Math.log(1 + (PRIOR_DOCUMENTS + all - documents + 0.5) / (documents + 0.5));
}

/** Notes the hits of a term, with what they are for their neighbours; says where. */
function spread(
  view: IndexView,
  { documents, frequencies }: Postings,
  hits: Float64Array,
  neighbours: readonly number[],
): ArrayLike<number> {
  for (let at = 0; at < documents.length; at++) hits[documents[at]] = frequencies[at];
  if (documents.length === 0 || documents.length > view.liveCount * MAX_CONTEXT_SHARE) {
    return documents;
  }
  const near = Array.from(documents);
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at];
    for (let distance = 1; distance <= neighbours.length; distance++) {
      for (let side = -1; side <= 1; side += 2) {
        const neighbour = view.neighbourOf(document, side * distance);
        if (neighbour === undefined) continue;
        if (hits[neighbour] === 0) near.push(neighbour);
        hits[neighbour] += neighbours[distance - 1];
      }
    }
  }
  return near;
}

function select(
  view: IndexView,
  { fitting, matches }: Question,
  touched: readonly number[],
  limit: number,
): Ranked[] {
  const [scores] = view.figures;
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
  return b.score - a.score || view.timesMs[b.document] - view.timesMs[a.document] ||
    idHashOf(view, a.document) - idHashOf(view, b.document);
}

function idHashOf(view: IndexView, document: number): number {
  const { segment, number } = view.placeOf(document);
  return segment.idHashes[number];
}
