/**
 * Reading the search index, `index/head.json` and the segments that it names. Readers take no lock, and
 * look again if the head has changed meanwhile.
 *
 * @module
 */

import { sys } from "../../sys/mod.ts";
import { checkSubfolder, fileVersion } from "../files.ts";
import { hash53 } from "../hash.ts";
import type { Observation } from "../schema.ts";
import {
  type IndexHead,
  isOtherVersion,
  isSameSource,
  parseHead,
  type SegmentName,
  type SourceVersion,
} from "./index_head.ts";
import { type HiddenIds, IndexView } from "./index_view.ts";
import { StaleIndex } from "./records.ts";
import type { Segment } from "./segment.ts";
import { SegmentFiles } from "./segment_files.ts";

/** What is not in the index yet, and what it hides. */
export interface Waiting extends HiddenIds {
  segments: readonly Segment[];
}

/** An observation that the index has. */
export interface IndexedPlace {
  segment: Segment;
  number: number;
  /** 53 bits of its id. */
  idHash: number;
  /** The checksum of the line that it was in its issue file. */
  line: number;
}

/** Why and when is not in the index. */
const RETRACTED = { because: "", timestamp: "" };

/** Reads the files under `.agentx/memory/index/`. */
export class IndexReader {
  readonly headPath: string;
  readonly #folder: string;
  readonly #segments: SegmentFiles;

  constructor(folder: string) {
    this.#folder = folder;
    this.headPath = `${folder}/head.json`;
    this.#segments = new SegmentFiles(folder);
  }

  /** Closes the segments that were read; they are opened again where more is needed of them. */
  release(): void {
    this.#segments.release();
  }

  /** Changes whenever the index does. */
  version(): string {
    return fileVersion(this.headPath);
  }

  /** Undefined where it is missing, damaged, or of another version. */
  readHead(): IndexHead | undefined {
    const text = this.#headText();
    return text === undefined ? undefined : parseHead(text);
  }

  load(part: SegmentName): Segment {
    return this.#segments.load(part);
  }

  /** What the index has of some issues, retracted ones too. Throws a `StaleIndex` if it is damaged. */
  documentsOf({ segments }: IndexHead, issueNumbers: ReadonlySet<number>): IndexedPlace[] {
    return segments.flatMap((part) => {
      const segment = this.load(part);
      const { idHashes, lines } = segment;
      return segment.numbersOf(issueNumbers)
        .map((number) => ({ segment, number, idHash: idHashes[number], line: lines[number] }));
    });
  }

  /** Reads what lies side by side at once. Throws a `StaleIndex` if it is damaged. */
  observationsOf({ gone }: IndexHead, documents: readonly IndexedPlace[]): Observation[] {
    const isGone = new Set(gone);
    const observations: Observation[] = [];
    for (let at = 0; at < documents.length;) {
      const { segment, number: first } = documents[at];
      let end = first;
      while (documents[at]?.segment === segment && documents[at].number === end) {
        end++;
        at++;
      }
      observations.push(...segment.comparedObservations(first, end));
    }
    for (const each of observations) {
      each.retracted = isGone.has(hash53(each.id)) ? RETRACTED : undefined;
    }
    return observations;
  }

  /** Lets go of all but some segments. */
  forgetAllBut(names: ReadonlySet<string>): void {
    this.#segments.forgetAllBut(names);
  }

  /**
   * Reads the index, with what is not in it. Throws a `StaleIndex` if it is missing, damaged or out of
   * step with the files of memory.
   */
  read(source: SourceVersion, waitingFor?: (head: IndexHead) => Waiting): IndexView {
    const text = this.#headText();
    const head = text === undefined ? undefined : parseHead(text);
    if (head === undefined) {
      const isDamaged = text !== undefined && !isOtherVersion(text);
      throw new StaleIndex(`"${this.headPath}" is damaged`, isDamaged);
    }
    if (!isSameSource(head, source)) throw new StaleIndex("the index is out of step");
    return this.viewOf(head, waitingFor?.(head));
  }

  /** What a head names, with what is not in it. Throws a `StaleIndex` if it is missing or damaged. */
  viewOf(head: IndexHead, waiting?: Waiting): IndexView {
    const segments = head.segments.map((part) => this.load(part));
    this.forgetAllBut(new Set(head.segments.map(({ name }) => name)));
    return new IndexView(
      [...segments, ...waiting?.segments ?? []],
      {
        gone: [...head.gone, ...waiting?.gone ?? []],
        superseded: [...head.superseded, ...waiting?.superseded ?? []],
      },
      head.damaged,
    );
  }

  #headText(): string | undefined {
    checkSubfolder(this.#folder);
    return sys.readTextFile(this.headPath);
  }
}
