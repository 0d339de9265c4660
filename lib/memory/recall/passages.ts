/**
 * In which order observations are quoted: summaries that stand for many others are taken apart, and their
 * pieces are weighed by what they say of the topic beside how relevant the whole is. Pure.
 *
 * @module
 */

import { piecesOf, type SummaryPiece } from "../pieces.ts";
import type { Observation } from "../schema.ts";
import { isSentence } from "../search/search.ts";
import { termsOf } from "../search/tokens.ts";

/** An observation, or a piece of one that is a summary. */
export interface Passage {
  observation: Observation;
  /** Undefined where all of the observation is meant. */
  piece?: SummaryPiece;
  /** Which piece it is, from 0, and of how many. */
  number: number;
  of: number;
}

/** Of so many candidates the pieces are weighed; hardly more fit into a small budget. */
const MAX_WEIGHED = 60;

/** What the best candidate counts beside the best piece. Of talk, the reply has few words of the question. */
const RANK_WEIGHT = { sentence: 2, words: 0.75 };

/** The candidate of that number counts half. */
const HALF_RANK = 10;

const K1 = 1.2;

/** Each candidate whole, in their order. */
export function* wholes(candidates: Iterable<Observation>): Iterable<Passage> {
  for (const observation of candidates) yield { observation, number: 0, of: 1 };
}

/**
 * @param candidates the most relevant first
 * @param options the topic, what of a summary may be shown, and what stays behind what it is ranked behind
 */
export function* passagesOf(
  candidates: readonly Observation[],
  { topic, textOf, isDoubtful }: {
    topic: string;
    textOf: (summary: Observation) => string;
    isDoubtful: (observation: Observation) => boolean;
  },
): Iterable<Passage> {
  const first = candidates.slice(0, MAX_WEIGHED).map((each) => piecesIn(each, textOf));
  const weights = weigh(first.flat(), topic);
  const share = RANK_WEIGHT[isSentence(topic) ? "sentence" : "words"];
  const scored = first.flatMap((pieces, rank) =>
    pieces.map((passage) => {
      const weight = isDoubtful(passage.observation) ? 0 : weights.get(passage)!;
      return { passage, score: share / (1 + rank / HALF_RANK) + weight };
    })
  );
  for (const { passage } of scored.sort((a, b) => b.score - a.score)) yield passage;
  for (const each of candidates.slice(MAX_WEIGHED)) yield* piecesIn(each, textOf);
}

function piecesIn(observation: Observation, textOf: (summary: Observation) => string): Passage[] {
  if (observation.replaces === undefined) return [...wholes([observation])];
  const pieces = piecesOf(textOf(observation));
  return pieces.map((piece, number) => ({ observation, piece, number, of: pieces.length }));
}

/** What each says of the topic, in parts of what the best one does: BM25 among them alone. */
function weigh(passages: readonly Passage[], topic: string): Map<Passage, number> {
  const stems = new Map<string, string>();
  const asked = new Set(termsOf(topic, stems));
  const found = new Map<string, number>();
  const texts = passages.map(({ observation, piece }) => {
    const terms = termsOf(piece?.text ?? observation.content, stems);
    const hits = new Map<string, number>();
    for (const term of terms) if (asked.has(term)) hits.set(term, (hits.get(term) ?? 0) + 1);
    for (const term of hits.keys()) found.set(term, (found.get(term) ?? 0) + 1);
    return { length: terms.length, hits };
  });
  const average = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  const weights = texts.map(({ length, hits }) => {
    let weight = 0;
    for (const [term, frequency] of hits) {
      const rarity = Math.log(1 + texts.length / (found.get(term)! + 0.5));
      weight += rarity * frequency * (K1 + 1) / (frequency + K1 * length / average);
    }
    return weight;
  });
  const most = Math.max(...weights) || 1;
  return new Map(passages.map((passage, index) => [passage, weights[index] / most]));
}
