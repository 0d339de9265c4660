/**
 * Search over the observations: ranked by our own scorer where a query is plain words, by lunr where
 * it uses lunr's syntax. Pure.
 *
 * lunr is loaded for its syntax only. It is given an index of nothing but the terms that the query
 * asks for, with the weights that they have over all observations: its answers are those of an index
 * of everything.
 *
 * @module
 */

import { AgentxError } from "../../errors.ts";
import { quote } from "../../text/quote.ts";
import type { ObservationIndex } from "../schema.ts";
import { rank, type Ranked } from "./bm25.ts";
import type { IndexView } from "./index_view.ts";
import { nearMatcher, wildcardMatcher } from "./loose_match.ts";
import type { Corpus } from "./merged_index.ts";
import { readQuery } from "./query.ts";
import { termsOf } from "./tokens.ts";

/** What a search found. */
export interface ObservationHit extends ObservationIndex {
  /** How well it fits: more is better. */
  score: number;
}

/** The part of lunr that is used. */
interface Lunr {
  Query: {
    new (fields: readonly string[]): LunrQuery;
    presence: { REQUIRED: number };
  };
  QueryParser: new (text: string, query: LunrQuery) => { parse(): void };
  QueryParseError: new () => Error;
  Vector: new () => { insert(index: number, value: number): void };
  TokenSet: {
    fromArray(terms: readonly string[]): LunrTokenSet;
    fromClause(clause: LunrClause): LunrTokenSet;
  };
  Index: new (parts: Record<string, unknown>) => {
    query(fill: (query: LunrQuery) => void): Array<{ ref: string; score: number }>;
  };
}

interface LunrTokenSet {
  intersect(other: LunrTokenSet): LunrTokenSet;
  toArray(): string[];
}

interface LunrClause {
  term: string;
  usePipeline: boolean;
  editDistance?: number;
  presence: number;
}

interface LunrQuery {
  clauses: LunrClause[];
  isNegated(): boolean;
}

/** The fields of lunr's syntax; a term without a field may be in any. */
const FIELDS = ["content", "agent", "category", "issue"] as const;
type Field = typeof FIELDS[number];

const NAME_FIELDS = ["agent", "category", "issue"] as const;
type NameField = typeof NAME_FIELDS[number];

/** The fields of a document besides its content, as terms. */
type Names = Record<NameField, readonly string[]>;

const NOWHERE: Record<NameField, number[]> = { agent: [], category: [], issue: [] };

/** A sign before a word, a known field, a star in a word, or a number after one: nothing else. */
const SIGNS =
  /(?:^|\s)[+-](?=[\p{L}\p{N}*])|(?:^|[\s+-])(?:content|agent|category|issue):\S|[\p{L}\p{N}]\*|\*[\p{L}\p{N}]|[\p{L}\p{N}][~^]\d/u;

/** lunr's work grows with the length of a word to the power of the distance, and so does its memory. */
const MAX_DISTANCE = 2;
const MAX_FUZZY_WORD = 32;

/** Each of them costs a look at its documents, and at those of all the others. */
const MAX_EXPANDED = 5_000;

/** Longer texts are what somebody works on, and no query that somebody wrote. */
const MAX_SIGNED = 200;

const K1 = 1.2;
const B = 0.75;

/**
 * @param text words, or words with signs
 * @param view the index
 * @param limit most hits
 * @returns the hits, the best first; among equals the newest
 * @throws {AgentxError} `INVALID_INPUT` if words with signs stand for more than 1,000 others
 */
export async function searchObservations(
  text: string,
  view: IndexView,
  limit: number,
): Promise<ObservationHit[]> {
  const ranked = await rankSigned(text, view.corpus, limit) ?? rankPlain(text, view.corpus, limit);
  const entries = view.entriesOf(ranked.map(({ document }) => document));
  return entries.map((entry, index) => ({ ...entry, score: ranked[index].score }));
}

function rankPlain(text: string, corpus: Corpus, limit: number): Ranked[] {
  const agents = new Set(corpus.segments.flatMap(({ nameList }) => nameList));
  return rank(corpus, readQuery(text, agents), limit);
}

/** Undefined where the query is plain words after all. */
async function rankSigned(
  text: string,
  corpus: Corpus,
  limit: number,
): Promise<Ranked[] | undefined> {
  if (text.length > MAX_SIGNED || !SIGNS.test(text)) return undefined;
  const lunr: Lunr = (await import("lunr")).default;
  const query = new lunr.Query(FIELDS);
  try {
    new lunr.QueryParser(text, query).parse();
  } catch (error) {
    if (error instanceof lunr.QueryParseError) return undefined;
    throw error;
  }
  if (query.clauses.some(isTooFuzzy)) return undefined;
  const index = new QueryIndex(lunr, corpus).build(query, text);
  const { timesMs } = corpus;
  return index.query((empty) => Object.assign(empty, query))
    .map(({ ref, score }) => ({ document: Number(ref), score }))
    .sort((a, b) => b.score - a.score || timesMs[b.document] - timesMs[a.document])
    .slice(0, limit);
}

function isTooFuzzy({ term, editDistance = 0 }: LunrClause): boolean {
  if (editDistance === 0) return false;
  return editDistance > MAX_DISTANCE || term.length > MAX_FUZZY_WORD || term.includes("*");
}

/** Builds the index that lunr needs for one query. */
class QueryIndex {
  readonly #lunr: Lunr;
  readonly #corpus: Corpus;
  readonly #inverted: Record<string, Record<string, unknown>> = Object.create(null);
  readonly #vectors: Record<string, InstanceType<Lunr["Vector"]>> = {};

  /** By the number of the document; those that can be found. */
  readonly #named = new Map<number, Names>();
  /** The documents whose agent, category or issue is called so. */
  readonly #inNames = new Map<string, Record<NameField, number[]>>();
  #terms: readonly string[] | undefined;
  readonly #averages: Record<Field, number>;

  constructor(lunr: Lunr, corpus: Corpus) {
    this.#lunr = lunr;
    this.#corpus = corpus;
    let agentTerms = 0;
    let categoryTerms = 0;
    let document = -1;
    for (const { size, nameList, names, issueNumbers } of corpus.segments) {
      const terms = nameList.map(termsOf);
      for (let number = 0; number < size; number++) {
        if (!corpus.isLive(++document)) continue;
        const agent = terms[names[number] >>> 16];
        const category = terms[names[number] & 0xffff];
        agentTerms += agent.length;
        categoryTerms += category.length;
        this.#name(document, { agent, category, issue: [String(issueNumbers[number])] });
      }
    }
    this.#averages = {
      content: corpus.averageLength,
      agent: agentTerms / corpus.liveCount,
      category: categoryTerms / corpus.liveCount,
      issue: 1,
    };
  }

  #name(document: number, names: Names): void {
    this.#named.set(document, names);
    for (const field of NAME_FIELDS) {
      for (const term of new Set(names[field])) {
        const found = this.#inNames.get(term) ?? { agent: [], category: [], issue: [] };
        found[field].push(document);
        this.#inNames.set(term, found);
      }
    }
  }

  build(query: LunrQuery, text: string): InstanceType<Lunr["Index"]> {
    const wanted = query.clauses.map((clause) => this.#expand(clause));
    const terms = [...new Set(wanted.flat(2))].sort();
    if (terms.length > MAX_EXPANDED) throw tooManyTerms(text, terms.length);
    const known = new Set(terms.filter((term, index) => this.#add(term, index)));
    if (query.isNegated()) {
      for (const document of this.#named.keys()) this.#vectorOf("content", document);
    }
    const answers = query.clauses.flatMap(({ presence }, index) => {
      const found = wanted[index].map((terms) => terms.filter((term) => known.has(term)));
      const isRequired = presence === this.#lunr.Query.presence.REQUIRED;
      const missing = isRequired ? found.findIndex((terms) => terms.length === 0) : -1;
      return missing < 0 ? found : found.slice(0, missing + 1); // it asks no further
    }).values();
    return new this.#lunr.Index({
      invertedIndex: this.#inverted,
      fieldVectors: this.#vectors,
      // It asks clause after clause, word after word, what each stands for.
      tokenSet: { intersect: () => ({ toArray: () => answers.next().value }) },
      fields: FIELDS,
      pipeline: { runString: (text: string) => termsOf(text) },
    });
  }

  /** The terms of the corpus that each word of a clause stands for. */
  #expand(clause: LunrClause): string[][] {
    const { term, usePipeline, editDistance = 0 } = clause;
    const words = usePipeline ? termsOf(term) : [term];
    return words.map((word) => {
      if (term.includes("*")) return this.#vocabulary().filter(wildcardMatcher(word));
      if (editDistance === 0) return [word];
      const near = this.#vocabulary().filter(nearMatcher(word, editDistance));
      const { TokenSet } = this.#lunr;
      return TokenSet.fromArray(near.sort())
        .intersect(TokenSet.fromClause({ ...clause, term: word })).toArray();
    });
  }

  #vocabulary(): readonly string[] {
    if (this.#terms !== undefined) return this.#terms;
    const terms = new Set(this.#inNames.keys());
    for (const segment of this.#corpus.segments) {
      segment.keepRecords();
      for (let index = 0; index < segment.termCount; index++) {
        terms.add(segment.recordAt(index).term);
      }
    }
    return this.#terms = [...terms];
  }

  /** Returns false for a term that nothing has: it must not count in the query either. */
  #add(term: string, termIndex: number): boolean {
    const { documents, frequencies } = this.#corpus.lookUp(term);
    const inFields = { content: documents, ...NOWHERE, ...this.#inNames.get(term) };
    const count = FIELDS.reduce((sum, field) => sum + inFields[field].length, 0);
    if (count === 0) return false;
    const all = this.#corpus.liveCount;
    const idf = Math.log(1 + Math.abs((all - count + 0.5) / (count + 0.5)));
    const entry: Record<string, unknown> = { _index: termIndex };
    for (const field of FIELDS) {
      entry[field] = Object.fromEntries(Array.from(inFields[field], (each) => [each, {}]));
      inFields[field].forEach((document, at) => {
        const frequency = field === "content" ? frequencies[at] : 1;
        const share = this.#lengthOf(field, document) / this.#averages[field];
        const weight = idf * (K1 + 1) * frequency / (K1 * (1 - B + B * share) + frequency);
        this.#vectorOf(field, document).insert(termIndex, Math.round(weight * 1_000) / 1_000);
      });
    }
    this.#inverted[term] = entry;
    return true;
  }

  #vectorOf(field: Field, document: number): InstanceType<Lunr["Vector"]> {
    return this.#vectors[`${field}/${document}`] ??= new this.#lunr.Vector();
  }

  #lengthOf(field: Field, document: number): number {
    if (field === "content") return this.#corpus.lengths[document];
    return this.#named.get(document)![field].length;
  }
}

function tooManyTerms(text: string, count: number): AgentxError<"INVALID_INPUT"> {
  return new AgentxError(
    "INVALID_INPUT",
    `Cannot search for ${
      quote(text)
    }: it stands for ${count} words, and ${MAX_EXPANDED} are the most`,
    { details: { field: "query", value: text }, next: "Write more letters beside the star" },
  );
}
