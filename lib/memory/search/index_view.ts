/**
 * The search index as one reader sees it at one moment: its segments one after the other, with the
 * figures that ranking needs taken over all of them. Nothing here depends on where one segment ends
 * and the next begins. Pure.
 *
 * @module
 */

import type { ObservationIndex } from "../schema.ts";
import type { Postings } from "./records.ts";
import type { Segment } from "./segment.ts";

/** What must not be shown, by the hashes of ids. */
export interface HiddenIds {
  /** Removed or retracted. */
  gone: readonly number[];
  /** A superseded one, and the one that supersedes it as long as that is not gone. */
  superseded: ReadonlyArray<readonly [superseded: number, by: number]>;
}

/** The sessions, each with those of its observations that can be found, in their order. */
export interface Sessions {
  /** The documents that can be found, session by session. */
  order: Uint32Array;
  /** For each document, where it is in `order`. */
  places: Uint32Array;
  /** For each document, the number of its session. */
  sessionOf: Uint32Array;
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
  readonly lengths: Uint32Array;
  readonly timesMs: Float64Array;
  /** The number of the first document of each segment. */
  readonly #bases: number[] = [];
  /** For each document, whether it must not be shown; undefined where all may. */
  readonly #hidden: Uint8Array | undefined;
  #sessions: Sessions | undefined;
  #figures: [scores: Float64Array, hits: Float64Array] | undefined;

  constructor(
    segments: readonly Segment[],
    hidden: HiddenIds,
    damaged: readonly number[] = [],
  ) {
    this.segments = segments;
    this.damaged = damaged;
    for (const { size } of segments) {
      this.#bases.push(this.size);
      this.size += size;
    }
    this.lengths = new Uint32Array(this.size);
    this.timesMs = new Float64Array(this.size);
    for (const [index, { lengths, timesMs }] of segments.entries()) {
      this.lengths.set(lengths, this.#bases[index]);
      this.timesMs.set(timesMs, this.#bases[index]);
    }
    this.#hidden = this.#findHidden(hidden);
    let liveCount = 0;
    let length = 0;
    for (let document = 0; document < this.size; document++) {
      if (!this.isLive(document)) continue;
      liveCount++;
      length += this.lengths[document];
    }
    this.liveCount = liveCount;
    this.averageLength = liveCount === 0 ? 0 : length / liveCount;
  }

  isLive(document: number): boolean {
    return this.#hidden?.[document] !== 1;
  }

  /** All documents that can be found. */
  documents(): number[] {
    const all = Array.from({ length: this.size }, (_, document) => document);
    return all.filter((document) => this.isLive(document));
  }

  placeOf(document: number): { segment: Segment; number: number } {
    let index = this.#bases.length - 1;
    while (this.#bases[index] > document) index--;
    return { segment: this.segments[index], number: document - this.#bases[index] };
  }

  /** The documents that have a term and can be found. */
  lookUp(term: string): Postings {
    const found = this.segments.map((segment) => segment.lookUp(term));
    const count = found.reduce((sum, postings) => sum + (postings?.documents.length ?? 0), 0);
    const documents = new Uint32Array(count);
    const frequencies = new Uint32Array(count);
    let at = 0;
    for (const [index, postings] of found.entries()) {
      if (postings === undefined) continue;
      const base = this.#bases[index];
      for (let place = 0; place < postings.documents.length; place++) {
        const document = base + postings.documents[place];
        if (!this.isLive(document)) continue;
        documents[at] = document;
        frequencies[at++] = postings.frequencies[place];
      }
    }
    return { documents: documents.subarray(0, at), frequencies: frequencies.subarray(0, at) };
  }

  /** What the manifest would say of a document. */
  entryOf(document: number): ObservationIndex {
    const { segment, number } = this.placeOf(document);
    return segment.entryAt(number);
  }

  /** The sessions of all documents; made when they are first asked for. */
  get sessions(): Sessions {
    return this.#sessions ??= this.#findSessions();
  }

  /** Room for two figures of each document, all 0; its user sets them back to 0. */
  get figures(): [scores: Float64Array, hits: Float64Array] {
    return this.#figures ??= [new Float64Array(this.size), new Float64Array(this.size)];
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

  #findSessions(): Sessions {
    const sessions = new Map<number, number[]>();
    let lastHash = NaN;
    let last: number[] = [];
    for (const [index, { sessionHashes }] of this.segments.entries()) {
      for (let number = 0; number < sessionHashes.length; number++) {
        const document = this.#bases[index] + number;
        if (!this.isLive(document)) continue;
        const hash = sessionHashes[number];
        if (hash !== lastHash) {
          last = sessions.get(hash) ?? [];
          if (last.length === 0) sessions.set(hash, last);
          lastHash = hash;
        }
        last.push(document);
      }
    }
    const { timesMs } = this;
    const compare = (a: number, b: number) =>
      timesMs[a] - timesMs[b] || this.#issueOf(a) - this.#issueOf(b) || a - b;
    const order = new Uint32Array(this.liveCount);
    const places = new Uint32Array(this.size);
    const sessionOf = new Uint32Array(this.size);
    let place = 0;
    let number = 0;
    for (const documents of sessions.values()) {
      // By time, and then as a rebuilt index has them: what arrived late may belong earlier.
      const isLate = documents.some((document, at) =>
        at > 0 && timesMs[document] <= timesMs[documents[at - 1]]
      );
      if (isLate) documents.sort(compare);
      for (let at = 0; at < documents.length; at++) {
        order[place] = documents[at];
        sessionOf[documents[at]] = number;
        places[documents[at]] = place++;
      }
      number++;
    }
    return { order, places, sessionOf };
  }

  #issueOf(document: number): number {
    const { segment, number } = this.placeOf(document);
    return segment.issueNumbers[number];
  }
}
