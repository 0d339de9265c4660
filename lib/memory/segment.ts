/**
 * A part of the search index: some observations, in the order of their arrival, with the terms that
 * they are found by. It is immutable, and is used where it lies in memory, without being parsed.
 *
 * Layout, in the byte order of the machine: header; columns, one number for each observation;
 * dictionary, sorted by the hash of the term; terms; postings (for each term: gaps between the
 * numbers of its observations, with how often it occurs); agents; and, not read at once, the entries
 * as lines of JSON.
 *
 * @module
 */

import { checksum, hash32 } from "./hash.ts";

/** What an index knows of an observation besides its terms, as numbers. */
export interface DocumentFacts {
  /** Of the id, 53 bits. */
  idHash: number;
  /** Of the session, 53 bits. */
  sessionHash: number;
  /** Milliseconds since the epoch. */
  timeMs: number;
  issueNumber: number;
  /** How many terms it has in all. */
  length: number;
  agent: string;
  category: string;
  /** The line of JSON in which it is found, as bytes. */
  entry: Uint8Array;
}

/** An observation, ready to be indexed. */
export interface IndexedDocument extends DocumentFacts {
  /** How often each term occurs. */
  terms: ReadonlyMap<string, number>;
}

/** The observations that have a term. */
export interface Postings {
  /** Their numbers in the segment, ascending. */
  documents: Uint32Array;
  /** How often each of them has the term. */
  frequencies: Uint32Array;
}

/** Bytes of a segment that are not a segment. */
export class DamagedSegment extends Error {}

/** "ASG1". */
export const MAGIC = 0x31475341;
const HEADER_WORDS = 12;

const decoder = new TextDecoder();

/** Where the parts of a segment begin, in bytes. */
export interface Layout {
  idHashes: number;
  sessionHashes: number;
  timesMs: number;
  issueNumbers: number;
  lengths: number;
  names: number;
  entryOffsets: number;
  termHashes: number;
  termOffsets: number;
  postingOffsets: number;
  terms: number;
  postings: number;
  agents: number;
  end: number;
}

/** How much of each there is. */
export interface Sizes {
  documents: number;
  terms: number;
  termBytes: number;
  postingBytes: number;
  nameBytes: number;
}

/**
 * @param sizes how much of each there is
 * @returns where the parts begin
 */
export function layoutOf({ documents, terms, termBytes, postingBytes, nameBytes }: Sizes): Layout {
  let at = HEADER_WORDS * 4;
  const take = (bytes: number) => {
    const start = at;
    at += Math.ceil(bytes / 8) * 8;
    return start;
  };
  return {
    idHashes: take(documents * 8),
    sessionHashes: take(documents * 8),
    timesMs: take(documents * 8),
    issueNumbers: take(documents * 4),
    lengths: take(documents * 4),
    names: take(documents * 4),
    entryOffsets: take((documents + 1) * 4),
    termHashes: take(terms * 4),
    termOffsets: take((terms + 1) * 4),
    postingOffsets: take((terms + 1) * 4),
    terms: take(termBytes),
    postings: take(postingBytes),
    agents: take(nameBytes),
    end: at,
  };
}

/** A segment as it lies in memory. */
export class Segment {
  /** Numbers of the observations are below this. */
  readonly size: number;
  /** See {@linkcode DocumentFacts}. */
  readonly idHashes: Float64Array;
  readonly sessionHashes: Float64Array;
  readonly timesMs: Float64Array;
  readonly issueNumbers: Uint32Array;
  readonly lengths: Uint32Array;
  /** All agents and categories of the segment. */
  readonly nameList: readonly string[];
  /** For each observation: the number of its agent in `nameList` * 65536 + that of its category. */
  readonly names: Uint32Array;
  /** Where the entries begin and end, counted from {@linkcode Segment.entriesStart}. */
  readonly entryOffsets: Uint32Array;
  /** Where the entries begin in the file. */
  readonly entriesStart: number;
  readonly #termHashes: Uint32Array;
  readonly #termOffsets: Uint32Array;
  readonly #postingOffsets: Uint32Array;
  readonly #terms: Uint8Array;
  readonly #postings: Uint8Array;

  /**
   * @param bytes the segment without its entries, or with them
   * @throws {DamagedSegment}
   */
  constructor(bytes: Uint8Array) {
    const header = bytes.byteLength >= HEADER_WORDS * 4
      ? new Uint32Array(bytes.buffer, bytes.byteOffset, HEADER_WORDS)
      : new Uint32Array(HEADER_WORDS);
    const [magic, sum, end, documents, terms, termBytes, postingBytes, nameBytes] = header;
    const layout = layoutOf({ documents, terms, termBytes, postingBytes, nameBytes });
    if (magic !== MAGIC || end !== layout.end || bytes.byteLength < end) {
      throw new DamagedSegment("it is cut off, or no segment");
    }
    const { buffer, byteOffset } = bytes;
    if (checksum(new Uint32Array(buffer, byteOffset + 8, end / 4 - 2)) !== sum) {
      throw new DamagedSegment("its checksum differs");
    }
    const floats = (at: number) => new Float64Array(buffer, byteOffset + at, documents);
    const words = (at: number, length = documents) =>
      new Uint32Array(buffer, byteOffset + at, length);
    this.size = documents;
    this.idHashes = floats(layout.idHashes);
    this.sessionHashes = floats(layout.sessionHashes);
    this.timesMs = floats(layout.timesMs);
    this.issueNumbers = words(layout.issueNumbers);
    this.lengths = words(layout.lengths);
    this.names = words(layout.names);
    this.entryOffsets = words(layout.entryOffsets, documents + 1);
    this.entriesStart = end;
    this.#termHashes = words(layout.termHashes, terms);
    this.#termOffsets = words(layout.termOffsets, terms + 1);
    this.#postingOffsets = words(layout.postingOffsets, terms + 1);
    this.#terms = bytes.subarray(layout.terms, layout.terms + termBytes);
    this.#postings = bytes.subarray(layout.postings, layout.postings + postingBytes);
    this.nameList = JSON.parse(
      decoder.decode(bytes.subarray(layout.agents, layout.agents + nameBytes)),
    );
  }

  /** @returns the observations that have a term; undefined if there are none */
  lookUp(term: string): Postings | undefined {
    const hash = hash32(term);
    let low = 0;
    let high = this.#termHashes.length;
    while (low < high) {
      const middle = low + high >>> 1;
      if (this.#termHashes[middle] < hash) low = middle + 1;
      else high = middle;
    }
    for (let index = low; this.#termHashes[index] === hash; index++) {
      if (this.termAt(index) === term) return this.postingsAt(index);
    }
    return undefined;
  }

  /** How many terms there are. */
  get termCount(): number {
    return this.#termHashes.length;
  }

  /** @returns a term of the dictionary */
  termAt(index: number): string {
    return decoder.decode(
      this.#terms.subarray(this.#termOffsets[index], this.#termOffsets[index + 1]),
    );
  }

  /** @returns the observations that have a term of the dictionary */
  postingsAt(index: number): Postings {
    const bytes = this.#postings;
    const end = this.#postingOffsets[index + 1];
    let at = this.#postingOffsets[index];
    const next = () => {
      let value = 0;
      for (let shift = 0;; shift += 7) {
        const byte = bytes[at++];
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) return value;
      }
    };
    const count = next();
    const documents = new Uint32Array(count);
    const frequencies = new Uint32Array(count);
    let document = -1;
    for (let place = 0; place < count && at < end; place++) {
      const coded = next();
      document += (coded >>> 1) + 1;
      documents[place] = document;
      frequencies[place] = (coded & 1) === 0 ? 1 : next();
    }
    return { documents, frequencies };
  }
}
