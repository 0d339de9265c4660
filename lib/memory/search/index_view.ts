/**
 * The search index as one reader sees it at one moment.
 *
 * @module
 */

import { sys } from "../../sys/mod.ts";
import { hash53 } from "../hash.ts";
import type { ObservationIndex } from "../schema.ts";
import { Corpus, type HiddenIds } from "./merged_index.ts";
import { Segment, withoutCheck } from "./segment.ts";

/** A segment, and where its entries are: in a file, or in memory. */
export interface LoadedSegment {
  segment: Segment;
  source: string | Uint8Array;
  /** All entries, once many of them were read. */
  entries?: Uint8Array;
  /** How many entries were read one by one. */
  reads?: number;
}

/** Who reads more entries of a segment than that is there to stay, and keeps all of them. */
const MAX_READS = 64;

/** The index is missing, damaged or out of step with the files of memory. */
export class StaleIndex extends Error {
  /** Whether something is broken, rather than late. */
  readonly isDamaged: boolean;

  /**
   * @param message what is the matter
   * @param isDamaged whether something is broken
   */
  constructor(message: string, isDamaged = false) {
    super(message);
    this.isDamaged = isDamaged;
  }
}

/**
 * @param bytes a whole segment
 * @returns it, in memory
 */
export function segmentInMemory(bytes: Uint8Array): LoadedSegment {
  const segment: Segment = new Segment(
    bytes,
    (offset, length) =>
      bytes.subarray(segment.frontLength + offset, segment.frontLength + offset + length),
  );
  return { segment, source: bytes };
}

/** If one in so many of a segment's entries is wanted, all are read at once. */
const ONE_IN = 16;

const decoder = new TextDecoder();

/** An unchanging view of the index. */
export class IndexView {
  /** What can be found. */
  readonly corpus: Corpus;
  /** The issues of which a file could not be read when the index was made. */
  readonly damaged: readonly number[];
  readonly #segments: readonly LoadedSegment[];

  /**
   * @param segments in the order of arrival
   * @param hidden what cannot be found
   * @param damaged the issues that are not in it as a whole
   */
  constructor(
    segments: readonly LoadedSegment[],
    hidden: HiddenIds,
    damaged: readonly number[] = [],
  ) {
    this.#segments = segments;
    this.damaged = damaged;
    this.corpus = new Corpus(segments.map(({ segment }) => segment), hidden);
  }

  /**
   * @param documents numbers in the corpus
   * @returns what the manifest would say of them
   * @throws {StaleIndex} if a segment was replaced meanwhile, or its entries are damaged
   */
  entriesOf(documents: readonly number[]): ObservationIndex[] {
    const places = documents.map((document) => this.corpus.placeOf(document));
    const counts = new Map<Segment, number>();
    for (const { segment } of places) counts.set(segment, (counts.get(segment) ?? 0) + 1);
    return places.map(({ segment, segmentIndex, number }) => {
      const loaded = this.#segments[segmentIndex];
      const { entriesStart, entryOffsets } = segment;
      const [start, end] = [entryOffsets[number], entryOffsets[number + 1]];
      const isMany = (counts.get(segment) ?? 0) * ONE_IN >= segment.size;
      if (isMany || (loaded.reads ?? 0) >= MAX_READS) {
        loaded.entries ??= read(loaded.source, entriesStart, entryOffsets[segment.size]);
      } else loaded.reads = (loaded.reads ?? 0) + 1;
      const bytes = loaded.entries?.subarray(start, end) ??
        read(loaded.source, entriesStart + start, end - start);
      return parseEntry(bytes, segment.idHashes[number]);
    });
  }
}

function read(source: string | Uint8Array, offset: number, length: number): Uint8Array {
  if (typeof source !== "string") return source.subarray(offset, offset + length);
  const part = sys.readPart(source, offset, length);
  if (part?.bytes.length !== length) throw new StaleIndex(`"${source}" is gone or cut off`, true);
  return part.bytes;
}

function parseEntry(bytes: Uint8Array, idHash: number): ObservationIndex {
  try {
    const entry: ObservationIndex = JSON.parse(decoder.decode(withoutCheck(bytes)));
    if (hash53(entry.id) === idHash) return entry;
  } catch {
    // Said below: the entry is damaged either way.
  }
  throw new StaleIndex("an entry of the index is damaged", true);
}
