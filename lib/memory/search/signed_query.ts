// Reads words with signs: `+must -mustnot agent:engineer wild* fuzzy~1 twice^2`. Pure.
//
// Only the parser of lunr is used, to read the signs: lunr builds an index as a whole and would rebuild it for each new
// observation. The hits are the same as lunr's; the scorer of plain words ranks them.

import { addTo } from "../../base/groups.ts";
import { AgentxError } from "../../base/errors.ts";
import { quote } from "../../base/quote.ts";
import type { Facets, MemoryIndex } from "../index/memory_index.ts";
import type { Query } from "./ranking.ts";
import { termsOf } from "../index/tokens.ts";

/** The part of lunr that is used. */
export interface Lunr {
  Query: {
    new (fields: readonly string[]): { clauses: Clause[] };
    presence: { REQUIRED: number; PROHIBITED: number };
  };
  QueryParser: new (text: string, query: object) => { parse(): void };
  QueryParseError: new () => Error;
}

/** A word with its signs. */
interface Clause {
  term: string;
  fields: string[];
  presence: number;
  boost: number;
  editDistance?: number;
  /** False for a word with stars, which has no stem. */
  usePipeline: boolean;
}

/** Maximum edits of a fuzzy word: the time to compare two words grows exponentially with them. */
const MAX_DISTANCE = 2;

/** Maximum number of terms that the words of a query may stand for. */
const MAX_EXPANDED = 5_000;

/** The fields besides the content, each with a function that reads its value. */
const NAMES: Record<string, (facets: Facets) => string> = {
  agent: ({ agent }) => agent,
  category: ({ category }) => category,
  issue: ({ issueNumber }) => String(issueNumber),
};

/**
 * Reads a query with signs. Returns undefined if it is plain words after all; refuses one that stands for too many
 * words.
 */
export function readSignedQuery(text: string, index: MemoryIndex, lunr: Lunr): Query | undefined {
  const { REQUIRED, PROHIBITED } = lunr.Query.presence;
  const clauses = parse(text, lunr);
  if (clauses === undefined || clauses.some(isTooFuzzy)) return undefined;
  const fields = new Fields(index);
  const expanded = clauses.map((clause) => fields.expand(clause));
  const { size } = new Set(expanded.flat(2));
  if (size > MAX_EXPANDED) throw tooManyTerms(text, size);

  const isNegated = clauses.every(({ presence }) => presence === PROHIBITED);
  const wanted = new Set(isNegated ? fields.all : []);
  const prohibited = new Set<number>();
  const required: Array<ReadonlySet<number>> = [];
  const terms = new Map<string, { frequency: number; boost: number }>();
  for (const [at, { fields: names, presence, boost }] of clauses.entries()) {
    const words = expanded[at]
      .map((terms) => terms.flatMap((term) => names.map((name) => fields.lookUp(name, term))));
    const found = new Set(words.flat(2));
    for (const each of found) (presence === PROHIBITED ? prohibited : wanted).add(each);
    if (presence === PROHIBITED) continue;
    for (const term of expanded[at].flat()) {
      const frequency = fields.lookUp("content", term).length;
      const isAsked = names.includes("content") && (frequency > 0 || found.size === 0);
      if (isAsked) terms.set(term, { frequency, boost });
    }
    if (presence !== REQUIRED || words.length === 0) continue; // a stop word asks for nothing
    const hasAll = words.every((word) => word.some((documents) => documents.length > 0));
    required.push(hasAll ? found : new Set());
  }
  const fitting = [...wanted].filter((document) =>
    !prohibited.has(document) && required.every((found) => found.has(document))
  );
  return {
    question: { terms, agents: new Set(), isSentence: false },
    fitting: new Set(fitting),
  };
}

function parse(text: string, lunr: Lunr): Clause[] | undefined {
  const query = new lunr.Query(["content", ...Object.keys(NAMES)]);
  try {
    new lunr.QueryParser(text, query).parse();
  } catch (error) {
    if (error instanceof lunr.QueryParseError) return undefined;
    throw error;
  }
  return query.clauses;
}

function isTooFuzzy({ term, editDistance = 0 }: Clause): boolean {
  return editDistance > MAX_DISTANCE || editDistance > 0 && term.includes("*");
}

/** Looks up the terms of all fields, and the documents that have them. */
class Fields {
  /** The numbers of all documents. */
  readonly all: readonly number[];
  readonly #index: MemoryIndex;
  /** Documents by field and term; the content has its own index. */
  readonly #names: Record<string, ReadonlyMap<string, readonly number[]>> = {};
  readonly #known = new Map<string, number[]>();
  #vocabulary: readonly string[] | undefined;

  constructor(index: MemoryIndex) {
    this.#index = index;
    const all = index.facets();
    this.all = all.map(({ number }) => number);
    for (const [field, nameOf] of Object.entries(NAMES)) {
      const byTerm = new Map<string, number[]>();
      for (const facets of all) {
        for (const term of new Set(termsOf(nameOf(facets)))) addTo(byTerm, term, facets.number);
      }
      this.#names[field] = byTerm;
    }
  }

  lookUp(field: string, term: string): readonly number[] {
    if (field !== "content") return this.#names[field].get(term) ?? [];
    let found = this.#known.get(term);
    if (found === undefined) this.#known.set(term, found = this.#index.containing(term));
    return found;
  }

  /** Returns the terms that each word of a clause stands for. */
  expand({ term, usePipeline, editDistance = 0 }: Clause): string[][] {
    if (!usePipeline) return [this.#all().filter(wildcardMatcher(term))];
    return termsOf(term).map((word) =>
      editDistance === 0 ? [word] : this.#all().filter((each) => isNear(word, each, editDistance))
    );
  }

  #all(): readonly string[] {
    return this.#vocabulary ??= [
      ...new Set([
        ...Object.values(this.#names).flatMap((byTerm) => [...byTerm.keys()]),
        ...this.#index.vocabulary(),
      ]),
    ];
  }
}

/** Returns a function that tells whether a whole term fits a pattern, in time that grows only with their lengths. */
export function wildcardMatcher(pattern: string): (term: string) => boolean {
  const [start, ...parts] = pattern.split("*");
  const end = parts.pop() ?? "";
  return (term) => {
    if (!term.startsWith(start) || !term.endsWith(end)) return false;
    let from = start.length;
    for (const part of parts) {
      const at = term.indexOf(part, from); // the first place leaves the most room for the others
      if (at < 0) return false;
      from = at + part.length;
    }
    return from + end.length <= term.length;
  };
}

/** Whether at most `edits` additions, removals, replacements or swaps of letters turn one word into the other. */
export function isNear(word: string, term: string, edits: number): boolean {
  if (Math.abs(word.length - term.length) > edits) return false;
  let same = 0;
  while (same < word.length && word[same] === term[same]) same++;
  const [letters, others] = [word.slice(same), term.slice(same)];
  if (letters === others) return true;
  if (edits === 0) return false;
  return isNear(letters, others.slice(1), edits - 1) ||
    isNear(letters.slice(1), others, edits - 1) ||
    isNear(letters.slice(1), others.slice(1), edits - 1) ||
    letters[1] === others[0] &&
      isNear(letters[0] + letters.slice(2), others.slice(1), edits - 1);
}

function tooManyTerms(text: string, count: number): AgentxError<"INVALID_INPUT"> {
  return new AgentxError(
    "INVALID_INPUT",
    `Cannot search for ${quote(text)}: it stands for ${count} words; the limit is ${MAX_EXPANDED}`,
    { details: { field: "query", value: text }, next: "Write more letters beside the star" },
  );
}
