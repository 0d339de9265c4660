/**
 * A part of the search index: some observations, in the order of their arrival, with the terms that
 * they are found by. It is immutable, and is used where it lies in memory, without being parsed.
 * Pure.
 *
 * Layout, in the byte order of the machine. The front, which is always in memory: header; columns,
 * one number for each observation; dictionary, sorted by the hash of the term; names. Then the tail,
 * which is read where it is needed: the records, one for each term (its letters; gaps between the
 * numbers of its observations, with how often it occurs; a check); and the entries, which are JSON
 * and a check.
 *
 * @module
 */

import { checksum, hash32, hash53 } from "../hash.ts";
import type { ObservationIndex } from "../schema.ts";
import { type Postings, StaleIndex, TermRecord, withoutCheck } from "./records.ts";

/** Reads bytes of a segment, counted from the end of its front; fewer where it ends. */
export type ReadTail = (offset: number, length: number) => Uint8Array;

/** How much there is of what a front holds. */
export interface FrontSizes {
  documents: number;
  terms: number;
  nameBytes: number;
}

/** "ASG3". */
export const MAGIC = 0x33475341;
const HEADER_BYTES = 48;

/** Every part of a front begins at a multiple of it. */
const ALIGNED = 8;

/** Reads of a tail before all of it is kept in memory: a process that reads more will go on. */
const MAX_READS = 64;

/** Smaller segments are read at once: there, the number of reads costs most. */
const READ_WHOLE = 1_024;

const decoder = new TextDecoder();

/** How many bytes a front takes. */
export function frontLength({ documents, terms, nameBytes }: FrontSizes): number {
  const floats = Array(3).fill(documents * 8);
  const words = [documents, documents, documents, documents + 1, terms, terms + 1];
  return [...floats, ...words.map((count) => count * 4), nameBytes]
    .reduce((sum, bytes) => sum + aligned(bytes), HEADER_BYTES);
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNED) * ALIGNED;
}

/** What a front holds, where it lies in memory. */
export class Front {
  /** 53 bits of each id. */
  readonly idHashes: Float64Array;
  /** 53 bits of the session of each observation. */
  readonly sessionHashes: Float64Array;
  /** Milliseconds since the epoch. */
  readonly timesMs: Float64Array;
  readonly issueNumbers: Uint32Array;
  /** How many terms each observation has in all. */
  readonly lengths: Uint32Array;
  /** The number of the agent in the list of names * 65536 + that of the category. */
  readonly names: Uint32Array;
  /** Where each entry begins, and where the last one ends. */
  readonly entryOffsets: Uint32Array;
  readonly termHashes: Uint32Array;
  /** Where each record begins, and where the last one ends. */
  readonly recordOffsets: Uint32Array;
  /** All agents and categories, as JSON. */
  readonly nameBytes: Uint8Array;

  constructor({ documents, terms, nameBytes }: FrontSizes, { buffer, byteOffset }: Uint8Array) {
    let end = byteOffset + HEADER_BYTES;
    const next = (bytes: number) => {
      const start = end;
      end += aligned(bytes);
      return start;
    };
    const floats = () => new Float64Array(buffer, next(documents * 8), documents);
    const words = (count: number) => new Uint32Array(buffer, next(count * 4), count);
    this.idHashes = floats();
    this.sessionHashes = floats();
    this.timesMs = floats();
    this.issueNumbers = words(documents);
    this.lengths = words(documents);
    this.names = words(documents);
    this.entryOffsets = words(documents + 1);
    this.termHashes = words(terms);
    this.recordOffsets = words(terms + 1);
    this.nameBytes = new Uint8Array(buffer, next(nameBytes), nameBytes);
  }
}

/** A segment of which the front is in memory. */
export class Segment extends Front {
  /** Numbers of the observations are below this. */
  readonly size: number;
  /** All agents and categories of the segment. */
  readonly nameList: readonly string[];
  readonly frontLength: number;
  readonly #records: Part;
  readonly #entries: Part;

  /** From the bytes of the front, or more; throws a `StaleIndex` if they are damaged. */
  constructor(bytes: Uint8Array, readTail: ReadTail) {
    const header = bytes.length < HEADER_BYTES
      ? new Uint32Array(HEADER_BYTES / 4)
      : new Uint32Array(bytes.buffer, bytes.byteOffset, HEADER_BYTES / 4);
    const [magic, sum, end, documents, terms, recordBytes, nameBytes] = header;
    const sizes = { documents, terms, nameBytes };
    if (magic !== MAGIC || end !== frontLength(sizes) || bytes.length < end) {
      throw new StaleIndex("a segment is cut off, or not a segment", true);
    }
    if (checksum(new Uint32Array(bytes.buffer, bytes.byteOffset + 8, end / 4 - 2)) !== sum) {
      throw new StaleIndex("the checksum of a segment differs", true);
    }
    super(sizes, bytes);
    this.size = documents;
    this.nameList = JSON.parse(decoder.decode(this.nameBytes));
    this.frontLength = end;
    const maxReads = documents <= READ_WHOLE ? 0 : MAX_READS;
    this.#records = new Part(recordBytes, maxReads, readTail);
    this.#entries = new Part(
      this.entryOffsets[documents],
      maxReads,
      (offset, length) => readTail(recordBytes + offset, length),
    );
  }

  /** A whole segment in memory. */
  static of(bytes: Uint8Array): Segment {
    const segment: Segment = new Segment(bytes, (offset, length) => {
      const start = segment.frontLength + offset;
      return bytes.subarray(start, start + length);
    });
    return segment;
  }

  agentOf(number: number): string {
    return this.nameList[this.names[number] >>> 16];
  }

  categoryOf(number: number): string {
    return this.nameList[this.names[number] & 0xffff];
  }

  lookUp(term: string): Postings | undefined {
    const hash = hash32(term);
    let low = 0;
    let high = this.termHashes.length;
    while (low < high) {
      const middle = low + high >>> 1;
      if (this.termHashes[middle] < hash) low = middle + 1;
      else high = middle;
    }
    for (let index = low; this.termHashes[index] === hash; index++) {
      const record = this.#recordAt(index);
      if (record.term === term) return record.postings();
    }
    return undefined;
  }

  /** All terms. */
  *records(): Generator<TermRecord> {
    this.#records.keep();
    for (let index = 0; index < this.termHashes.length; index++) yield this.#recordAt(index);
  }

  /** What the manifest would say of an observation. */
  entryAt(number: number): ObservationIndex {
    try {
      const entry: ObservationIndex = JSON.parse(
        decoder.decode(withoutCheck(this.entryBytes(number))),
      );
      if (hash53(entry.id) === this.idHashes[number]) return entry;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw new StaleIndex("an entry of the index is damaged", true);
  }

  entryBytes(number: number): Uint8Array {
    return this.#entries.read(this.entryOffsets[number], this.entryOffsets[number + 1]);
  }

  /** Reads all entries at once, where most of them are needed. */
  keepEntries(): void {
    this.#entries.keep();
  }

  #recordAt(index: number): TermRecord {
    return new TermRecord(
      this.#records.read(this.recordOffsets[index], this.recordOffsets[index + 1]),
    );
  }
}

/** A part of a tail: read piece by piece, or kept as a whole. */
class Part {
  readonly #readWhole: (start: number, end: number) => Uint8Array;
  readonly #length: number;
  #readsLeft: number;
  #kept: Uint8Array | undefined;

  constructor(length: number, maxReads: number, read: ReadTail) {
    this.#length = length;
    this.#readsLeft = maxReads;
    this.#readWhole = (start, end) => {
      const bytes = read(start, end - start);
      if (bytes.length === end - start) return bytes;
      throw new StaleIndex("a segment is gone or cut off", true);
    };
  }

  keep(): void {
    this.#kept ??= this.#readWhole(0, this.#length);
  }

  read(start: number, end: number): Uint8Array {
    if (this.#kept === undefined && this.#readsLeft-- <= 0) this.keep();
    return this.#kept?.subarray(start, end) ?? this.#readWhole(start, end);
  }
}
