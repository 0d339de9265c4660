/**
 * Observations that nobody needs tomorrow: the second implementation of the store, for tests in which
 * the disk is not the point.
 *
 * @module
 */

import { fingerprintOf } from "../../lib/memory/identity.ts";
import {
  byTimestamp,
  checkCapture,
  indexOf,
  type Observation,
  type ObservationIndex,
  supersededIds,
} from "../../lib/memory/schema.ts";
import { matcherOf, type SearchFilters } from "../../lib/memory/index/filters.ts";
import type { ObservationHit } from "../../lib/memory/search/search.ts";
import { termsOf } from "../../lib/memory/index/tokens.ts";
import type { IObservationStore, RecallCandidates } from "../../lib/memory/store/store.ts";
import { type StoreStats, summariseStore } from "../../lib/memory/store/stats.ts";

/** Finds what shares most words with a query. */
export class MemoryOnlyStore implements IObservationStore {
  /** In the order of their arrival. */
  all: Observation[] = [];
  readonly #known = new Set<string>();
  readonly #recalls = new Map<string, number>();

  async store(observations: readonly Observation[]): Promise<Observation[]> {
    checkCapture(observations);
    const fresh = observations.filter((each) => {
      const names = [each.id, fingerprintOf(each)];
      const isNew = !names.some((name) => this.#known.has(name));
      for (const name of names) this.#known.add(name);
      return isNew;
    });
    this.all.push(...fresh);
    return await Promise.resolve(fresh);
  }

  async getByIssue(issueNumber: number): Promise<Observation[]> {
    return await Promise.resolve(this.all.filter((each) => each.issueNumber === issueNumber));
  }

  async candidates(
    issueNumber: number,
    topics: readonly string[],
    limit: number,
  ): Promise<RecallCandidates> {
    const hidden = supersededIds(this.all);
    const ofIt = this.all.filter((each) =>
      each.issueNumber === issueNumber && !hidden.has(each.id)
    );
    const own = issueNumber === 0 && topics.length > 0 ? [] : ofIt;
    const hits: RecallCandidates["hits"] = [];
    for (const topic of topics) {
      for (const { id, score } of await this.search(topic, limit)) {
        hits.push({ observation: this.all.find((each) => each.id === id)!, score });
      }
    }
    return { own, hits, rare: new Set(topics.flatMap((topic) => termsOf(topic))) };
  }

  async getById(id: string): Promise<Observation | null> {
    return await Promise.resolve(this.all.find((each) => each.id === id) ?? null);
  }

  async search(query: string, limit = 20, filters: SearchFilters = {}): Promise<ObservationHit[]> {
    const words = new Set(termsOf(query));
    const hits = (await this.searchByFilters(filters)).map((entry) => {
      const { content } = this.all.find(({ id }) => id === entry.id)!;
      return { ...entry, score: new Set(termsOf(content)).intersection(words).size };
    });
    const found = hits.filter(({ score }) => score > 0);
    return found.sort((a, b) => b.score - a.score).slice(0, limit);
  }

  async searchByFilters(filters: SearchFilters): Promise<ObservationIndex[]> {
    const hidden = supersededIds(this.all);
    const visible = this.all.filter(({ id }) => !hidden.has(id)).sort((a, b) => byTimestamp(b, a));
    const matches = matcherOf(filters);
    const fitting = visible.filter((each) =>
      matches({ ...each, timeMs: Date.parse(each.timestamp) })
    );
    return await Promise.resolve(fitting.map(indexOf));
  }

  async remove(id: string): Promise<boolean> {
    const before = this.all;
    this.all = before.filter((each) => each.id !== id);
    return await Promise.resolve(this.all.length < before.length);
  }

  async listAll(): Promise<Observation[]> {
    return await Promise.resolve(this.all);
  }

  async reanchor(
    id: string,
    place: Pick<Observation, "anchors" | "commit">,
  ): Promise<Observation> {
    this.all = this.all.map((each) => each.id === id ? { ...each, ...place } : each);
    return await Promise.resolve(this.all.find((each) => each.id === id)!);
  }

  async getStats(): Promise<StoreStats> {
    return await Promise.resolve(summariseStore(this.all, { bytes: 0, nowMs: 0 }));
  }

  async recallCounts(): Promise<Map<string, number>> {
    return await Promise.resolve(this.#recalls);
  }

  async incrementRecallCount(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#recalls.set(id, (this.#recalls.get(id) ?? 0) + 1);
    await Promise.resolve();
  }

  async close(): Promise<void> {}
}
