/**
 * A part of the search index: some observations, in the order of their arrival, with the terms that
 * they are found by. It is immutable, and is used where it lies, without being parsed. Pure.
 *
 * `segment_layout.ts` says what lies where. The head is always in memory; the rest is read where it is
 * needed, and whatever is read is proved by a checksum or a check.
 *
 * @module
 */

import { noteClean, RULES_VERSION } from "../../redact/known_clean.ts";
import { checksum, hash32 } from "../hash.ts";
import { type Observation, shownTexts, summaryOf } from "../schema.ts";
import { StaleIndex, TermRecord, withoutCheck } from "./records.ts";
import {
  BLOCK_BYTES,
  BLOCK_TERMS,
  CLEAN,
  COLUMNS,
  Head,
  type HeadSizes,
  headSizesIn,
  layoutOf,
  MAGIC,
} from "./segment_layout.ts";

/** Reads bytes of a segment, counted from its start; fewer where it ends. */
export type ReadBytes = (offset: number, length: number) => Uint8Array;

/** Consecutive observations of one session about one issue. */
export interface Run {
  /** The number of its first observation. */
  first: number;
  /** Behind its last one. */
  end: number;
  /** 53 bits of the session. */
  sessionHash: number;
  issueNumber: number;
  /** Whether they are not in the order of their times. */
  isLate: boolean;
}

/** Reads of one part, at least, before all of it is kept: a process that reads more will go on. */
const MIN_READS = 256;
/** Reading so many bytes takes as long as one more read. */
const BYTES_PER_READ = 16_384;

const decoder = new TextDecoder();

/** A segment of which the head is in memory. */
export class Segment {
  /** Numbers of the observations are below this. */
  readonly size: number;
  /** How many terms its observations have in all. */
  readonly totalLength: number;
  /** All agents and categories of the segment. */
  readonly nameList: readonly string[];
  readonly headLength: number;
  readonly #head: Head;
  readonly #terms: number;
  readonly #column: (index: number) => Uint8Array;
  readonly #offsets: Part;
  readonly #dictionary: Part;
  readonly #records: Part;
  readonly #entries: Part;
  #ids: Float64Array | undefined;
  #times: Float64Array | undefined;
  #lengths: Uint32Array | undefined;
  #names: Uint32Array | undefined;
  #lines: Uint32Array | undefined;

  /** From the bytes of the head, or more; throws a `StaleIndex` if they are damaged. */
  constructor(bytes: Uint8Array, read: ReadBytes) {
    const sizes: HeadSizes = headSizesIn(bytes);
    const layout = layoutOf(sizes);
    const { headLength, totalLength, documents } = sizes;
    if (sizes.magic !== MAGIC || headLength !== layout.head || bytes.length < headLength) {
      throw new StaleIndex("a segment is cut off, or not a segment", true);
    }
    const words = (data: Uint8Array) =>
      new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
    if (checksum(words(bytes.subarray(8, headLength))) !== sizes.sum) throw damaged();
    this.#head = new Head(sizes, bytes);
    this.#terms = sizes.terms;
    this.size = documents;
    this.totalLength = totalLength;
    this.headLength = headLength;
    this.nameList = JSON.parse(decoder.decode(this.#head.nameBytes));
    this.#column = (index) => {
      const { start, bytesEach } = layout.columns[index];
      const data = readExactly(read, start, documents * bytesEach);
      if (checksum(words(data)) !== this.#head.columnSums[index]) throw damaged();
      return data;
    };
    const partAt = (start: number, length: number) => new Part(start, length, read);
    this.#offsets = partAt(layout.offsets, (documents + 1) * 4);
    this.#dictionary = partAt(layout.dictionary, layout.records - layout.dictionary);
    this.#records = partAt(layout.records, sizes.recordBytes);
    this.#entries = partAt(layout.entries, sizes.entryBytes);
  }

  /** A whole segment in memory. */
  static of(bytes: Uint8Array): Segment {
    return new Segment(bytes, (offset, length) => bytes.subarray(offset, offset + length));
  }

  /** 53 bits of each id. */
  get idHashes(): Float64Array {
    return this.#ids ??= floatsOf(this.#column(COLUMNS.ids));
  }

  /** Milliseconds since the epoch. */
  get timesMs(): Float64Array {
    return this.#times ??= floatsOf(this.#column(COLUMNS.times));
  }

  /** How many terms each observation has in all. */
  get lengths(): Uint32Array {
    return this.#lengths ??= wordsOf(this.#column(COLUMNS.lengths));
  }

  /** The checksum of the line that each observation was in its issue file. */
  get lines(): Uint32Array {
    return this.#lines ??= wordsOf(this.#column(COLUMNS.lines));
  }

  /** Whether a name is that of an agent, and not only of a category. */
  hasAgent(name: string): boolean {
    const index = this.nameList.indexOf(name);
    return index >= 0 && this.#nameNumbers().some((pair) => pair >>> 16 === index);
  }

  agentOf(number: number): string {
    return this.nameList[this.#nameNumbers()[number] >>> 16];
  }

  categoryOf(number: number): string {
    return this.nameList[this.#nameNumbers()[number] & 0xffff];
  }

  /** 53 bits of the session of each run. */
  get runHashes(): Float64Array {
    return this.#head.runHashes;
  }

  /** The issue of each run. */
  get runIssues(): Uint32Array {
    return this.#head.runIssues;
  }

  /** All runs, in their order. */
  runs(): Run[] {
    return Array.from(this.#head.runIssues, (_, index) => this.runAt(index));
  }

  runAt(index: number): Run {
    const { runStarts, runHashes, runIssues, runMarks } = this.#head;
    return {
      first: runStarts[index],
      end: runStarts[index + 1],
      sessionHash: runHashes[index],
      issueNumber: runIssues[index],
      isLate: runMarks[index] !== 0,
    };
  }

  /** The numbers of all that was observed on some issues. */
  numbersOf(issueNumbers: ReadonlySet<number>): number[] {
    const { runIssues, runStarts } = this.#head;
    const numbers: number[] = [];
    for (let run = 0; run < runIssues.length; run++) {
      if (!issueNumbers.has(runIssues[run])) continue;
      for (let number = runStarts[run]; number < runStarts[run + 1]; number++) numbers.push(number);
    }
    return numbers;
  }

  /** The run that an observation is in. */
  runOf(number: number): Run {
    const { runStarts } = this.#head;
    let low = 0;
    let high = runStarts.length - 2;
    while (low < high) {
      const middle = low + high + 1 >>> 1;
      if (runStarts[middle] <= number) low = middle;
      else high = middle - 1;
    }
    return this.runAt(low);
  }

  /** The observations that have a term; undefined where none has. */
  lookUp(term: string): TermRecord | undefined {
    const hash = hash32(term);
    const { blockHashes } = this.#head;
    let low = 0;
    let high = blockHashes.length;
    while (low < high) {
      const middle = low + high >>> 1;
      if (blockHashes[middle] < hash) low = middle + 1;
      else high = middle;
    }
    // Terms that share a hash may lie on both sides of where a block begins.
    for (let index = Math.max(0, low - 1); blockHashes[index] <= hash; index++) {
      const block = this.#blockAt(index);
      const hashes = block.subarray(0, Math.min(BLOCK_TERMS, this.#terms - index * BLOCK_TERMS));
      for (let at = hashes.indexOf(hash); at >= 0 && hashes[at] === hash; at++) {
        const record = this.#recordAt(block, at);
        if (record.term === term) return record;
      }
    }
    return undefined;
  }

  /** All terms. */
  *records(): Generator<TermRecord> {
    this.#records.keep();
    this.#dictionary.keep();
    for (let index = 0; index < this.#terms; index++) {
      const block = this.#blockAt(Math.floor(index / BLOCK_TERMS));
      yield this.#recordAt(block, index % BLOCK_TERMS);
    }
  }

  /** Whether what it says of its observations still holds: they pass redaction as they are. */
  get isJudged(): boolean {
    return this.#head.rulesVersion === RULES_VERSION;
  }

  /** Whole observations, as they were when they came: those from one number up to another. */
  observations(first: number, end: number): Observation[] {
    return this.#entriesOf(first, end).map((bytes) => {
      const entry = withoutCheck(bytes);
      const observation = parseEntry(entry);
      if (entry[0] === CLEAN && this.isJudged) shownTexts(observation).forEach(noteClean);
      return observation;
    });
  }

  /** As {@linkcode Segment.observations}, for who shows none of them. */
  comparedObservations(first: number, end: number): Observation[] {
    return this.#entriesOf(first, end).map((bytes) => parseEntry(withoutCheck(bytes)));
  }

  entryBytes(number: number): Uint8Array {
    return this.#entriesOf(number, number + 1)[0];
  }

  #entriesOf(first: number, end: number): Uint8Array[] {
    this.#offsets.keep();
    const offsets = Array.from(wordsOf(this.#offsets.read(first * 4, (end + 1) * 4)));
    const start = offsets[0];
    const bytes = this.#entries.read(start, offsets[end - first]);
    return offsets.slice(1).map((to, at) => bytes.subarray(offsets[at] - start, to - start));
  }

  /** Reads all entries at once, where most of them are needed. */
  keepEntries(): void {
    this.#entries.keep();
  }

  #nameNumbers(): Uint32Array {
    return this.#names ??= wordsOf(this.#column(COLUMNS.names));
  }

  #blockAt(index: number): Uint32Array {
    const start = index * BLOCK_BYTES;
    const words = wordsOf(this.#dictionary.read(start, start + BLOCK_BYTES));
    if (checksum(words.subarray(0, -1)) !== words.at(-1)) throw damaged();
    return words;
  }

  #recordAt(block: Uint32Array, at: number): TermRecord {
    const place = BLOCK_TERMS + at;
    return new TermRecord(this.#records.read(block[place], block[place + 1]));
  }
}

function parseEntry(entry: Uint8Array): Observation {
  try {
    const observation: Observation = JSON.parse(decoder.decode(entry.subarray(1)));
    observation.summary ??= summaryOf(observation.content);
    return observation;
  } catch (error) {
    if (error instanceof SyntaxError) throw damaged();
    throw error;
  }
}

/** Copied where it does not lie as a number must. */
function wordsOf(data: Uint8Array): Uint32Array {
  const { buffer, byteOffset, length } = data.byteOffset % 4 === 0 ? data : data.slice();
  return new Uint32Array(buffer, byteOffset, length / 4);
}

function floatsOf(data: Uint8Array): Float64Array {
  const { buffer, byteOffset, length } = data.byteOffset % 8 === 0 ? data : data.slice();
  return new Float64Array(buffer, byteOffset, length / 8);
}

function readExactly(read: ReadBytes, start: number, length: number): Uint8Array {
  const bytes = read(start, length);
  if (bytes.length === length) return bytes;
  throw new StaleIndex("a segment is gone or cut off", true);
}

function damaged(): StaleIndex {
  return new StaleIndex("the checksum of a segment differs", true);
}

/** A part of a segment: read piece by piece, or kept as a whole. */
class Part {
  readonly #readWhole: (start: number, end: number) => Uint8Array;
  readonly #length: number;
  #readsLeft: number;
  #kept: Uint8Array | undefined;

  constructor(offset: number, length: number, read: ReadBytes) {
    this.#length = length;
    this.#readsLeft = Math.max(MIN_READS, length / BYTES_PER_READ);
    this.#readWhole = (start, end) => {
      if (start <= end && end <= length) return readExactly(read, offset + start, end - start);
      throw damaged();
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
