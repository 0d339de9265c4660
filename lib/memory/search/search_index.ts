/**
 * The search index on disk: `index/head.json`, which names the segments that count, and the segments.
 *
 * It is derived: a reader that finds it missing, damaged or out of step with the files of memory
 * rebuilds it. Writers hold the lock of the store; readers take no lock, and look again if the head
 * has changed meanwhile.
 *
 * @module
 */

import { isClean } from "../../redact/known_clean.ts";
import { sys } from "../../sys/mod.ts";
import { privateModes } from "../../sys/modes.ts";
import { encodeJson } from "../../text/text.ts";
import { checkSubfolder, type ReplaceFile } from "../files.ts";
import { hash53 } from "../hash.ts";
import type { Observation } from "../schema.ts";
import {
  hashesOf,
  hiddenBy,
  INDEX_VERSION,
  type IndexHead,
  isSameSource,
  type SegmentName,
  type SourceVersion,
} from "./index_head.ts";
import { IndexReader } from "./index_reader.ts";
import { IndexView } from "./index_view.ts";
import { StaleIndex } from "./records.ts";
import { Segment } from "./segment.ts";
import { indexedDocument, type NewDocument, SegmentBuilder } from "./segment_builder.ts";

/** What came and what went. */
export interface IndexChange {
  added: readonly Observation[];
  /** Ids of what was removed: nothing of it stays in the index. */
  removed: readonly string[];
  /** Ids of what must not be found any more. */
  retracted: readonly string[];
  /**
   * The issues of which a file cannot be read now.
   *
   * @default {as they were}
   */
  damaged?: readonly number[];
}

/** What a whole index is made from. */
export interface IndexContent {
  /** As they were drafted. */
  segments: readonly Uint8Array[];
  /** What they were drafted from. */
  observations: readonly Observation[];
  /** The issues of which a file could not be read. */
  damaged: readonly number[];
}

/** How the index is written. */
export interface IndexWriteOptions {
  /** What the files of memory look like now. */
  source: SourceVersion;
  /** What is in the journal now, also if it is about to leave it. */
  journal: readonly Observation[];
  /** Writes a file in one step. */
  replaceFile: ReplaceFile;
}

/** Segments of about the same size that are merged into one. */
const FAN_IN = 4;
/** Segments up to four times this size are of the lowest level. */
const SMALLEST = 64;
/** Larger segments are not merged: that would hold up a writer. */
const LARGEST = 8_192;

/** Owner of the files under `.agentx/memory/index/`. */
export class SearchIndex {
  readonly #folder: string;
  /** Reads what this writes. */
  readonly reader: IndexReader;
  readonly #stems = new Map<string, string>();
  /** By id: the journal is read again and again. */
  #documents = new Map<string, NewDocument>();

  constructor(folder: string) {
    this.#folder = folder;
    this.reader = new IndexReader(folder);
  }

  /** Whether the index was made from the files of memory as they are. */
  isCurrent(source: SourceVersion): boolean {
    const head = this.reader.readHead();
    return head !== undefined && isSameSource(head, source);
  }

  /**
   * Reads the index together with the journal, which must have been read before. Throws a
   * `StaleIndex` if it is missing, damaged or out of step.
   */
  read(journal: readonly Observation[], source: SourceVersion): IndexView {
    return this.reader.read(source, ({ folded }) => {
      const known = new Set(folded);
      const waiting = journal.filter(({ id }) => !known.has(hash53(id)));
      const { superseded } = hiddenBy(waiting);
      return { segments: this.#inMemory(waiting), gone: [], superseded };
    });
  }

  /** Makes a view of all observations, by time, without a file. */
  view(observations: readonly Observation[]): IndexView {
    return new IndexView(this.#inMemory(observations), hiddenBy(observations));
  }

  /** Those that are not in the index yet. */
  unknownOf(observations: readonly Observation[]): Observation[] {
    const folded = new Set(this.reader.readHead()?.folded);
    return observations.filter(({ id }) => !folded.has(hash53(id)));
  }

  /** Takes in a change; returns false, and nothing is written, if it must be rebuilt. */
  extend(change: IndexChange, options: IndexWriteOptions): boolean {
    const { added, removed, retracted } = change;
    const head = this.reader.readHead();
    if (head === undefined) return false;
    const without = new Set(removed.map(hash53));
    let segments = head.segments;
    try {
      if (without.size > 0) segments = this.#purge(segments, without, options);
      if (added.length > 0) {
        segments = [...segments, this.#writeSegment(this.#bytesOf(added), options)];
      }
      while (isFull(segments)) {
        const merged = this.#merge(segments.slice(-FAN_IN), new Set(), options);
        segments = [...segments.slice(0, -FAN_IN), merged];
      }
    } catch (error) {
      if (error instanceof StaleIndex) return false;
      throw error;
    } finally {
      this.reader.release();
    }
    const indexed = new Set([...head.folded, ...hashesOf(added)]);
    const damaged = change.damaged ?? head.damaged ?? [];
    this.#writeHead({
      ...head,
      damaged: damaged.length > 0 ? [...damaged] : undefined,
      segments,
      folded: hashesOf(options.journal).filter((hash) => indexed.has(hash)),
      gone: [...head.gone.filter((id) => !without.has(id)), ...retracted.map(hash53)],
      superseded: [
        ...head.superseded.filter(([, by]) => !without.has(by)),
        ...hiddenBy(added).superseded,
      ],
    }, options);
    return true;
  }

  /** Puts all observations, by time, into segments: without a file and without a lock. */
  draft(observations: readonly Observation[]): Uint8Array[] {
    const count = Math.ceil(observations.length / LARGEST);
    return Array.from(
      { length: count },
      (_, part) => this.#bytesOf(observations.slice(part * LARGEST, (part + 1) * LARGEST)),
    );
  }

  /** Puts an index in the place of the one that is there. */
  publish({ segments, observations, damaged }: IndexContent, options: IndexWriteOptions): void {
    checkSubfolder(this.#folder);
    sys.makeDir(this.#folder, privateModes().folder);
    const indexed = new Set(hashesOf(observations));
    this.#writeHead({
      version: INDEX_VERSION,
      segments: segments.map((bytes) => this.#writeSegment(bytes, options)),
      source: options.source,
      folded: hashesOf(options.journal).filter((hash) => indexed.has(hash)),
      ...hiddenBy(observations),
      ...(damaged.length > 0 ? { damaged: [...damaged] } : {}),
    }, options);
  }

  /** Removes all of it. */
  clear(): void {
    checkSubfolder(this.#folder);
    this.reader.release();
    for (const name of sys.readDir(this.#folder)) sys.removeFile(this.#path(name));
    this.reader.forgetAllBut(new Set());
  }

  #writeHead(head: IndexHead, { source, replaceFile }: IndexWriteOptions): void {
    const { headPath } = this.reader;
    replaceFile(headPath, encodeJson({ ...head, source }) + "\n");
    const names = new Set(head.segments.map(({ name }) => name));
    for (const name of sys.readDir(this.#folder)) {
      const path = this.#path(name);
      if (path !== headPath && !names.has(name)) sys.removeFile(path);
    }
    this.reader.forgetAllBut(names);
  }

  #writeSegment(bytes: Uint8Array, { replaceFile }: IndexWriteOptions): SegmentName {
    // No name is ever used again: a reader may still know the old segment.
    const name = `${crypto.randomUUID()}.segment`;
    replaceFile(this.#path(name), bytes);
    const { size, headLength } = Segment.of(bytes);
    return { name, size, head: headLength };
  }

  #merge(
    parts: readonly SegmentName[],
    without: ReadonlySet<number>,
    options: IndexWriteOptions,
  ): SegmentName {
    const builder = new SegmentBuilder();
    for (const part of parts) builder.addSegment(this.reader.load(part), without);
    return this.#writeSegment(builder.build(), options);
  }

  #purge(
    segments: readonly SegmentName[],
    without: ReadonlySet<number>,
    options: IndexWriteOptions,
  ): SegmentName[] {
    return segments
      .map((part) => {
        const isConcerned = this.reader.load(part).idHashes.some((idHash) => without.has(idHash));
        return isConcerned ? this.#merge([part], without, options) : part;
      })
      .filter(({ size }) => size > 0);
  }

  #inMemory(observations: readonly Observation[]): Segment[] {
    if (observations.length === 0) return [];
    const documents = observations.map((each) =>
      this.#documents.get(each.id) ?? indexedDocument(each, this.#stems)
    );
    this.#documents = new Map(documents.map((each, index) => [observations[index].id, each]));
    const builder = new SegmentBuilder();
    for (const each of documents) builder.add(each);
    return [Segment.of(builder.build())];
  }

  #bytesOf(observations: readonly Observation[]): Uint8Array {
    const builder = new SegmentBuilder();
    for (const each of observations) builder.add(indexedDocument(each, this.#stems, isClean));
    return builder.build();
  }

  #path(name: string): string {
    return `${this.#folder}/${name}`;
  }
}

function isFull(segments: readonly SegmentName[]): boolean {
  const last = segments.slice(-FAN_IN);
  const total = last.reduce((sum, { size }) => sum + size, 0);
  return last.length === FAN_IN && total <= LARGEST &&
    last.every(({ size }) => levelOf(size) === levelOf(last[0].size));
}

function levelOf(size: number): number {
  return Math.floor(Math.log2(Math.max(size, SMALLEST) / SMALLEST) / 2);
}
