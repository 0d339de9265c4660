/**
 * All indexed observations as one: segments one after the other, with the figures that ranking needs
 * taken over all of them. Nothing here depends on where one segment ends and the next begins. Pure.
 *
 * @module
 */

import type { Segment } from "./segment.ts";

/** What must not be shown, by the hashes of ids. */
export interface HiddenIds {
  /** Removed or retracted. */
  gone: ReadonlySet<number>;
  /** A superseded one, and the one that supersedes it as long as that is not gone. */
  superseded: ReadonlyArray<readonly [superseded: number, by: number]>;
}

/** Where an observation is. */
export interface Place {
  segment: Segment;
  /** The index of the segment. */
  segmentIndex: number;
  /** The number of the observation in it. */
  number: number;
}

/** Observations that have a term, over all segments and without the hidden ones. */
export interface TermHits {
  /** Ascending. */
  documents: Uint32Array;
  frequencies: Uint32Array;
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

/** An unchanging view of the observations. */
export class Corpus {
  /** In the order of arrival. */
  readonly segments: readonly Segment[];
  /** How many documents there are, with hidden ones: their numbers are below this. */
  readonly size: number;
  /** How many can be found. */
  readonly liveCount: number;
  /** Terms of a document on average, of those that can be found. */
  readonly averageLength: number;
  /** Terms of each document. */
  readonly lengths: Uint32Array;
  /** Milliseconds since the epoch, of each document. */
  readonly timesMs: Float64Array;
  /** The issue of each document. */
  readonly issueNumbers: Uint32Array;
  readonly #bases: number[] = [];
  readonly #hidden: Uint8Array | undefined;
  #sessions: Sessions | undefined;

  /**
   * @param segments in the order of arrival
   * @param hidden what cannot be found
   */
  constructor(segments: readonly Segment[], hidden: HiddenIds) {
    this.segments = segments;
    let size = 0;
    for (const segment of segments) {
      this.#bases.push(size);
      size += segment.size;
    }
    this.size = size;
    this.lengths = new Uint32Array(size);
    this.timesMs = new Float64Array(size);
    this.issueNumbers = new Uint32Array(size);
    for (const [index, segment] of segments.entries()) {
      this.lengths.set(segment.lengths, this.#bases[index]);
      this.timesMs.set(segment.timesMs, this.#bases[index]);
      this.issueNumbers.set(segment.issueNumbers, this.#bases[index]);
    }
    this.#hidden = this.#findHidden(hidden);
    let liveCount = size;
    let length = 0;
    for (let document = 0; document < size; document++) length += this.lengths[document];
    for (let document = 0; this.#hidden !== undefined && document < size; document++) {
      if (this.#hidden[document] === 0) continue;
      liveCount--;
      length -= this.lengths[document];
    }
    this.liveCount = liveCount;
    this.averageLength = liveCount === 0 ? 0 : length / liveCount;
  }

  /** @returns whether a document can be found */
  isLive(document: number): boolean {
    return this.#hidden?.[document] !== 1;
  }

  /** @returns where a document is */
  placeOf(document: number): Place {
    let segmentIndex = this.#bases.length - 1;
    while (this.#bases[segmentIndex] > document) segmentIndex--;
    const segment = this.segments[segmentIndex];
    return { segment, segmentIndex, number: document - this.#bases[segmentIndex] };
  }

  /** @returns the documents that have a term */
  lookUp(term: string): TermHits {
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
        if (this.#hidden?.[document] === 1) continue;
        documents[at] = document;
        frequencies[at++] = postings.frequencies[place];
      }
    }
    return { documents: documents.subarray(0, at), frequencies: frequencies.subarray(0, at) };
  }

  /** The sessions of all documents; made when they are first asked for. */
  get sessions(): Sessions {
    return this.#sessions ??= this.#findSessions();
  }

  #findHidden({ gone, superseded }: HiddenIds): Uint8Array | undefined {
    const hidden = new Set(gone);
    for (const [id, by] of superseded) if (!gone.has(by)) hidden.add(id);
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
    const hidden = this.#hidden;
    const sessionOf = new Uint32Array(this.size);
    const numbers = new Map<number, number>();
    const counts: number[] = [];
    let lastHash = NaN;
    let last = 0;
    for (const [index, { sessionHashes }] of this.segments.entries()) {
      const base = this.#bases[index];
      for (let number = 0; number < sessionHashes.length; number++) {
        const document = base + number;
        if (hidden?.[document] === 1) continue;
        const hash = sessionHashes[number];
        if (hash !== lastHash) {
          lastHash = hash;
          last = numbers.get(hash) ?? -1;
          if (last < 0) numbers.set(hash, last = counts.push(0) - 1);
        }
        counts[last]++;
        sessionOf[document] = last;
      }
    }
    const starts = new Uint32Array(counts.length + 1);
    counts.forEach((count, session) => starts[session + 1] = starts[session] + count);
    const order = new Uint32Array(this.liveCount);
    const next = starts.slice();
    for (let document = 0; document < this.size; document++) {
      if (hidden?.[document] !== 1) order[next[sessionOf[document]]++] = document;
    }
    this.#sortSessions(order, starts);
    const places = new Uint32Array(this.size);
    order.forEach((document, place) => places[document] = place);
    return { order, places, sessionOf };
  }

  /** By time, and then as a rebuilt index has them: what arrived late may belong earlier. */
  #sortSessions(order: Uint32Array, starts: Uint32Array): void {
    const { timesMs, issueNumbers } = this;
    const compare = (a: number, b: number) =>
      timesMs[a] - timesMs[b] || issueNumbers[a] - issueNumbers[b] || a - b;
    for (let session = 0; session + 1 < starts.length; session++) {
      const end = starts[session + 1];
      for (let at = starts[session] + 1; at < end; at++) {
        if (timesMs[order[at - 1]] < timesMs[order[at]]) continue;
        order.subarray(starts[session], end).sort(compare);
        break;
      }
    }
  }
}
