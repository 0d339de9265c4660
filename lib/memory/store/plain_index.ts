// The index in memory, used if SQLite cannot be used. It reads all files, and ranks the newest observations by plain
// bm25.

import { addTo } from "../../base/groups.ts";
import type { AgentxError } from "../../base/errors.ts";
import { identityOf, isNote } from "../identity.ts";
import { hash53 } from "../../base/hash.ts";
import { byTimestamp, type Observation, supersededIds } from "../schema.ts";
import { matcherOf, type SearchFilters } from "../index/filters.ts";
import { termsOf } from "../index/tokens.ts";
import { folded, isTakenBack, type Said } from "./fold.ts";
import type { Counted, Facets, Indexed, MemoryIndex } from "../index/memory_index.ts";
import type { ChangeLine } from "../memory_line.ts";
import type { Placed, Sources } from "./sources.ts";
import { Tombstones } from "./tombstones.ts";

/** Maximum number of observations to rank: indexing this many takes a second. */
export const MOST_RANKED = 20_000;

const K1 = 1.2;
const LENGTH_SHARE = 0.75;

/** An observation with its facets, and whether searches find it. */
interface Document extends Indexed {
  facets: Facets;
  isFound: boolean;
}

/** An index that keeps all observations in memory. */
export class PlainIndex implements MemoryIndex {
  /** The failures of reading. */
  readonly failures: AgentxError[] = [];
  readonly #documents: Document[] = [];
  readonly #byId = new Map<string, Document>();
  readonly #changes = new Map<string, ChangeLine[]>();
  readonly #forgotten: ChangeLine[] = [];
  readonly #identities = new Set<number>();
  readonly #knownIds = new Set<string>();
  readonly #bySession = new Map<number, number[]>();
  #terms:
    | { postings: Map<string, Map<number, number>>; lengths: Map<number, number>; sum: number }
    | undefined;

  /** Reads all files. */
  constructor(sources: Sources) {
    const said = new Map<string, (Said & Placed)[]>();
    for (const source of sources.list().sort((a, b) => a.path < b.path ? -1 : 1)) {
      for (const { entries, failures } of sources.read(source)) {
        this.failures.push(...failures);
        for (const entry of entries) {
          if ("change" in entry) {
            const { change } = entry;
            if (change.op === "forget") this.#forgotten.push(change);
            addTo(this.#changes, change.uid, change);
          } else addTo(said, entry.observation.id, entry);
        }
      }
    }
    const tombstones = new Tombstones();
    for (const change of this.#forgotten) if (change.op === "forget") tombstones.add(change);
    const sessions = new Map<string, number>();
    const all: Indexed[] = [];
    for (const [id, places] of said) {
      const from = places.find((place) => place.from !== undefined)?.from ?? "";
      const changes = [...this.#changes.get(id) ?? [], ...this.#changes.get(from) ?? []];
      if (isTakenBack(places, changes)) continue;
      this.#knownIds.add(id);
      const result = folded(places, changes, tombstones);
      this.#identities.add(hash53(identityOf(places[0].observation)));
      if (result === undefined) continue;
      const { sessionId } = result.observation;
      const session = sessions.get(sessionId) ?? sessions.size;
      sessions.set(sessionId, session);
      all.push({ ...result, number: all.length, session });
    }
    const hidden = supersededIds(all.map(({ observation }) => observation));
    for (const each of all) {
      const { observation, number } = each;
      const { agent, category, issueNumber, timestamp } = observation;
      const timeMs = Date.parse(timestamp) || 0;
      const facets = { number, agent, category, issueNumber, timeMs };
      const document = { ...each, facets, isFound: !hidden.has(observation.id) };
      this.#documents.push(document);
      this.#byId.set(observation.id, document);
    }
    for (
      const { session, number } of this.#found().sort((a, b) => a.facets.timeMs - b.facets.timeMs)
    ) {
      addTo(this.#bySession, session, number);
    }
  }

  /** Returns the number of observations that are not ranked. */
  get unranked(): number {
    return Math.max(0, this.#found().length - MOST_RANKED);
  }

  totals(): { count: number; averageLength: number } {
    const { lengths, sum } = this.#words();
    return { count: lengths.size, averageLength: sum / Math.max(1, lengths.size) };
  }

  agents(): string[] {
    return [...new Set(this.#documents.map(({ facets }) => facets.agent))];
  }

  frequencyOf(term: string): number {
    return this.#words().postings.get(term)?.size ?? 0;
  }

  containing(term: string): number[] {
    return [...this.#words().postings.get(term)?.keys() ?? []];
  }

  vocabulary(): string[] {
    return [...this.#words().postings.keys()];
  }

  facets(): Facets[] {
    return this.#found().map(({ facets }) => facets);
  }

  best(terms: readonly string[], limit: number, filters?: SearchFilters): number[] {
    const { postings, lengths, sum } = this.#words();
    const matches = matcherOf(filters ?? {});
    const scores = new Map<number, number>();
    for (const term of terms) {
      const found = postings.get(term);
      if (found === undefined) continue;
      const weight = Math.log(1 + (lengths.size - found.size + 0.5) / (found.size + 0.5));
      for (const [number, count] of found) {
        const norm = K1 *
          (1 - LENGTH_SHARE + LENGTH_SHARE * lengths.get(number)! * lengths.size / sum);
        scores.set(number, (scores.get(number) ?? 0) + weight * count * (K1 + 1) / (count + norm));
      }
    }
    const rankOf = (number: number) => this.#documents[number].isArchived ? 1 : 0;
    return [...scores.keys()].filter((number) => matches(this.#documents[number].facets))
      .sort((a, b) => rankOf(a) - rankOf(b) || scores.get(b)! - scores.get(a)!).slice(0, limit);
  }

  counted(numbers: readonly number[], terms: readonly string[]): Counted[] {
    const { postings, lengths } = this.#words();
    return this.read(numbers).map(({ number, session, observation, isArchived }) => {
      const hits = new Map<string, number>();
      for (const term of terms) {
        const count = postings.get(term)?.get(number);
        if (count !== undefined) hits.set(term, count);
      }
      const { facets: { agent, timeMs } } = this.#documents[number];
      const length = lengths.get(number) ?? 0;
      return {
        number,
        session,
        agent,
        isNote: isNote(observation),
        timeMs,
        isArchived,
        length,
        hits,
      };
    });
  }

  read(numbers: readonly number[]): Indexed[] {
    return numbers.map((number) => this.#documents[number]).filter(({ isFound }) => isFound);
  }

  session(session: number): number[] {
    return this.#bySession.get(session) ?? [];
  }

  list(filters: SearchFilters, limit: number): Observation[] {
    const matches = matcherOf(filters);
    return this.#found().filter(({ facets }) => matches(facets)).map(({ observation }) =>
      observation
    )
      .reverse().sort((a, b) => byTimestamp(b, a)).slice(0, limit);
  }

  inPlace(issueNumber?: number): Observation[] {
    return this.#documents.filter(({ isArchived, observation }) =>
      !isArchived && (issueNumber === undefined || observation.issueNumber === issueNumber)
    ).map(({ observation }) => observation).sort((a, b) => a.issueNumber - b.issueNumber);
  }

  newest(issueNumber: number, limit: number): Observation[] {
    return this.#found().filter(({ isArchived, facets }) =>
      !isArchived && facets.issueNumber === issueNumber
    ).map(({ observation }) => observation).sort(byTimestamp).slice(-limit);
  }

  archived(issueNumber: number): Observation[] {
    return this.#documents.filter(({ isArchived, facets }) =>
      isArchived && facets.issueNumber === issueNumber
    ).map(({ observation }) => observation);
  }

  get(id: string): Observation | undefined {
    return this.#byId.get(id)?.observation;
  }

  ids(text: string): string[] {
    return [...this.#byId.keys()].filter((id) => id.startsWith(text) || id.endsWith(`-${text}`));
  }

  isKnown(id: string, identity: number): boolean {
    return this.#knownIds.has(id) || this.#identities.has(identity);
  }

  forgotten(): ChangeLine[] {
    return this.#forgotten;
  }

  issues(): number[] {
    return [...new Set(this.#documents.map(({ facets }) => facets.issueNumber))].sort((a, b) =>
      a - b
    );
  }

  #found(): Document[] {
    return this.#documents.filter(({ isFound }) => isFound);
  }

  #words() {
    if (this.#terms !== undefined) return this.#terms;
    const newest = this.#found().sort((a, b) => b.facets.timeMs - a.facets.timeMs).slice(
      0,
      MOST_RANKED,
    );
    const terms = {
      postings: new Map<string, Map<number, number>>(),
      lengths: new Map<number, number>(),
      sum: 0,
    };
    const stems = new Map<string, string>();
    for (const { number, observation } of newest) {
      const words = termsOf(observation.content, stems);
      terms.lengths.set(number, words.length);
      terms.sum += words.length;
      for (const term of words) {
        const found = terms.postings.get(term) ?? new Map<number, number>();
        found.set(number, (found.get(number) ?? 0) + 1);
        terms.postings.set(term, found);
      }
    }
    return this.#terms = terms;
  }
}
