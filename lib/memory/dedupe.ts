// Finds texts that say the same. Pure.
//
// Two texts with nine tenths of their words in common also share one of their rarest words. So only texts that share a
// rare word are compared, and the time hardly grows with the number of texts.

import { addTo } from "../base/groups.ts";
import { overlap, wordsOf } from "../text/similarity.ts";
import { claimOf } from "./last_word.ts";
import type { ObservationIndex } from "./schema.ts";
import type { SearchFilters } from "./index/filters.ts";
import type { ObservationHit } from "./search/search.ts";
import type { JsonObservationStore } from "./store/store.ts";

/** Texts with this share of words in common say the same; short texts must not differ in a single word. */
const SAME = 0.9;

/** Checks texts one by one: whether an earlier one says the same. */
export class SaidBefore {
  readonly #sets: ReadonlySet<string>[] = [];
  readonly #values: string[] = [];
  readonly #byRareWord = new Map<string, number[]>();

  /** Adds a text, and returns the index of the first text that says the same: its own index if none does. */
  add(text: string): number {
    const words = wordsOf(text);
    const index = this.#sets.push(words) - 1;
    const values = this.#values[index] = valuesIn(text);
    const count = words.size - Math.ceil(SAME * words.size) + 1;
    const rare = [...words].sort(isRarer).slice(0, count);
    for (const word of rare) {
      const first = this.#byRareWord.get(word)
        ?.find((other) =>
          this.#values[other] === values && overlap(words, this.#sets[other]) >= SAME
        );
      if (first !== undefined) return first;
    }
    for (const word of rare) addTo(this.#byRareWord, word, index);
    return index;
  }
}

/** Texts that differ in a number, a name or a negation are different, whatever their length. */
function valuesIn(text: string): string {
  const { numbers, names, negations, written } = claimOf(text);
  const compound = written.filter((word) => /[a-z][A-Z]/.test(word));
  return [...new Set([...numbers, ...names, ...compound, `no ${negations}`])].sort().join(" ");
}

/** Orders words by rarity: a longer word counts as rarer. */
function isRarer(a: string, b: string): number {
  return b.length - a.length || (a < b ? -1 : 1);
}

/** Number of hits to read for each hit to show, because some hits say the same. */
const SPARE = 2;

/** Searches a store. */
export class MemorySearch {
  readonly #store: () => Promise<Pick<JsonObservationStore, "search" | "searchByFilters">>;

  /** Reads nothing yet. `store` opens the store. */
  constructor(store: () => Promise<Pick<JsonObservationStore, "search" | "searchByFilters">>) {
    this.#store = store;
  }

  /** Returns the hits, the best first, as {@linkcode JsonObservationStore.search} does. */
  async search(query: string, limit: number, filters?: SearchFilters): Promise<ObservationHit[]> {
    return eachOnce(await (await this.#store()).search(query, limit * SPARE, filters), limit);
  }

  /** Returns the observations, the newest first, as {@linkcode JsonObservationStore.searchByFilters} does. */
  async list(filters: SearchFilters, limit: number): Promise<ObservationIndex[]> {
    const store = await this.#store();
    for (let count = limit * SPARE;; count *= 10) {
      const found = await store.searchByFilters(filters, count);
      const kept = eachOnce(found, limit);
      if (kept.length === limit || found.length < count) return kept;
    }
  }
}

/** Returns the entries in the order found, without entries that say the same as an earlier one. */
function eachOnce<Entry extends ObservationIndex>(found: readonly Entry[], limit: number): Entry[] {
  const said = new SaidBefore();
  const kept: Entry[] = [];
  let at = 0;
  for (const each of found) {
    if (said.add(each.summary) === at++ && kept.push(each) === limit) break;
  }
  return kept;
}
