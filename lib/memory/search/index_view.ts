/**
 * The search index as one reader sees it at one moment: its segments one after the other, with the
 * figures that ranking needs taken over all of them. Nothing here depends on where one segment ends
 * and the next begins. Pure.
 *
 * @module
 */

import type { Observation } from "../schema.ts";
import type { Filtered } from "./filters.ts";
import { type Postings, postingsOf } from "./records.ts";
import type { Run, Segment } from "./segment.ts";

/** What must not be shown, by the hashes of ids. */
export interface HiddenIds {
  /** Removed or retracted. */
  gone: readonly number[];
  /** A superseded one, and the one that supersedes it as long as that is not gone. */
  superseded: ReadonlyArray<readonly [superseded: number, by: number]>;
}

/** Documents side by side: the number of the first one, and the one behind the last. */
interface Span {
  first: number;
  end: number;
}

/** Documents of one session side by side, and the order of the whole session where that is not theirs. */
export interface Surroundings extends Span {
  order: readonly number[] | undefined;
}

/** What is found out about each document while one question is answered. */
interface Figures {
  scores: Float64Array;
  hits: Float64Array;
  touched: Uint32Array;
}

/** An unchanging view of the index; an observation in it is a document, and has a number. */
export class IndexView {
  /** In the order of arrival. */
  readonly segments: readonly Segment[];
  /** The issues of which a file could not be read when the index was made. */
  readonly damaged: readonly number[];
  /** How many documents there are, with hidden ones: their numbers are below this. */
  readonly size: number = 0;
  /** How many can be found. */
  readonly liveCount: number;
  /** Terms of a document on average, of those that can be found. */
  readonly averageLength: number;
  /** How many terms each document has. */
  readonly lengths: Uint32Array;
  /** The number of the first document of each segment. */
  readonly #bases: number[] = [];
  /** For each document, whether it must not be shown; undefined where all may. */
  readonly #hidden: Uint8Array | undefined;
  #manyRuns: Map<number, Span[]> | undefined;
  /** For each document, its session plus one, or 0 where nobody has asked. */
  #sessions: Uint32Array | undefined;
  /** By the hash of a session, the first document that was seen of it. */
  readonly #firsts = new Map<number, number>();
  readonly #orders = new Map<number, number[]>();
  #figures: Figures | undefined;

  constructor(
    segments: readonly Segment[],
    hidden: HiddenIds,
    damaged: readonly number[] = [],
  ) {
    this.segments = segments;
    this.damaged = damaged;
    let liveCount = 0;
    let total = 0;
    for (const { size, totalLength } of segments) {
      this.#bases.push(this.size);
      this.size += size;
      liveCount += size;
      total += totalLength;
    }
    this.lengths = new Uint32Array(this.size);
    for (const [index, { lengths }] of segments.entries()) {
      this.lengths.set(lengths, this.#bases[index]);
    }
    this.#hidden = this.#findHidden(hidden);
    for (let document = 0; this.#hidden !== undefined && document < this.size; document++) {
      if (this.isLive(document)) continue;
      liveCount--;
      total -= this.lengths[document];
    }
    this.liveCount = liveCount;
    this.averageLength = liveCount === 0 ? 0 : total / liveCount;
  }

  /** Milliseconds since the epoch. */
  timeOf(document: number): number {
    const { segment, number } = this.placeOf(document);
    return segment.timesMs[number];
  }

  isLive(document: number): boolean {
    return this.#hidden?.[document] !== 1;
  }

  /** All documents that can be found, or those of one issue. */
  documents(issueNumber?: number): number[] {
    if (issueNumber === undefined) return this.#live([{ first: 0, end: this.size }]);
    return this.#live(
      this.segments.flatMap((segment, index) =>
        segment.runs().filter((run) => run.issueNumber === issueNumber)
          .map(({ first, end }) => ({
            first: this.#bases[index] + first,
            end: this.#bases[index] + end,
          }))
      ),
    );
  }

  placeOf(document: number): { segment: Segment; number: number } {
    let index = this.#bases.length - 1;
    while (this.#bases[index] > document) index--;
    return { segment: this.segments[index], number: document - this.#bases[index] };
  }

  /** The documents that have a term and can be found. */
  lookUp(term: string): Postings {
    const records = this.segments.map((segment) => segment.lookUp(term));
    const postings = postingsOf(records.reduce((sum, record) => sum + (record?.count ?? 0), 0));
    let end = 0;
    for (const [index, record] of records.entries()) {
      if (record === undefined) continue;
      record.readInto(postings, end, this.#bases[index]);
      end += record.count;
    }
    return this.#hidden === undefined ? postings : this.#onlyLive(postings);
  }

  /** What filters look at; nothing is read but what they ask for. */
  filteredAt(document: number): Filtered {
    const { segment, number } = this.placeOf(document);
    return {
      get agent() {
        return segment.agentOf(number);
      },
      get category() {
        return segment.categoryOf(number);
      },
      get issueNumber() {
        return segment.runOf(number).issueNumber;
      },
      get timeMs() {
        return segment.timesMs[number];
      },
    };
  }

  /** A document as it was when it came. */
  observationOf(document: number): Observation {
    const { segment, number } = this.placeOf(document);
    return segment.observations(number, number + 1)[0];
  }

  /** As {@linkcode IndexView.observationOf}; those that lie side by side are read at once. */
  observationsOf(documents: readonly number[]): Observation[] {
    const found: Observation[] = [];
    for (let at = 0, end = 0; at < documents.length; at = end) {
      const { segment, number } = this.placeOf(documents[at]);
      const most = at + segment.size - number;
      do end++; while (end < most && documents[end] === documents[end - 1] + 1);
      for (const each of segment.observations(number, number + end - at)) found.push(each);
    }
    return found;
  }

  /** Those of one issue; of very many, the newest. */
  newestOf(issueNumber: number, limit: number): Observation[] {
    const all = this.documents(issueNumber);
    if (all.length <= limit) return this.observationsOf(all);
    const since = all.map((document) => this.timeOf(document)).sort((a, b) => b - a)[limit - 1];
    return this.observationsOf(all.filter((document) => this.timeOf(document) >= since));
  }

  /** A number below {@linkcode IndexView.size} that all documents of a session have in common. */
  sessionOf(document: number): number {
    const sessions = this.#sessions ??= new Uint32Array(this.size);
    if (sessions[document] === 0) {
      const { segment, number } = this.placeOf(document);
      const { sessionHash, first, end } = segment.runOf(number);
      const start = document - number + first;
      const known = this.#firsts.get(sessionHash) ?? start;
      this.#firsts.set(sessionHash, known);
      sessions.fill(known + 1, start, start + end - first);
    }
    return sessions[document] - 1;
  }

  /** Where the session of a document lies around it. */
  sessionAround(document: number): Surroundings {
    const { segment, number } = this.placeOf(document);
    const run = segment.runOf(number);
    const first = document - number + run.first;
    return { first, end: first + run.end - run.first, order: this.#orderOf(run, first) };
  }

  /** Room for figures of each document; whoever uses it sets the scores and hits back to 0. */
  get figures(): Figures {
    return this.#figures ??= {
      scores: new Float64Array(this.size),
      hits: new Float64Array(this.size),
      touched: new Uint32Array(this.size),
    };
  }

  #onlyLive({ documents, frequencies }: Postings): Postings {
    const isLive = (_: number, at: number) => this.isLive(documents[at]);
    return { documents: documents.filter(isLive), frequencies: frequencies.filter(isLive) };
  }

  #findHidden({ gone, superseded }: HiddenIds): Uint8Array | undefined {
    const isGone = new Set(gone);
    const corrected = superseded.filter(([, by]) => !isGone.has(by)).map(([id]) => id);
    const hidden = new Set([...gone, ...corrected]);
    if (hidden.size === 0) return undefined;
    const marks = new Uint8Array(this.size);
    for (const [index, { idHashes }] of this.segments.entries()) {
      for (let number = 0; number < idHashes.length; number++) {
        if (hidden.has(idHashes[number])) marks[this.#bases[index] + number] = 1;
      }
    }
    return marks;
  }

  /**
   * By time, and then as a rebuilt index has them: what arrived late may belong earlier. Most sessions are
   * one run of documents in their order: undefined.
   */
  #orderOf({ sessionHash, isLate, first, end }: Run, start: number): readonly number[] | undefined {
    const runs = this.#scattered().get(sessionHash);
    if (runs === undefined && !isLate) {
      const isHidden = this.#hidden?.subarray(start, start + end - first).includes(1);
      return isHidden ? this.#live([{ first: start, end: start + end - first }]) : undefined;
    }
    let order = this.#orders.get(sessionHash);
    if (order !== undefined) return order;
    order = this.#live(runs ?? [{ first: start, end: start + end - first }]);
    order.sort((a, b) =>
      this.timeOf(a) - this.timeOf(b) || this.#issueOf(a) - this.#issueOf(b) || a - b
    );
    this.#orders.set(sessionHash, order);
    return order;
  }

  /** The runs of the sessions that have more than one. */
  #scattered(): ReadonlyMap<number, Span[]> {
    if (this.#manyRuns !== undefined) return this.#manyRuns;
    const all = this.segments.map(({ runHashes }) => runHashes);
    const hashes = new Float64Array(all.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const each of all) {
      hashes.set(each, at);
      at += each.length;
    }
    hashes.sort();
    const runs = this.#manyRuns = new Map<number, Span[]>();
    for (let index = 1; index < hashes.length; index++) {
      if (hashes[index] === hashes[index - 1]) runs.set(hashes[index], []);
    }
    if (runs.size === 0) return runs;
    for (const [index, segment] of this.segments.entries()) {
      segment.runHashes.forEach((hash, run) => {
        const known = runs.get(hash);
        if (known === undefined) return;
        const { first, end } = segment.runAt(run);
        known.push({ first: this.#bases[index] + first, end: this.#bases[index] + end });
      });
    }
    return runs;
  }

  #live(spans: readonly Span[]): number[] {
    const found: number[] = [];
    for (const { first, end } of spans) {
      for (let document = first; document < end; document++) {
        if (this.isLive(document)) found.push(document);
      }
    }
    return found;
  }

  #issueOf(document: number): number {
    const { segment, number } = this.placeOf(document);
    return segment.runOf(number).issueNumber;
  }
}
