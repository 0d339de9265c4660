/**
 * Search by words and by vectors: how well the words fit, and how near the vectors are, count alike.
 *
 * @module
 */

import { hash53 } from "../hash.ts";
import type { Observation, ObservationIndex } from "../schema.ts";
import type { Embedder } from "./embedder.ts";
import type { SearchFilters } from "./filters.ts";
import type { FoundObservation, ObservationHit } from "./search.ts";
import { similarity, type Vector, vectorOf, Vectors } from "./vectors.ts";

/** Texts of one call of the model. */
const BATCH = 64;

/** Hits by words that are looked at: of many, one that is near may be better than the first ones. */
const MIN_HITS = 50;

/** What is needed of a store. */
interface SearchedStore {
  search(query: string, limit: number): Promise<ObservationHit[]>;
  searchByFilters(filters: SearchFilters): Promise<ObservationIndex[]>;
  getByIssue(issueNumber: number): Promise<Observation[]>;
}

/** Searches a store with a model. */
export class VectorSearch {
  readonly #store: SearchedStore;
  readonly #embedder: Embedder;
  readonly #vectors: Vectors;

  /** The vectors are kept in the file; without one, for as long as this object. */
  constructor(store: SearchedStore, embedder: Embedder, path: string | undefined) {
    this.#store = store;
    this.#embedder = embedder;
    this.#vectors = new Vectors(path, embedder.name);
  }

  /** As the search of the store; among the hits are those of which no word is in the query. */
  async search(query: string, limit: number): Promise<ObservationHit[]> {
    const entries = await this.#catchUp();
    const [asked] = await this.#embed([query]);
    const byWords = await this.#store.search(query, Math.max(limit, MIN_HITS));
    const best = byWords.at(0)?.score || 1;
    const hits = new Map(byWords.map((hit) => [hit.id, { ...hit, score: hit.score / best }]));
    const { minSimilarity } = this.#embedder;
    for (const entry of entries) {
      const near = similarity(asked, this.#vectors.all.get(keyOf(entry)) ?? asked.subarray(0, 0));
      if (near < minSimilarity) continue;
      const score = (near - minSimilarity) / (1 - minSimilarity);
      hits.set(entry.id, { ...entry, score: score + (hits.get(entry.id)?.score ?? 0) });
    }
    return [...hits.values()].sort((a, b) => b.score - a.score).slice(0, limit);
  }

  /** What a search for each of some queries finds, with all that the observations say. */
  async find(queries: readonly string[], limit: number): Promise<FoundObservation[]> {
    const hits: ObservationHit[] = [];
    for (const query of queries) hits.push(...await this.search(query, limit));
    const whole = await this.#read(hits);
    return hits.flatMap(({ id, score }) => {
      const observation = whole.get(id);
      return observation === undefined ? [] : [{ observation, score }];
    });
  }

  /** Makes the vectors that are missing, and drops those of what is gone; returns what there is. */
  async #catchUp(): Promise<ObservationIndex[]> {
    const entries = await this.#store.searchByFilters({});
    const keys = new Set(entries.map(keyOf));
    const missing = entries.filter((entry) => !this.#vectors.all.has(keyOf(entry)));
    const added = new Map<string, Vector>();
    const whole = await this.#read(missing);
    for (let from = 0; from < missing.length; from += BATCH) {
      const batch = missing.slice(from, from + BATCH);
      const vectors = await this.#embed(batch.map(({ id }) => whole.get(id)?.content ?? ""));
      batch.forEach((entry, index) => added.set(keyOf(entry), vectors[index]));
    }
    const isGone = this.#vectors.all.size + added.size > keys.size;
    if (added.size > 0 || isGone) this.#vectors.change(added, keys);
    return entries;
  }

  /** By id, all of the issues of some entries. */
  async #read(entries: readonly ObservationIndex[]): Promise<Map<string, Observation>> {
    const whole = new Map<string, Observation>();
    for (const issue of new Set(entries.map(({ issueNumber }) => issueNumber))) {
      for (const each of await this.#store.getByIssue(issue)) whole.set(each.id, each);
    }
    return whole;
  }

  async #embed(texts: readonly string[]): Promise<Vector[]> {
    const { name, embed } = this.#embedder;
    const vectors = await embed.call(this.#embedder, texts);
    if (vectors.length === texts.length) return vectors.map(vectorOf);
    throw new RangeError(
      `Cannot use "${name}": ${vectors.length} vectors of ${texts.length} texts`,
    );
  }
}

/** Another text under the same id has another vector. */
function keyOf({ id, summary, tokens }: ObservationIndex): string {
  return `${id} ${hash53(`${tokens} ${summary}`).toString(36)}`;
}
