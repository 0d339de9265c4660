/**
 * The search index as one reader sees it at one moment: its segments one after the other, with the
 * figures that ranking needs taken over all of them. Nothing here depends on where one segment ends
 * and the next begins. Pure.
 *
 * @module
 */

import type { Observation } from "../schema.ts";
import type { Filtered } from "./filters.ts";
import type { Postings } from "./records.ts";
import type { Run, Segment } from "./segment.ts";

/** What must not be shown, by the hashes of ids. */
export interface HiddenIds {
  /** Removed or retracted. */
  gone: readonly number[];
  /** A superseded one, and the one that supersedes it as long as that is not gone. */
  superseded: ReadonlyArray<readonly [superseded: number, by: number]>;
}

/** An unchanging view of the index; an observation in it is a document, and has a number. */
export class IndexView {
  /** In the order of arrival. */
  readonly segments: readonly Segment[];
  /** The issues of which a file could not be read when the index was made. */
  readonly damaged: readonly number[];
  /** How many documents there are, with hidden ones: their numbers are below this. */
  readonly size: number = 0;
  /** How many can be found. */
  readonly liveCount: number;
  /** Terms of a document on average, of those that can be found. */
  readonly averageLength: number;
  /** How many terms each document has. */
  readonly lengths: Uint32Array;
  /** The number of the first document of each segment. */
  readonly #bases: number[] = [];
  /** For each document, whether it must not be shown; undefined where all may. */
  readonly #hidden: Uint8Array | undefined;
  #timesMs: Float64Array | undefined;
  #runCounts: Map<number, number> | undefined;
  /** For each document, its session plus one, or 0 where nobody has asked. */
  #sessions: Uint32Array | undefined;
  /** By the hash of a session, the first document that was seen of it. */
  readonly #firsts = new Map<number, number>();
  readonly #orders = new Map<number, number[]>();
  #last: Neighbourhood = { first: 0, end: 0, order: undefined };
  #figures: [scores: Float64Array, hits: Float64Array] | undefined;

  constructor(
    segments: readonly Segment[],
    hidden: HiddenIds,
    damaged: readonly number[] = [],
  ) {
    this.segments = segments;
    this.damaged = damaged;
    let liveCount = 0;
    let total = 0;
    for (const { size, totalLength } of segments) {
      this.#bases.push(this.size);
      this.size += size;
      liveCount += size;
      total += totalLength;
    }
    this.lengths = new Uint32Array(this.size);
    for (const [index, { lengths }] of segments.entries()) {
      this.lengths.set(lengths, this.#bases[index]);
    }
    this.#hidden = this.#findHidden(hidden);
    for (let document = 0; this.#hidden !== undefined && document < this.size; document++) {
      if (this.isLive(document)) continue;
      liveCount--;
      total -= this.lengths[document];
    }
    this.liveCount = liveCount;
    this.averageLength = liveCount === 0 ? 0 : total / liveCount;
  }

  /** Milliseconds since the epoch, for each document; read when they are first asked for. */
  get timesMs(): Float64Array {
    if (this.#timesMs !== undefined) return this.#timesMs;
    const times = new Float64Array(this.size);
    this.segments.forEach(({ timesMs }, index) => times.set(timesMs, this.#bases[index]));
    return this.#timesMs = times;
  }

  isLive(document: number): boolean {
    return this.#hidden?.[document] !== 1;
  }

  /** All documents that can be found, or those of one issue. */
  documents(issueNumber?: number): number[] {
    const all = issueNumber === undefined
      ? numbersOf({ first: 0, end: this.size })
      : this.#runs(({ runIssues }) => runIssues, issueNumber).flatMap(numbersOf);
    return all.filter((document) => this.isLive(document));
  }

  placeOf(document: number): { segment: Segment; number: number } {
    let index = this.#bases.length - 1;
    while (this.#bases[index] > document) index--;
    return { segment: this.segments[index], number: document - this.#bases[index] };
  }

  /** The documents that have a term and can be found. */
  lookUp(term: string): Postings {
    const found = this.segments.map((segment) => segment.lookUp(term));
    const count = found.reduce((sum, postings) => sum + (postings?.documents.length ?? 0), 0);
    const documents = new Uint32Array(count);
    const frequencies = new Uint32Array(count);
    let at = 0;
    for (const [index, postings] of found.entries()) {
      if (postings === undefined) continue;
      const base = this.#bases[index];
      for (let place = 0; place < postings.documents.length; place++) {
        const document = base + postings.documents[place];
        if (!this.isLive(document)) continue;
        documents[at] = document;
        frequencies[at++] = postings.frequencies[place];
      }
    }
    return { documents: documents.subarray(0, at), frequencies: frequencies.subarray(0, at) };
  }

  /** What filters look at; nothing is read but what they ask for. */
  filteredAt(document: number): Filtered {
    const { segment, number } = this.placeOf(document);
    return {
      get agent() {
        return segment.agentOf(number);
      },
      get category() {
        return segment.categoryOf(number);
      },
      get issueNumber() {
        return segment.runOf(number).issueNumber;
      },
      get timeMs() {
        return segment.timesMs[number];
      },
    };
  }

  /** A document as it was when it came. */
  observationOf(document: number): Observation {
    const { segment, number } = this.placeOf(document);
    return segment.observations(number, number + 1)[0];
  }

  /** As {@linkcode IndexView.observationOf}; those that lie side by side are read at once. */
  observationsOf(documents: readonly number[]): Observation[] {
    const found: Observation[] = [];
    for (let at = 0, end = 0; at < documents.length; at = end) {
      const { segment, number } = this.placeOf(documents[at]);
      const most = at + segment.size - number;
      do end++; while (end < most && documents[end] === documents[end - 1] + 1);
      for (const each of segment.observations(number, number + end - at)) found.push(each);
    }
    return found;
  }

  /** Those of one issue; of very many, the newest. */
  newestOf(issueNumber: number, limit: number): Observation[] {
    const all = this.documents(issueNumber);
    if (all.length <= limit) return this.observationsOf(all);
    const { timesMs } = this;
    const since = all.map((document) => timesMs[document]).sort((a, b) => b - a)[limit - 1];
    return this.observationsOf(all.filter((document) => timesMs[document] >= since));
  }

  /** A number below {@linkcode IndexView.size} that all documents of a session have in common. */
  sessionOf(document: number): number {
    const sessions = this.#sessions ??= new Uint32Array(this.size);
    if (sessions[document] === 0) {
      const { segment, number } = this.placeOf(document);
      const { sessionHash, first, end } = segment.runOf(number);
      const start = document - number + first;
      const known = this.#firsts.get(sessionHash) ?? start;
      this.#firsts.set(sessionHash, known);
      sessions.fill(known + 1, start, start + end - first);
    }
    return sessions[document] - 1;
  }

  /**
   * The document so many places before or after another one in its session, of those that can be found;
   * undefined beyond its ends. Quick for documents that are asked for in their order.
   */
  neighbourOf(document: number, distance: number): number | undefined {
    const { first, end, order } = document >= this.#last.first && document < this.#last.end
      ? this.#last
      : this.#last = this.#neighbourhoodOf(document);
    if (order !== undefined) return order[order.indexOf(document) + distance];
    const neighbour = document + distance;
    return neighbour >= first && neighbour < end ? neighbour : undefined;
  }

  /** Room for two figures of each document, all 0; its user sets them back to 0. */
  get figures(): [scores: Float64Array, hits: Float64Array] {
    return this.#figures ??= [new Float64Array(this.size), new Float64Array(this.size)];
  }

  #findHidden({ gone, superseded }: HiddenIds): Uint8Array | undefined {
    const isGone = new Set(gone);
    const corrected = superseded.filter(([, by]) => !isGone.has(by)).map(([id]) => id);
    const hidden = new Set([...gone, ...corrected]);
    if (hidden.size === 0) return undefined;
    const marks = new Uint8Array(this.size);
    for (const [index, { idHashes }] of this.segments.entries()) {
      for (let number = 0; number < idHashes.length; number++) {
        if (hidden.has(idHashes[number])) marks[this.#bases[index] + number] = 1;
      }
    }
    return marks;
  }

  /** Most sessions are one run of documents in their order. */
  #neighbourhoodOf(document: number): Neighbourhood {
    const { segment, number } = this.placeOf(document);
    const base = document - number;
    const run = segment.runOf(number);
    const { sessionHash } = run;
    const [first, end] = [base + run.first, base + run.end];
    const isWhole = this.#countRuns().get(sessionHash) === 1 && this.#hidden === undefined;
    if (isWhole && !run.isLate) return { first, end, order: undefined };
    let order = this.#orders.get(sessionHash);
    if (order === undefined) this.#orders.set(sessionHash, order = this.#orderOf(sessionHash));
    return { first, end, order };
  }

  /** By time, and then as a rebuilt index has them: what arrived late may belong earlier. */
  #orderOf(sessionHash: number): number[] {
    const documents = this.#runs(({ runHashes }) => runHashes, sessionHash)
      .flatMap(numbersOf)
      .filter((document) => this.isLive(document));
    const { timesMs } = this;
    return documents.sort((a, b) =>
      timesMs[a] - timesMs[b] || this.#issueOf(a) - this.#issueOf(b) || a - b
    );
  }

  /** How many runs each session has, by its hash. */
  #countRuns(): ReadonlyMap<number, number> {
    if (this.#runCounts !== undefined) return this.#runCounts;
    const counts = this.#runCounts = new Map<number, number>();
    for (const { runHashes } of this.segments) {
      for (const hash of runHashes) counts.set(hash, (counts.get(hash) ?? 0) + 1);
    }
    return counts;
  }

  /** The runs that have a value in a column of theirs, with the numbers of documents. */
  #runs(columnOf: (segment: Segment) => ArrayLike<number>, value: number): Run[] {
    const found: Run[] = [];
    for (const [index, segment] of this.segments.entries()) {
      const base = this.#bases[index];
      const column = columnOf(segment);
      for (let at = 0; at < column.length; at++) {
        if (column[at] !== value) continue;
        const run = segment.runAt(at);
        found.push({ ...run, first: base + run.first, end: base + run.end });
      }
    }
    return found;
  }

  #issueOf(document: number): number {
    const { segment, number } = this.placeOf(document);
    return segment.runOf(number).issueNumber;
  }
}

/** A run of documents, and the order of their session where it is not simply theirs. */
interface Neighbourhood {
  first: number;
  end: number;
  order: readonly number[] | undefined;
}

function numbersOf({ first, end }: Pick<Run, "first" | "end">): number[] {
  return Array.from({ length: end - first }, (_, at) => first + at);
}
