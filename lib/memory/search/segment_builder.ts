/**
 * Putting a segment of the search index together, from observations or from smaller segments. Pure.
 *
 * @module
 */

import { encodeJson } from "../../text/text.ts";
import { checksum, hash32, hash53 } from "../hash.ts";
import { indexOf, type Observation } from "../schema.ts";
import { RecordWriter, withCheck } from "./records.ts";
import { Front, frontLength, MAGIC, type Segment } from "./segment.ts";
import { termsOf } from "./tokens.ts";

/** An observation as the index keeps it. */
export interface IndexedDocument {
  idHash: number;
  sessionHash: number;
  timeMs: number;
  issueNumber: number;
  /** How many terms it has in all. */
  length: number;
  agent: string;
  category: string;
  /** What a search shows of it: JSON, and a check. */
  entry: Uint8Array;
}

/** An observation, with how often each of its terms occurs. */
export type NewDocument = IndexedDocument & { terms: ReadonlyMap<string, number> };

const encoder = new TextEncoder();

/** An observation, ready to be indexed; `stems` are those that are known already. */
export function indexedDocument(
  observation: Observation,
  stems?: Map<string, string>,
): NewDocument {
  const list = termsOf(observation.content, stems);
  const terms = new Map<string, number>();
  for (const term of list) terms.set(term, (terms.get(term) ?? 0) + 1);
  return {
    idHash: hash53(observation.id),
    sessionHash: hash53(observation.sessionId),
    timeMs: Date.parse(observation.timestamp) || 0,
    issueNumber: observation.issueNumber,
    length: list.length,
    agent: observation.agent,
    category: observation.category,
    entry: withCheck(encoder.encode(encodeJson(indexOf(observation)))),
    terms,
  };
}

/** Puts a segment together. */
export class SegmentBuilder {
  readonly #documents: IndexedDocument[] = [];
  /** For each term, document and frequency in turns. */
  readonly #postings = new Map<string, number[]>();

  add(document: NewDocument): void {
    const number = this.#documents.push(document) - 1;
    for (const [term, frequency] of document.terms) this.#listOf(term).push(number, frequency);
  }

  /** Adds what another segment has, without those of some ids, by their hashes. */
  addSegment(segment: Segment, without: ReadonlySet<number>): void {
    segment.keepEntries();
    const numbers = Array.from(segment.idHashes, (idHash, number) => {
      if (without.has(idHash)) return -1;
      return this.#documents.push({
        idHash,
        sessionHash: segment.sessionHashes[number],
        timeMs: segment.timesMs[number],
        issueNumber: segment.issueNumbers[number],
        length: segment.lengths[number],
        agent: segment.agentOf(number),
        category: segment.categoryOf(number),
        entry: segment.entryBytes(number),
      }) - 1;
    });
    for (const record of segment.records()) {
      const list = this.#listOf(record.term);
      record.forEach((document, frequency) => {
        if (numbers[document] >= 0) list.push(numbers[document], frequency);
      });
    }
  }

  /** The bytes of the segment. */
  build(): Uint8Array {
    const documents = this.#documents;
    const terms = Array.from(this.#postings, ([term, list]) => ({ term, list, hash: hash32(term) }))
      .filter(({ list }) => list.length > 0)
      .sort((a, b) => a.hash - b.hash);
    const nameList = new Map<string, number>();
    const numberOf = (name: string) => {
      if (!nameList.has(name)) nameList.set(name, nameList.size);
      return nameList.get(name)!;
    };
    const names = documents.map(({ agent, category }) =>
      numberOf(agent) * 65_536 + numberOf(category)
    );
    const nameBytes = encoder.encode(JSON.stringify([...nameList.keys()]));
    const records = new RecordWriter();
    for (const { term, list } of terms) records.add(term, list);
    const entryOffsets = [0];
    for (const { entry } of documents) entryOffsets.push(entryOffsets.at(-1)! + entry.length);

    const sizes = { documents: documents.length, terms: terms.length, nameBytes: nameBytes.length };
    const recordsStart = frontLength(sizes);
    const recordBytes = records.bytes();
    const entriesStart = recordsStart + recordBytes.length;
    const bytes = new Uint8Array(entriesStart + entryOffsets[documents.length]);
    const front = new Front(sizes, bytes);
    front.idHashes.set(documents.map(({ idHash }) => idHash));
    front.sessionHashes.set(documents.map(({ sessionHash }) => sessionHash));
    front.timesMs.set(documents.map(({ timeMs }) => timeMs));
    front.issueNumbers.set(documents.map(({ issueNumber }) => issueNumber));
    front.lengths.set(documents.map(({ length }) => length));
    front.names.set(names);
    front.entryOffsets.set(entryOffsets);
    front.termHashes.set(terms.map(({ hash }) => hash));
    front.recordOffsets.set(records.offsets);
    front.nameBytes.set(nameBytes);
    bytes.set(recordBytes, recordsStart);
    documents.forEach(({ entry }, index) => bytes.set(entry, entriesStart + entryOffsets[index]));
    const header = new Uint32Array(bytes.buffer, 0, 7);
    header.set([
      MAGIC,
      0,
      recordsStart,
      sizes.documents,
      sizes.terms,
      recordBytes.length,
      sizes.nameBytes,
    ]);
    header[1] = checksum(new Uint32Array(bytes.buffer, 8, recordsStart / 4 - 2));
    return bytes;
  }

  #listOf(term: string): number[] {
    let list = this.#postings.get(term);
    if (list === undefined) this.#postings.set(term, list = []);
    return list;
  }
}
