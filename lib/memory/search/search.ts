// Searches the observations. A query is read as plain words, or as words with signs. The index finds candidates, and
// one ranking orders them. Pure.

import type { Observation, ObservationIndex } from "../schema.ts";
import type { Counted, MemoryIndex } from "../index/memory_index.ts";
import { type Query, rank, type Ranked, type RankedDocument, REACH } from "./ranking.ts";
import type { SearchFilters } from "../index/filters.ts";
import { withMeantSigns } from "./signs.ts";
import { termsOf } from "../index/tokens.ts";
import { readSignedQuery } from "./signed_query.ts";

/** A hit of a search. */
export interface ObservationHit extends ObservationIndex {
  /** A higher score is better. Compare scores only within one search. */
  score: number;
  /** Set if even the best hit is weak. */
  isWeak?: true;
}

/** An observation that a search found, and how well it matches. */
export interface FoundObservation {
  /** The whole observation. */
  observation: Observation;
  /** A higher score is better. Compare scores only within one search. */
  score: number;
  /** Set if even the best hit is weak. */
  isWeak?: true;
}

/** Maximum number of observations of other issues that a recall gives to a session (SPEC-AgentX section 2.3). */
export const MAX_HITS = 50;

/** The advice after a search with few hits: a search knows words, not their meaning. */
export const TRY_OTHER_WORDS = "Try other words: a synonym, the name of the tool or file, English.";

/** Number of candidates of bm25 to rank, unless more hits are wanted. */
const CANDIDATES = 60;

/** A query that begins with one of these is a sentence, with more words than its answer has. */
const QUESTION = /^\s*(?:who|whom|whose|what|when|where|which|why|how)\b/i;

/** Weight of an agent's name as a search term: agents rarely write their own name. */
const ASIDE_WEIGHT = 0.3;

/**
 * Finds the observations that fit a query: the best first, archived ones last, the newest first among equals.
 *
 * @throws {AgentxError} `INVALID_INPUT` if words with signs stand for more than 5,000 terms
 */
export async function findObservations(
  text: string,
  index: MemoryIndex,
  { limit, filters }: { limit: number; filters?: SearchFilters },
): Promise<FoundObservation[]> {
  const signed = withMeantSigns(text);
  const query = signed === undefined ? undefined : readSignedQuery(
    signed,
    index,
    (await import("lunr")).default,
  );
  const { question, fitting } = query ?? readPlainQuery(text, index);
  const terms = [...question.terms.keys()];
  const numbers = fitting === undefined
    ? index.best(terms, Math.max(CANDIDATES, limit + CANDIDATES / 3), filters)
    : bestOf(fitting, index.best(terms, fitting.size * 1_000, filters), filters, index);
  const found = new Map(index.counted(numbers, terms).map((each) => [each.number, each]));
  const candidates = withNeighbours(found, terms, index);
  const { ranked, isWeak } = rank(candidates, question, index.totals());
  const isFitting = (number: number) =>
    fitting === undefined ? filters === undefined || found.has(number) : found.has(number);
  const hits: Ranked[] = ranked.filter(({ number }) => isFitting(number)).slice(0, limit);
  const scored = new Set(hits.map(({ number }) => number));
  if (fitting !== undefined) {
    const others = [...found.keys()].filter((number) => !scored.has(number));
    hits.push(...others.slice(0, limit - hits.length).map((number) => ({ number, score: 0 })));
  }
  const read = new Map(
    index.read(hits.map(({ number }) => number)).map((each) => [each.number, each]),
  );
  return hits.map(({ number, score }) => ({
    observation: read.get(number)!.observation,
    score,
    ...(isWeak && scored.has(number) ? { isWeak } : {}),
  }));
}

/** Whether a text is a sentence, and not a list of words. */
function isSentence(text: string): boolean {
  return text.trimEnd().endsWith("?") || QUESTION.test(text);
}

/** Reads a query of plain words: its terms, and the agents that it names. */
function readPlainQuery(text: string, index: MemoryIndex): Query {
  const words = ` ${wordsOf(text)} `;
  const agents = index.agents().filter((name) => words.includes(` ${wordsOf(name)} `));
  const aside = new Set(agents.flatMap((name) => termsOf(name)));
  const terms = new Map([...new Set(termsOf(text))].map((term) => [
    term,
    { frequency: index.frequencyOf(term), boost: aside.has(term) ? ASIDE_WEIGHT : 1 },
  ]));
  return { question: { terms, agents: new Set(agents), isSentence: isSentence(text) } };
}

/** Returns the candidates and their neighbours in the same session. */
function withNeighbours(
  found: ReadonlyMap<number, Counted>,
  terms: readonly string[],
  index: MemoryIndex,
): RankedDocument[] {
  const places = new Map<number, number>();
  const wanted = new Set<number>();
  // The notes of one agent share a session id but come from many sessions, so each note stands alone.
  const ownSession = ({ number, session, isNote }: Counted) => isNote ? -1 - number : session;
  for (const session of new Set(Array.from(found.values(), ownSession))) {
    if (session < 0) continue;
    const numbers = index.session(session);
    numbers.forEach((number, place) => {
      places.set(number, place);
      if (!found.has(number)) return;
      for (let at = place - REACH; at <= place + REACH; at++) {
        if (numbers[at] !== undefined && !found.has(numbers[at])) wanted.add(numbers[at]);
      }
    });
  }
  return [...found.values(), ...index.counted([...wanted], terms)].map((each) => ({
    ...each,
    session: ownSession(each),
    place: places.get(each.number) ?? 0,
  }));
}

/** Finds the observations that fit the signs, the best by words first. */
function bestOf(
  fitting: ReadonlySet<number>,
  best: readonly number[],
  filters: SearchFilters | undefined,
  index: MemoryIndex,
): number[] {
  const wanted = best.filter((number) => fitting.has(number)).slice(0, CANDIDATES);
  if (filters !== undefined || wanted.length >= CANDIDATES) return wanted;
  const known = new Set(wanted);
  return [
    ...wanted,
    ...index.facets().filter(({ number }) => fitting.has(number) && !known.has(number))
      .sort((a, b) => b.timeMs - a.timeMs).slice(0, CANDIDATES).map(({ number }) => number),
  ];
}

function wordsOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}@]+/gu, " ").trim();
}
