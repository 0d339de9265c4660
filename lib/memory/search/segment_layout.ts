/**
 * What lies where in a segment, in the byte order of the machine. Pure.
 *
 * The head: header; runs, which are consecutive observations of one session about one issue; the first
 * hash of each block of the dictionary; names. Then the columns, one number for each observation; where
 * the entries begin; the dictionary, sorted by the hash of the term, in blocks; the records, one for each
 * term; and the entries, each a mark, the observation as JSON and a check.
 *
 * @module
 */

import { RULES_VERSION } from "../../redact/known_clean.ts";

/** "ASG6". */
export const MAGIC = 0x36475341;

/** Numbers of the columns. */
export const COLUMNS = { ids: 0, times: 1, lengths: 2, names: 3, lines: 4 };

const COLUMN_BYTES = [8, 8, 4, 4, 4];

/** Terms in a block of the dictionary. */
export const BLOCK_TERMS = 128;

/** The hash of each term; where each record begins, and where the last one ends; a checksum. */
export const BLOCK_BYTES = (2 * BLOCK_TERMS + 2) * 4;

/** The first byte of an entry: whether redaction leaves its observation as it is, or may not. */
export const CLEAN = 43;
export const SUSPECT = 45;

const HEADER_WORDS = 18;

const SUMS_WORD = 11;
const RULES_WORD = SUMS_WORD + COLUMN_BYTES.length;

/** Everything begins at a multiple of it. */
const ALIGNED = 8;

/** How much there is of what a segment holds. */
export interface SegmentSizes {
  documents: number;
  terms: number;
  runs: number;
  nameBytes: number;
  recordBytes: number;
  entryBytes: number;
  /** Terms of all observations. */
  totalLength: number;
}

/** What a header says. */
export interface HeadSizes extends SegmentSizes {
  magic: number;
  /** The checksum of the head. */
  sum: number;
  headLength: number;
}

/** Where things begin, in bytes. */
export interface Layout {
  head: number;
  columns: ReadonlyArray<{ start: number; bytesEach: number }>;
  offsets: number;
  dictionary: number;
  records: number;
  entries: number;
  end: number;
}

/** How many blocks a dictionary has. */
function blocksOf({ terms }: SegmentSizes): number {
  return Math.ceil(terms / BLOCK_TERMS);
}

/** Where the parts of a segment of that size begin. */
export function layoutOf(sizes: SegmentSizes): Layout {
  const { documents, runs, nameBytes, recordBytes, entryBytes } = sizes;
  let at = 0;
  const next = (bytes: number) => {
    const start = at;
    at += aligned(bytes);
    return start;
  };
  [HEADER_WORDS * 4, runs * 8, (runs + 1) * 4, runs * 4, runs, blocksOf(sizes) * 4, nameBytes]
    .forEach(next);
  const head = at;
  const columns = COLUMN_BYTES.map((bytesEach) => ({
    start: next(documents * bytesEach),
    bytesEach,
  }));
  const offsets = next((documents + 1) * 4);
  const dictionary = next(blocksOf(sizes) * BLOCK_BYTES);
  const records = next(recordBytes);
  const entries = next(entryBytes);
  return { head, columns, offsets, dictionary, records, entries, end: at };
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNED) * ALIGNED;
}

/** What a header says, whatever it is. */
export function headSizesIn(bytes: Uint8Array): HeadSizes {
  const header = bytes.length < HEADER_WORDS * 4
    ? new Uint32Array(HEADER_WORDS)
    : new Uint32Array(bytes.buffer, bytes.byteOffset, HEADER_WORDS);
  const [magic, sum, headLength, documents, terms, runs, nameBytes, recordBytes, entryBytes] =
    header;
  const totalLength = header[9] + header[10] * 2 ** 32;
  return {
    ...{ magic, sum, headLength, documents, terms, runs, nameBytes, recordBytes, entryBytes },
    totalLength,
  };
}

/** What a head holds, where it lies in memory. */
export class Head {
  readonly header: Uint32Array;
  /** 53 bits of the session of each run. */
  readonly runHashes: Float64Array;
  /** The number of the first observation of each run, and how many there are in all. */
  readonly runStarts: Uint32Array;
  readonly runIssues: Uint32Array;
  /** For each run, whether its observations are not in the order of their times. */
  readonly runMarks: Uint8Array;
  /** The hash of the first term of each block of the dictionary. */
  readonly blockHashes: Uint32Array;
  /** All agents and categories, as JSON. */
  readonly nameBytes: Uint8Array;

  constructor(sizes: SegmentSizes, { buffer, byteOffset }: Uint8Array) {
    const { runs, nameBytes } = sizes;
    let end = byteOffset;
    const next = (bytes: number) => {
      const start = end;
      end += aligned(bytes);
      return start;
    };
    const words = (count: number) => new Uint32Array(buffer, next(count * 4), count);
    this.header = words(HEADER_WORDS);
    this.runHashes = new Float64Array(buffer, next(runs * 8), runs);
    this.runStarts = words(runs + 1);
    this.runIssues = words(runs);
    this.runMarks = new Uint8Array(buffer, next(runs), runs);
    this.blockHashes = words(blocksOf(sizes));
    this.nameBytes = new Uint8Array(buffer, next(nameBytes), nameBytes);
  }

  /** The checksum of each column. */
  get columnSums(): Uint32Array {
    return this.header.subarray(SUMS_WORD, RULES_WORD);
  }

  /** Writes all of the header but the checksum of the head. */
  describe(sizes: SegmentSizes): void {
    const { documents, terms, runs, nameBytes, recordBytes, entryBytes, totalLength } = sizes;
    const { head } = layoutOf(sizes);
    this.header.set([MAGIC, 0, head, documents, terms, runs, nameBytes, recordBytes, entryBytes]);
    this.header.set([totalLength % 2 ** 32, Math.floor(totalLength / 2 ** 32)], 9);
    this.header[RULES_WORD] = RULES_VERSION;
  }

  /** By which rules its observations were judged. */
  get rulesVersion(): number {
    return this.header[RULES_WORD];
  }
}
