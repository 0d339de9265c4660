/**
 * What people search and list of memory. The index is asked as it is, and the whole store is opened only
 * where it has to be put right first.
 *
 * @module
 */

import { SaidBefore } from "./dedupe.ts";
import type { ObservationIndex } from "./schema.ts";
import type { Matcher, SearchFilters } from "./search/filters.ts";
import { findHits, listObservations } from "./search/search.ts";
import type { IObservationStore } from "./store/observation_store.ts";
import { ReadyIndex } from "./store/ready_index.ts";

/** Entries that are compared where all that fit are listed. */
const MANY = 10_000;

/** So many times as many hits are looked at as are shown: some say what another one says. */
const SPARE = 4;

/** Finds what a store finds, in less time; what several sessions said in the same words once. */
export class MemorySearch {
  readonly #index: ReadyIndex;
  readonly #open: () => Promise<IObservationStore>;

  /** Reads nothing yet. `open` opens the whole store of the folder, `.agentx/memory`. */
  constructor(folder: string, open: () => Promise<IObservationStore>) {
    this.#index = new ReadyIndex(folder);
    this.#open = open;
  }

  /** The best first, as {@linkcode IObservationStore.search}. */
  async search(query: string, limit: number, filters?: SearchFilters): Promise<ObservationIndex[]> {
    const matches = filters === undefined ? undefined : await matcherOf(filters);
    const most = limit * SPARE;
    return await this.#index.look(async (view) =>
      eachOnce(await findHits(query, view, most, matches), limit)
    ) ?? eachOnce(await (await this.#open()).search(query, most, filters), limit);
  }

  /** The newest first, as {@linkcode IObservationStore.searchByFilters}. */
  async list(filters: SearchFilters, limit: number): Promise<ObservationIndex[]> {
    const matches = await matcherOf(filters);
    const found =
      await this.#index.look((view) => listObservations(matches, view, filters.issueNumber)) ??
        await (await this.#open()).searchByFilters(filters);
    return eachOnce(found.slice(0, MANY), limit);
  }
}

/** Most searches have none. */
async function matcherOf(filters: SearchFilters): Promise<Matcher> {
  return (await import("./search/filters.ts")).matcherOf(filters);
}

/** As they were found first. */
function eachOnce(found: Iterable<ObservationIndex>, limit: number): ObservationIndex[] {
  const said = new SaidBefore();
  const kept: ObservationIndex[] = [];
  let at = 0;
  for (const each of found) {
    if (said.add(each.summary) === at++ && kept.push(each) === limit) break;
  }
  return kept;
}
