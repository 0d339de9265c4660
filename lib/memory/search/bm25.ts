/**
 * How well observations answer a question: BM25+ over their terms, with what the neighbours of the
 * same session say counted a little, and who and when the question names counted too. Among equals
 * the newest comes first. Pure.
 *
 * @module
 */

import type { Corpus } from "./merged_index.ts";
import type { PlainQuery } from "./query.ts";

/** A document and its score. */
export interface Ranked {
  document: number;
  score: number;
}

const K1 = 1.2;
const B = 0.75;
const DELTA = 0.5;

/** A hit in the neighbour before or after counts so much of one, and in the next ones. */
const NEIGHBOURS: readonly number[] = [0.3, 0.15];

/** Terms in more of the documents than that say nothing about their neighbours. */
const MAX_CONTEXT_SHARE = 0.1;

const AGENT_FACTOR = 1.2;
const TIME_FACTOR = 1.5;

/** A young store knows little of which words are rare: it is judged as if it had so many more. */
const PRIOR_DOCUMENTS = 50;

/** Below that part of the weight of the terms, the best hit is noise. Chosen on the labelled set. */
const MIN_SHARE = 0.45;

/** The heaviest terms that weigh: in a long text, no observation is about all of it. */
const MAX_WEIGHED = 5;

/** One array for all questions: to make one for each would cost more than to rank. */
const SPARE = 1_024;
let scores = new Float64Array(0);
let hits = new Float64Array(0);

/**
 * @param corpus the observations
 * @param query the question
 * @param limit most documents
 * @returns the best ones, the best first; none if even the best is noise
 */
export function rank(corpus: Corpus, query: PlainQuery, limit: number): Ranked[] {
  const { size, liveCount, averageLength, lengths } = corpus;
  if (scores.length < size) {
    scores = new Float64Array(size + SPARE);
    hits = new Float64Array(size + SPARE);
  }
  const candidates: number[] = [];
  const weights: number[] = [];
  for (const term of query.terms) {
    const { documents, frequencies } = corpus.lookUp(term);
    const idf = idfOf(documents.length, liveCount);
    weights.push(documents.length > 0 ? idf : idfOf(1, liveCount));
    const touched = spread(corpus, documents, frequencies);
    for (let at = 0; at < touched.length; at++) {
      const document = touched[at];
      const frequency = hits[document];
      hits[document] = 0;
      const norm = K1 * (1 - B + B * lengths[document] / averageLength);
      const gain = DELTA * Math.min(1, frequency) + frequency * (K1 + 1) / (frequency + norm);
      if (scores[document] === 0) candidates.push(document);
      scores[document] += idf * gain;
    }
  }
  const best = select(corpus, query, candidates, limit);
  for (const document of candidates) scores[document] = 0;
  const mass = weights.sort((a, b) => b - a).slice(0, MAX_WEIGHED)
    .reduce((sum, weight) => sum + weight, 0);
  return best.length > 0 && best[0].score >= MIN_SHARE * mass ? best : [];
}

/** How much a term tells that so many of all documents have. */
function idfOf(documents: number, all: number): number {
  return Math.log(1 + (PRIOR_DOCUMENTS + all - documents + 0.5) / (documents + 0.5));
}

/** Puts the hits of a term into `hits`, with what they are for their neighbours; says where. */
function spread(
  corpus: Corpus,
  documents: Uint32Array,
  frequencies: Uint32Array,
): ArrayLike<number> {
  for (let at = 0; at < documents.length; at++) hits[documents[at]] = frequencies[at];
  if (documents.length === 0 || documents.length > corpus.liveCount * MAX_CONTEXT_SHARE) {
    return documents;
  }
  const touched = Array.from(documents);
  const { order, places, sessionOf } = corpus.sessions;
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at];
    const session = sessionOf[document];
    const place = places[document];
    for (let distance = 1; distance <= NEIGHBOURS.length; distance++) {
      const share = NEIGHBOURS[distance - 1];
      const before = order[place - distance];
      if (before !== undefined && sessionOf[before] === session) {
        if (hits[before] === 0) touched.push(before);
        hits[before] += share;
      }
      const after = order[place + distance];
      if (after !== undefined && sessionOf[after] === session) {
        if (hits[after] === 0) touched.push(after);
        hits[after] += share;
      }
    }
  }
  return touched;
}

function select(
  corpus: Corpus,
  { agents, time }: PlainQuery,
  candidates: readonly number[],
  limit: number,
): Ranked[] {
  const agentFactors = corpus.segments.map(({ nameList }) =>
    nameList.map((name) => agents.has(name) ? AGENT_FACTOR : 1)
  );
  const { timesMs } = corpus;
  const best: Ranked[] = [];
  for (const document of candidates) {
    let score = scores[document];
    if (agents.size > 0) {
      const { segment, segmentIndex, number } = corpus.placeOf(document);
      score *= agentFactors[segmentIndex][segment.names[number] >>> 16];
    }
    const timeMs = timesMs[document];
    if (time !== undefined && timeMs >= time.fromMs && timeMs < time.toMs) score *= TIME_FACTOR;
    if (best.length === limit && score < best[limit - 1].score) continue;
    insert(corpus, best, { document, score });
    if (best.length > limit) best.pop();
  }
  return best;
}

function insert(corpus: Corpus, best: Ranked[], ranked: Ranked): void {
  let at = best.length;
  while (at > 0 && isBefore(corpus, ranked, best[at - 1])) at--;
  best.splice(at, 0, ranked);
}

function isBefore(corpus: Corpus, a: Ranked, b: Ranked): boolean {
  if (a.score !== b.score) return a.score > b.score;
  const { timesMs } = corpus;
  if (timesMs[a.document] !== timesMs[b.document]) {
    return timesMs[a.document] > timesMs[b.document];
  }
  return idHashOf(corpus, a.document) < idHashOf(corpus, b.document);
}

function idHashOf(corpus: Corpus, document: number): number {
  const { segment, number } = corpus.placeOf(document);
  return segment.idHashes[number];
}
