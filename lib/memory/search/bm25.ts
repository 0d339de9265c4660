/**
 * How well observations answer a question: BM25+ over their terms, with what the neighbours of the
 * same session say counted a little, and who and when the question names counted too. Among equals
 * the newest comes first. Pure.
 *
 * @module
 */

import type { IndexView } from "./index_view.ts";
import type { Postings } from "./records.ts";

/** What is asked. */
export interface Question {
  /** Each with the documents that have it, and how many times as much as others it counts. */
  terms: ReadonlyArray<{ postings: Postings; boost: number }>;
  /** Whose observations count more. */
  agents?: ReadonlySet<string>;
  /** When those were made that count more: milliseconds since the epoch, without the end. */
  time?: { fromMs: number; toMs: number };
  /** What fits, however little it tells; if undefined, anything that tells more than noise. */
  fitting?: ReadonlySet<number>;
}

/** A document and its score. */
export interface Ranked {
  document: number;
  score: number;
}

const K1 = 1.2;
const B = 0.75;
const DELTA = 0.5;

/** What a hit in the neighbour before or after counts, and in the one beyond it. */
const NEIGHBOURS: readonly number[] = [0.3, 0.15];

/** Terms in a larger share of the documents say nothing about neighbours. */
const MAX_CONTEXT_SHARE = 0.1;

const AGENT_FACTOR = 1.2;
const TIME_FACTOR = 1.5;

/** Added to the number of documents: a small store does not show yet which words are rare. */
const PRIOR_DOCUMENTS = 50;

/** Below this share of the weight of the terms, the best hit is noise. Tuned on the labelled set. */
const MIN_SHARE = 0.45;

/** Only the heaviest terms count towards that weight: nothing is about all of a long text. */
const MAX_WEIGHED = 5;

/** The best documents, the best first; none if even the best is noise. */
export function rank(view: IndexView, question: Question, limit: number): Ranked[] {
  const { liveCount, averageLength, lengths } = view;
  const [scores, hits] = view.figures;
  const touched: number[] = [];
  const weights: number[] = [];
  for (const { postings, boost } of question.terms) {
    const count = postings.documents.length;
    const weight = boost * idfOf(Math.max(1, count), liveCount);
    weights.push(weight);
    const near = spread(view, postings, hits);
    for (let at = 0; at < near.length; at++) {
      const document = near[at];
      const frequency = hits[document];
      hits[document] = 0;
      const norm = K1 * (1 - B + B * lengths[document] / averageLength);
      const gain = DELTA * Math.min(1, frequency) + frequency * (K1 + 1) / (frequency + norm);
      if (scores[document] === 0) touched.push(document);
      scores[document] += weight * gain;
    }
  }
  const best = select(view, question, touched, limit);
  for (const document of touched) scores[document] = 0;
  const mass = weights.sort((a, b) => b - a).slice(0, MAX_WEIGHED)
    .reduce((sum, weight) => sum + weight, 0);
  const isNoise = question.fitting === undefined && best[0]?.score < MIN_SHARE * mass;
  return isNoise ? [] : best;
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
): ArrayLike<number> {
  for (let at = 0; at < documents.length; at++) hits[documents[at]] = frequencies[at];
  if (documents.length === 0 || documents.length > view.liveCount * MAX_CONTEXT_SHARE) {
    return documents;
  }
  const near = Array.from(documents);
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at];
    for (let distance = 1; distance <= NEIGHBOURS.length; distance++) {
      for (let side = -1; side <= 1; side += 2) {
        const neighbour = view.neighbourOf(document, side * distance);
        if (neighbour === undefined) continue;
        if (hits[neighbour] === 0) near.push(neighbour);
        hits[neighbour] += NEIGHBOURS[distance - 1];
      }
    }
  }
  return near;
}

function select(
  view: IndexView,
  { agents = new Set(), time, fitting }: Question,
  touched: readonly number[],
  limit: number,
): Ranked[] {
  const [scores] = view.figures;
  let best: Ranked[] = [];
  let least = -Infinity;
  for (const document of fitting ?? touched) {
    let score = scores[document];
    if (agents.size > 0) {
      const { segment, number } = view.placeOf(document);
      if (agents.has(segment.agentOf(number))) score *= AGENT_FACTOR;
    }
    if (time !== undefined && isWithin(time, view.timesMs[document])) score *= TIME_FACTOR;
    if (score < least || best.push({ document, score }) < 2 * limit) continue;
    best = best.sort((a, b) => compare(view, a, b)).slice(0, limit);
    least = best.at(-1)?.score ?? Infinity;
  }
  return best.sort((a, b) => compare(view, a, b)).slice(0, limit);
}

function isWithin({ fromMs, toMs }: NonNullable<Question["time"]>, timeMs: number): boolean {
  return timeMs >= fromMs && timeMs < toMs;
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
