/**
 * Putting a segment of the search index together, from observations or from smaller segments. Pure.
 *
 * @module
 */

import { checksum, hash32 } from "../hash.ts";
import {
  CHECK_BYTES,
  checkOf,
  type DocumentFacts,
  type IndexedDocument,
  layoutOf,
  MAGIC,
  type Segment,
  type Sizes,
} from "./segment.ts";

const encoder = new TextEncoder();

/** Puts a segment together. */
export class SegmentBuilder {
  readonly #facts: DocumentFacts[] = [];
  /** For each term, document and frequency in turns. */
  readonly #postings = new Map<string, number[]>();

  /** @param document the next one */
  add(document: IndexedDocument): void {
    const number = this.#facts.push(document) - 1;
    for (const [term, frequency] of document.terms) this.#listOf(term).push(number, frequency);
  }

  /**
   * Adds what another segment has.
   *
   * @param segment whose documents are the next ones
   * @param entries the bytes of its entries
   * @param without hashes of the ids of those that are left out
   */
  addSegment(segment: Segment, entries: Uint8Array, without: ReadonlySet<number>): void {
    const { entryOffsets, nameList, names } = segment;
    const numbers = Array.from(segment.idHashes, (idHash, number) => {
      if (without.has(idHash)) return -1;
      return this.#facts.push({
        idHash,
        sessionHash: segment.sessionHashes[number],
        timeMs: segment.timesMs[number],
        issueNumber: segment.issueNumbers[number],
        length: segment.lengths[number],
        agent: nameList[names[number] >>> 16],
        category: nameList[names[number] & 0xffff],
        entry: entries.subarray(entryOffsets[number], entryOffsets[number + 1]),
      }) - 1;
    });
    segment.keepRecords();
    for (let index = 0; index < segment.termCount; index++) {
      const record = segment.recordAt(index);
      record.appendTo(this.#listOf(record.term), numbers);
    }
  }

  /** @returns the bytes of the segment with its entries */
  build(): Uint8Array {
    const facts = this.#facts;
    const terms = Array.from(this.#postings, ([term, list]) => ({ term, list, hash: hash32(term) }))
      .filter(({ list }) => list.length > 0)
      .sort((a, b) => a.hash - b.hash);
    const nameList: string[] = [];
    const numbers = new Map<string, number>();
    const numberOf = (name: string) => {
      let number = numbers.get(name);
      if (number === undefined) numbers.set(name, number = nameList.push(name) - 1);
      return number;
    };
    const names = facts.map(({ agent, category }) => numberOf(agent) * 65_536 + numberOf(category));
    const nameBytes = encoder.encode(JSON.stringify(nameList));
    const records = new RecordBytes();
    const recordOffsets = terms.map(({ term, list }) => records.add(term, list));
    const entryOffsets = offsetsOf(facts.map(({ entry }) => entry));
    const sizes: Sizes = {
      documents: facts.length,
      terms: terms.length,
      recordBytes: records.length,
      nameBytes: nameBytes.length,
    };
    const layout = layoutOf(sizes);
    const entriesStart = layout.end + records.length;
    const bytes = new Uint8Array(entriesStart + entryOffsets[facts.length]);
    const floats = (at: number, values: number[]) =>
      new Float64Array(bytes.buffer, at, values.length).set(values);
    const words = (at: number, values: ArrayLike<number>) =>
      new Uint32Array(bytes.buffer, at, values.length).set(values);
    floats(layout.idHashes, facts.map(({ idHash }) => idHash));
    floats(layout.sessionHashes, facts.map(({ sessionHash }) => sessionHash));
    floats(layout.timesMs, facts.map(({ timeMs }) => timeMs));
    words(layout.issueNumbers, facts.map(({ issueNumber }) => issueNumber));
    words(layout.lengths, facts.map(({ length }) => length));
    words(layout.names, names);
    words(layout.entryOffsets, entryOffsets);
    words(layout.termHashes, terms.map(({ hash }) => hash));
    words(layout.recordOffsets, [...recordOffsets, records.length]);
    bytes.set(nameBytes, layout.nameList);
    bytes.set(records.bytes(), layout.end);
    facts.forEach(({ entry }, index) => bytes.set(entry, entriesStart + entryOffsets[index]));
    words(0, [
      MAGIC,
      0,
      layout.end,
      sizes.documents,
      sizes.terms,
      sizes.recordBytes,
      sizes.nameBytes,
    ]);
    words(4, [checksum(new Uint32Array(bytes.buffer, 8, layout.end / 4 - 2))]);
    return bytes;
  }

  #listOf(term: string): number[] {
    let list = this.#postings.get(term);
    if (list === undefined) this.#postings.set(term, list = []);
    return list;
  }
}

/** The records of all terms, one after the other. */
class RecordBytes {
  #bytes = new Uint8Array(65_536);
  length = 0;

  /** Returns where the record begins. */
  add(term: string, list: readonly number[]): number {
    const start = this.length;
    this.#reserve(term.length * 3 + list.length * 5 + 10 + CHECK_BYTES);
    this.#writeTerm(term);
    this.#write(list.length / 2);
    let previous = -1;
    for (let at = 0; at < list.length; at += 2) {
      const gap = list[at] - previous - 1;
      const frequency = list[at + 1];
      previous = list[at];
      this.#write(gap << 1 | (frequency === 1 ? 0 : 1));
      if (frequency !== 1) this.#write(frequency);
    }
    const check = checkOf(this.#bytes.subarray(start), this.length - start);
    this.#bytes[this.length++] = check & 0xff;
    this.#bytes[this.length++] = check >>> 8;
    return start;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  /** Most terms are ASCII: an encoder would take far longer to be called. */
  #writeTerm(term: string): void {
    const start = this.length;
    this.#write(term.length);
    for (let at = 0; at < term.length; at++) {
      const unit = term.charCodeAt(at);
      if (unit < 0x80) this.#bytes[this.length++] = unit;
      else return this.#writeLetters(encoder.encode(term), start);
    }
  }

  #writeLetters(letters: Uint8Array, start: number): void {
    this.length = start;
    this.#write(letters.length);
    this.#bytes.set(letters, this.length);
    this.length += letters.length;
  }

  #write(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.length++] = rest & 0x7f | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.length++] = rest;
  }

  #reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + count));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

function offsetsOf(parts: readonly Uint8Array[]): Uint32Array {
  const offsets = new Uint32Array(parts.length + 1);
  parts.forEach((part, index) => offsets[index + 1] = offsets[index] + part.length);
  return offsets;
}
