/**
 * A part of the search index: some observations, in the order of their arrival, with the terms that
 * they are found by. It is immutable, and is used where it lies in memory, without being parsed.
 * Pure.
 *
 * Layout, in the byte order of the machine. The front, which is always in memory: header; columns,
 * one number for each observation; dictionary, sorted by the hash of the term; names. Then what is
 * read where it is needed: the records, one for each term (its letters; gaps between the numbers of
 * its observations, with how often it occurs; a check); and the entries, which are JSON.
 *
 * @module
 */

import { checksum, hash32 } from "../hash.ts";

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
  /** What a search shows of it: JSON, and a check. */
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

/** Reads bytes of a segment, counted from the end of its front; fewer where it ends. */
export type ReadBehind = (offset: number, length: number) => Uint8Array;

/** Bytes of a segment that are not a segment. */
export class DamagedSegment extends Error {}

/** "ASG3". */
export const MAGIC = 0x33475341;
const HEADER_WORDS = 12;

const decoder = new TextDecoder();

/** Who reads more records than that is there to stay, and keeps all of them. */
const MAX_READS = 32;

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
  recordOffsets: number;
  nameList: number;
  end: number;
}

/** How much of each there is. */
export interface Sizes {
  documents: number;
  terms: number;
  recordBytes: number;
  nameBytes: number;
}

/**
 * @param sizes how much of each there is
 * @returns where the parts begin
 */
export function layoutOf({ documents, terms, nameBytes }: Sizes): Layout {
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
    recordOffsets: take((terms + 1) * 4),
    nameList: take(nameBytes),
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
  /** Bytes of the front. */
  readonly frontLength: number;
  /** Where the entries begin in the file. */
  readonly entriesStart: number;
  readonly #termHashes: Uint32Array;
  readonly #recordOffsets: Uint32Array;
  readonly #readBehind: ReadBehind;
  #records: Uint8Array | undefined;
  #readsOfRecords = 0;

  /**
   * @param bytes the front, or more
   * @param readBehind reads what is behind it
   * @throws {DamagedSegment}
   */
  constructor(bytes: Uint8Array, readBehind: ReadBehind) {
    const header = bytes.byteLength >= HEADER_WORDS * 4
      ? new Uint32Array(bytes.buffer, bytes.byteOffset, HEADER_WORDS)
      : new Uint32Array(HEADER_WORDS);
    const [magic, sum, end, documents, terms, recordBytes, nameBytes] = header;
    const layout = layoutOf({ documents, terms, recordBytes, nameBytes });
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
    this.frontLength = end;
    this.entriesStart = end + recordBytes;
    this.#termHashes = words(layout.termHashes, terms);
    this.#recordOffsets = words(layout.recordOffsets, terms + 1);
    this.#readBehind = readBehind;
    this.nameList = JSON.parse(
      decoder.decode(bytes.subarray(layout.nameList, layout.nameList + nameBytes)),
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
      const record = this.recordAt(index);
      if (record.term === term) return record.postings();
    }
    return undefined;
  }

  /** How many terms there are. */
  get termCount(): number {
    return this.#termHashes.length;
  }

  /** Reads all records at once, for who needs most of them. */
  keepRecords(): void {
    this.#records ??= this.#read(0, this.#recordOffsets[this.termCount]);
  }

  /**
   * @param index of a term in the dictionary
   * @returns the term, and how to get the observations that have it
   * @throws {DamagedSegment}
   */
  recordAt(index: number): TermRecord {
    const start = this.#recordOffsets[index];
    const end = this.#recordOffsets[index + 1];
    if (this.#records === undefined && ++this.#readsOfRecords > MAX_READS) this.keepRecords();
    const bytes = this.#records?.subarray(start, end) ?? this.#read(start, end - start);
    return new TermRecord(bytes);
  }

  #read(offset: number, length: number): Uint8Array {
    const bytes = this.#readBehind(offset, length);
    if (bytes.length !== length) throw new DamagedSegment("it is cut off");
    return bytes;
  }
}

/** A term, and the observations that have it. */
export class TermRecord {
  readonly term: string;
  readonly #bytes: Uint8Array;
  #at = 0;

  /**
   * @param bytes of the record
   * @throws {DamagedSegment}
   */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const end = bytes.length - CHECK_BYTES;
    if (end < 1 || checkOf(bytes, end) !== (bytes[end] | bytes[end + 1] << 8)) {
      throw new DamagedSegment("a record of it is damaged");
    }
    const length = this.#next();
    this.term = decoder.decode(bytes.subarray(this.#at, this.#at + length));
    this.#at += length;
  }

  /** @returns the observations; to be called once */
  postings(): Postings {
    const count = this.#next();
    const documents = new Uint32Array(count);
    const frequencies = new Uint32Array(count);
    let document = -1;
    for (let place = 0; place < count; place++) {
      const coded = this.#next();
      document += (coded >>> 1) + 1;
      documents[place] = document;
      frequencies[place] = (coded & 1) === 0 ? 1 : this.#next();
    }
    return { documents, frequencies };
  }

  /**
   * Appends the observations to those of other segments; to be called instead of `postings()`.
   *
   * @param list document and frequency in turns
   * @param numbers the number that each document has there, negative for those that are left out
   */
  appendTo(list: number[], numbers: ArrayLike<number>): void {
    const count = this.#next();
    let document = -1;
    for (let place = 0; place < count; place++) {
      const coded = this.#next();
      document += (coded >>> 1) + 1;
      const frequency = (coded & 1) === 0 ? 1 : this.#next();
      if (numbers[document] >= 0) list.push(numbers[document], frequency);
    }
  }

  /** A number in as few bytes as it needs, seven bits in each. */
  #next(): number {
    let value = 0;
    for (let shift = 0;; shift += 7) {
      if (this.#at >= this.#bytes.length) throw new DamagedSegment("a record of it is damaged");
      const byte = this.#bytes[this.#at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
}

/** Bytes at the end of a record that prove the others. */
export const CHECK_BYTES = 2;

/**
 * @param bytes anything
 * @returns the same with a check at the end
 */
export function withCheck(bytes: Uint8Array): Uint8Array {
  const checked = new Uint8Array(bytes.length + CHECK_BYTES);
  checked.set(bytes);
  const check = checkOf(bytes, bytes.length);
  checked.set([check & 0xff, check >>> 8], bytes.length);
  return checked;
}

/**
 * @param bytes with a check at the end
 * @returns them without it; undefined if they are not what they were
 */
export function withoutCheck(bytes: Uint8Array): Uint8Array | undefined {
  const end = bytes.length - CHECK_BYTES;
  if (end < 0 || checkOf(bytes, end) !== (bytes[end] | bytes[end + 1] << 8)) return undefined;
  return bytes.subarray(0, end);
}

/**
 * @param bytes a record
 * @param end where its check begins
 * @returns the check, 16 bits
 */
export function checkOf(bytes: Uint8Array, end: number): number {
  let a = 1;
  let b = 0;
  for (let at = 0; at < end; at++) {
    a = a + bytes[at] & 0xff;
    b = b + a & 0xff;
  }
  return b << 8 | a;
}
