/**
 * The files of the segments: opened when something is read of them, and closed by who has read.
 *
 * @module
 */

import { type OpenFile, sys } from "../../sys/mod.ts";
import type { SegmentName } from "./index_head.ts";
import { StaleIndex } from "./records.ts";
import { Segment } from "./segment.ts";

/** Smaller segments are read at once: there, the number of reads costs most. */
const READ_WHOLE = 1_024;

/** The segments in a folder. */
export class SegmentFiles {
  readonly #folder: string;
  readonly #loaded = new Map<string, Segment>();
  readonly #open = new Map<string, OpenFile>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads the head of a segment, or all of a small one; the rest when it is needed. */
  load({ name, size, head }: SegmentName): Segment {
    const loaded = this.#loaded.get(name);
    if (loaded !== undefined) return loaded;
    const segment = size <= READ_WHOLE ? Segment.of(this.#readWhole(name)) : new Segment(
      this.#read(name, 0, head),
      (offset, length) => this.#read(name, offset, length),
    );
    this.#loaded.set(name, segment);
    return segment;
  }

  /** Closes what was read; it is opened again where more is needed. */
  release(): void {
    for (const file of this.#open.values()) file.close();
    this.#open.clear();
  }

  /** Lets go of all but some. */
  forgetAllBut(names: ReadonlySet<string>): void {
    for (const name of this.#loaded.keys()) if (!names.has(name)) this.#loaded.delete(name);
  }

  #read(name: string, offset: number, length: number): Uint8Array {
    let file = this.#open.get(name);
    if (file === undefined) {
      file = sys.openFile(`${this.#folder}/${name}`, { isReadOnly: true });
      if (file === undefined) throw this.#missing(name);
      this.#open.set(name, file);
    }
    return file.readAt(offset, length);
  }

  #readWhole(name: string): Uint8Array {
    const part = sys.readPart(`${this.#folder}/${name}`, 0, Infinity);
    if (part === undefined) throw this.#missing(name);
    return part.bytes;
  }

  #missing(name: string): StaleIndex {
    return new StaleIndex(`"${this.#folder}/${name}" is missing`, true);
  }
}
