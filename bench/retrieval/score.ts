// Judges a search by the labelled set. It knows no engine: it is given a function.

import type { LabelledQuery, RetrievalSet } from "./set.ts";

/** Gives ids of observations, the best first, at most `limit`; none where nothing is relevant. */
export type Search = (query: string, limit: number) => Promise<string[]>;

/** How a search did on some queries. */
export interface RetrievalScore {
  /** How many queries have evidence. */
  queries: number;
  /** Part of a query's evidence among the first ten, on average over the queries. */
  recallAt10: number;
  /** Part of a query's evidence among what fits into 1,000 tokens, on average over the queries. */
  within1000Tokens: number;
  /** How many queries have no evidence. */
  unrelated: number;
  /** Part of the unrelated queries for which something came. */
  noise: number;
}

const TOKENS = 1_000;

/** More observations than fit into 1,000 tokens, also if all of them are short. */
const CANDIDATES = 100;

/** The score of each kind of query and, as `all`, of all of them. */
export async function scoreSearch(
  { observations, queries }: RetrievalSet,
  search: Search,
): Promise<Map<string, RetrievalScore>> {
  const tokens = new Map(observations.map(({ id, tokens }) => [id, tokens]));
  const rows: { query: LabelledQuery; found: string[] }[] = [];
  for (const query of queries) rows.push({ query, found: await search(query.query, CANDIDATES) });
  const kinds = [...new Set(queries.map(({ kind }) => kind))];
  const groups = [
    ...kinds.map((kind) => [kind, rows.filter(({ query }) => query.kind === kind)] as const),
    ["all", rows] as const,
  ];
  return new Map(groups.map(([name, rows]) => {
    const related = rows.filter(({ query }) => query.evidence.length > 0);
    const unrelated = rows.filter(({ query }) => query.evidence.length === 0);
    return [name, {
      queries: related.length,
      recallAt10: mean(related.map(({ query, found }) => recall(query, found.slice(0, 10)))),
      within1000Tokens: mean(
        related.map(({ query, found }) => recall(query, fitting(found, tokens))),
      ),
      unrelated: unrelated.length,
      noise: mean(unrelated.map(({ found }) => found.length > 0 ? 1 : 0)),
    }];
  }));
}

/** A table with one line per kind. */
export function renderScores(scores: ReadonlyMap<string, RetrievalScore>): string {
  const figure = (value: number, of: number) => (of === 0 ? "-" : value.toFixed(3)).padStart(8);
  const lines = Array.from(
    scores,
    ([name, score]) =>
      name.padEnd(12) + String(score.queries + score.unrelated).padStart(8) +
      figure(score.recallAt10, score.queries) + figure(score.within1000Tokens, score.queries) +
      figure(score.noise, score.unrelated),
  );
  return [`${"".padEnd(12)} queries    r@10  <=1000   noise`, ...lines].join("\n");
}

/** What is taken, the best first, as long as it fits; what does not fit is passed over. */
function fitting(found: string[], tokens: ReadonlyMap<string, number>): string[] {
  let left = TOKENS;
  return found.filter((id) => {
    const cost = tokens.get(id);
    if (cost === undefined) throw new RangeError(`Cannot score "${id}": it was not stored`);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}

function recall({ evidence }: LabelledQuery, found: string[]): number {
  return evidence.filter((id) => found.includes(id)).length / evidence.length;
}

function mean(values: number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
