/**
 * Putting a segment of the search index together, from observations or from smaller segments. Pure.
 *
 * @module
 */

import { encodeJson } from "../../text/text.ts";
import { checksum, checksumOf, hash32, hash53 } from "../hash.ts";
import { type Observation, shownTexts, summaryOf } from "../schema.ts";
import { postingsOf, RecordWriter, withCheck, withoutCheck } from "./records.ts";
import type { Segment } from "./segment.ts";
import { BLOCK_BYTES, BLOCK_TERMS, CLEAN, Head, layoutOf, SUSPECT } from "./segment_layout.ts";
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
  /** Of the line that it is in its issue file, the checksum. */
  line: number;
  /** All of it, but for a summary that follows from its content: a mark, JSON, and a check. */
  entry: Uint8Array;
}

/** An observation, with how often each of its terms occurs. */
export type NewDocument = IndexedDocument & { terms: ReadonlyMap<string, number> };

const encoder = new TextEncoder();

/**
 * An observation, ready to be indexed; `stems` are those that are known already. Whether redaction leaves
 * its texts as they are takes time to tell: without `isClean` nobody knows.
 */
export function indexedDocument(
  observation: Observation,
  stems?: Map<string, string>,
  isClean: (text: string) => boolean = () => false,
): NewDocument {
  const { id, sessionId, timestamp, issueNumber, agent, category, content, summary } = observation;
  const list = termsOf(content, stems);
  const terms = new Map<string, number>();
  for (const term of list) terms.set(term, (terms.get(term) ?? 0) + 1);
  const entry = summary === summaryOf(content)
    ? { ...observation, summary: undefined }
    : observation;
  const mark = String.fromCharCode(shownTexts(observation).every(isClean) ? CLEAN : SUSPECT);
  return {
    idHash: hash53(id),
    sessionHash: hash53(sessionId),
    timeMs: Date.parse(timestamp) || 0,
    issueNumber,
    length: list.length,
    agent,
    category,
    line: checksumOf(encoder.encode(encodeJson(observation))),
    entry: withCheck(encoder.encode(mark + encodeJson(entry))),
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
    const { idHashes, timesMs, lengths } = segment;
    const numbers = Array.from(idHashes, (idHash, number) => {
      if (without.has(idHash)) return -1;
      const { sessionHash, issueNumber } = segment.runOf(number);
      return this.#documents.push({
        idHash,
        sessionHash,
        timeMs: timesMs[number],
        issueNumber,
        length: lengths[number],
        agent: segment.agentOf(number),
        category: segment.categoryOf(number),
        line: segment.lines[number],
        entry: segment.isJudged ? segment.entryBytes(number) : unjudged(segment.entryBytes(number)),
      }) - 1;
    });
    for (const record of segment.records()) {
      const list = this.#listOf(record.term);
      const postings = postingsOf(record.count);
      record.readInto(postings, 0, 0);
      postings.documents.forEach((document, at) => {
        if (numbers[document] >= 0) list.push(numbers[document], postings.frequencies[at]);
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
    const recordBytes = records.bytes();
    const runs = runsOf(documents);
    const sizes = {
      documents: documents.length,
      terms: terms.length,
      runs: runs.length,
      nameBytes: nameBytes.length,
      recordBytes: recordBytes.length,
      entryBytes: entryOffsets[documents.length],
      totalLength: documents.reduce((sum, { length }) => sum + length, 0),
    };
    const layout = layoutOf(sizes);
    const bytes = new Uint8Array(layout.end);
    const { buffer } = bytes;
    const head = new Head(sizes, bytes);
    head.describe(sizes);
    head.runHashes.set(runs.map((first) => documents[first].sessionHash));
    head.runStarts.set([...runs, documents.length]);
    head.runIssues.set(runs.map((first) => documents[first].issueNumber));
    head.runMarks.set(
      runs.map((first, index) =>
        isLateIn(documents, first, runs[index + 1] ?? documents.length) ? 1 : 0
      ),
    );
    head.blockHashes.set(head.blockHashes.map((_, block) => terms[block * BLOCK_TERMS].hash));
    head.nameBytes.set(nameBytes);
    const columns = [
      documents.map(({ idHash }) => idHash),
      documents.map(({ timeMs }) => timeMs),
      documents.map(({ length }) => length),
      names,
      documents.map(({ line }) => line),
    ];
    columns.forEach((column, index) => {
      const { start, bytesEach } = layout.columns[index];
      const Numbers = bytesEach === 8 ? Float64Array : Uint32Array;
      new Numbers(buffer, start, column.length).set(column);
      head.columnSums[index] = checksum(
        new Uint32Array(buffer, start, column.length * bytesEach / 4),
      );
    });
    new Uint32Array(buffer, layout.offsets, entryOffsets.length).set(entryOffsets);
    head.blockHashes.forEach((_, block) => {
      const first = block * BLOCK_TERMS;
      const start = layout.dictionary + block * BLOCK_BYTES;
      const words = new Uint32Array(buffer, start, BLOCK_BYTES / 4);
      const end = first + BLOCK_TERMS;
      words.set(terms.slice(first, end).map(({ hash }) => hash));
      words.set(records.offsets.slice(first, end + 1), BLOCK_TERMS);
      words[words.length - 1] = checksum(words.subarray(0, -1));
    });
    bytes.set(recordBytes, layout.records);
    documents.forEach(({ entry }, index) => bytes.set(entry, layout.entries + entryOffsets[index]));
    head.header[1] = checksum(new Uint32Array(buffer, 8, layout.head / 4 - 2));
    return bytes;
  }

  #listOf(term: string): number[] {
    let list = this.#postings.get(term);
    if (list === undefined) this.#postings.set(term, list = []);
    return list;
  }
}

/** The number of the first document of each run. */
function runsOf(documents: readonly IndexedDocument[]): number[] {
  return Array.from(documents.keys()).filter((number) => {
    if (number === 0) return true;
    const [before, here] = [documents[number - 1], documents[number]];
    return before.sessionHash !== here.sessionHash || before.issueNumber !== here.issueNumber;
  });
}

function isLateIn(documents: readonly IndexedDocument[], first: number, end: number): boolean {
  for (let number = first + 1; number < end; number++) {
    if (documents[number].timeMs <= documents[number - 1].timeMs) return true;
  }
  return false;
}

/** What other rules left as it is, these may not. */
function unjudged(checked: Uint8Array): Uint8Array {
  const entry = withoutCheck(checked).slice();
  entry[0] = SUSPECT;
  return withCheck(entry);
}
