// Ranks the candidates that bm25 found by how well they answer a question. The score is BM25+ over their terms.
// Neighbours in the same session, the best hit of the session, and agents that the question names also count. Among
// equals the newest comes first. Pure.

/** A document that may answer. */
export interface RankedDocument {
  number: number;
  /** How often each of the asked terms occurs in it. */
  hits: ReadonlyMap<string, number>;
  /** Number of its terms. */
  length: number;
  session: number;
  /** Its index in the session. */
  place: number;
  agent: string;
  timeMs: number;
  isArchived: boolean;
}

/** A question to rank by. */
interface Question {
  /** Each term, with the number of documents that have it and the factor by which it counts. */
  terms: ReadonlyMap<string, { frequency: number; boost: number }>;
  /** Observations of these agents count more. */
  agents: ReadonlySet<string>;
  /** Whether the question is a sentence, and not a list of words. */
  isSentence: boolean;
}

/** A parsed query. */
export interface Query {
  question: Question;
  /** The documents that fit the signs of the query; undefined if all do. */
  fitting?: ReadonlySet<number>;
}

/** Figures of all documents that can be found. */
export interface Totals {
  count: number;
  /** Average number of terms in a document. */
  averageLength: number;
}

/** A document and its score. */
export interface Ranked {
  number: number;
  score: number;
}

const K1 = 1.2;
const DELTA = 0.3;

/**
 * Weights by kind of question. Sentences mostly look for talk, and plain words mostly look for notes. In talk, the next
 * turn often answers, and a long turn tells more.
 */
const KINDS = {
  sentence: { lengthShare: 0.75, neighbours: [0.3, 0.15], agentFactor: 2.5 },
  words: { lengthShare: 0.95, neighbours: [0.2, 0.1], agentFactor: 1.7 },
};

/** A best hit below this share of the question's weight is weak. */
const EVIDENCE = 0.5;

/** Terms in a larger share of the documents do not count for neighbours. */
const MAX_CONTEXT_SHARE = 0.1;

/** The share of a session's best score that its other documents gain. */
const SESSION_SHARE = 0.4;

/** Added to the number of documents, because a small store does not show yet which words are rare. */
const PRIOR_DOCUMENTS = 50;

/** Number of the heaviest terms that count towards the weight: no observation covers all of a long text. */
const MAX_WEIGHED = 5;

/** Maximum distance of a neighbour in its session. */
export const REACH = KINDS.sentence.neighbours.length;

/**
 * @param candidates the hits of bm25, with their neighbours in their sessions
 * @param question the question to rank by
 * @param totals of all documents
 * @returns the candidates that answer, the best first and archived ones last; `isWeak` is set if even the best tells
 *   little
 */
export function rank(
  candidates: readonly RankedDocument[],
  question: Question,
  totals: Totals,
): { ranked: Ranked[]; isWeak?: true } {
  const kind = KINDS[question.isSentence ? "sentence" : "words"];
  const places = new Map(candidates.map((each) => [`${each.session} ${each.place}`, each]));
  const weights = Array.from(
    question.terms.values(),
    ({ frequency, boost }) => boost * idfOf(Math.max(1, frequency), totals.count),
  );
  const scores = candidates.map((candidate) => {
    const norm = K1 *
      (1 - kind.lengthShare + kind.lengthShare * candidate.length / totals.averageLength);
    let score = 0;
    let at = 0;
    for (const [term, { frequency }] of question.terms) {
      let hits = candidate.hits.get(term) ?? 0;
      if (frequency <= totals.count * MAX_CONTEXT_SHARE) hits += near(candidate, term);
      if (hits > 0) {
        score += weights[at] * (DELTA * Math.min(1, hits) + hits * (K1 + 1) / (hits + norm));
      }
      at++;
    }
    return score;
  });
  const first = candidates[scores.indexOf(Math.max(...scores))];
  const isWeak = first === undefined || coveredBy(first) < EVIDENCE ? true : undefined;
  candidates.forEach(({ agent }, index) => {
    if (question.agents.has(agent)) scores[index] *= kind.agentFactor;
  });
  const best = new Map<number, number>();
  candidates.forEach(({ session }, index) =>
    best.set(session, Math.max(best.get(session) ?? 0, scores[index]))
  );
  const found = candidates.flatMap(({ number, session, timeMs, isArchived }, index) => {
    const score = scores[index] + SESSION_SHARE * best.get(session)!;
    return scores[index] > 0 ? [{ number, score, timeMs, isArchived }] : [];
  });
  found.sort((a, b) =>
    Number(a.isArchived) - Number(b.isArchived) || b.score - a.score || b.timeMs - a.timeMs
  );
  return { ranked: found.map(({ number, score }) => ({ number, score })), isWeak };

  function near({ session, place }: RankedDocument, term: string): number {
    let hits = 0;
    kind.neighbours.forEach((share, index) => {
      for (const side of [-1, 1]) {
        const beside = places.get(`${session} ${place + side * (index + 1)}`);
        if (beside?.hits.has(term)) hits += share;
      }
    });
    return hits;
  }

  /** The share of the question's weight in a document and its neighbours. */
  function coveredBy(candidate: RankedDocument): number {
    const heaviest = weights.toSorted((a, b) => b - a).slice(0, MAX_WEIGHED);
    const said = [...question.terms.keys()].map((term, at) =>
      candidate.hits.has(term) || near(candidate, term) > 0 ? weights[at] : 0
    );
    return sumOf(said) / sumOf(heaviest);
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** The inverse document frequency of a term. */
function idfOf(documents: number, all: number): number {
  return Math.log(1 + (PRIOR_DOCUMENTS + all - documents + 0.5) / (documents + 0.5));
}
