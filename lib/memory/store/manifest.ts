/**
 * `manifest.json`: how many observations there are, and the newest of them without their contents
 * (SPEC-AgentX section 4.2). It is derived from the issue files and bounded in size.
 *
 * @module
 */

import { sys } from "../../sys/mod.ts";
import { indexOf, type Observation, type ObservationIndex } from "../schema.ts";
import type { StoreChange } from "./change.ts";
import {
  encodeMemoryFile,
  type ManifestFile,
  parseManifest,
  UnreadableFile,
} from "./memory_file.ts";

/** What is known of the manifest without trusting it. */
export type ManifestState = "good" | "damaged" | "missing";

/** Enough to see what happened last; all others are found through the index. */
const MAX_ENTRIES = 128;

const HEAD_BYTES = 64;
const HEAD = /^\{\s*"version":\s*1,/;

/** The file `manifest.json`. */
export class Manifest {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Refuses to go on beside the manifest of a newer version: `NEWER_STATE`. */
  guard(): void {
    const head = sys.readPart(this.path, 0, HEAD_BYTES);
    if (head === undefined || HEAD.test(new TextDecoder().decode(head.bytes))) return;
    this.read();
  }

  /** Undefined if it is missing or damaged; `NEWER_STATE` where a newer version wrote it. */
  read(): ManifestFile | undefined {
    try {
      const text = sys.readTextFile(this.path);
      return text === undefined ? undefined : parseManifest(text, this.path);
    } catch (error) {
      if (error instanceof UnreadableFile) return undefined;
      throw error;
    }
  }

  /** Whether it can be relied on. */
  state(): ManifestState {
    if (this.read() !== undefined) return "good";
    return sys.lstat(this.path) === undefined ? "missing" : "damaged";
  }

  /** Rewrites it; the newest observations come last. */
  write(observations: readonly Observation[], change: StoreChange): void {
    this.#write(this.read(), observations.map(indexOf), observations.length, change);
  }

  /** Follows what came and went; false, and nothing is written, if it cannot be relied on. */
  update(
    added: readonly Observation[],
    removed: readonly string[],
    change: StoreChange,
  ): boolean {
    const file = this.read();
    if (file === undefined) return false;
    const { entries, total = entries.length } = file;
    const kept = entries.filter(({ id }) => !removed.includes(id));
    const count = total + added.length - removed.length;
    this.#write(file, [...kept, ...added.map(indexOf)], count, change);
    return true;
  }

  /** Forgets an issue until it is written anew. */
  drop(issueNumber: number, change: StoreChange): void {
    const file = this.read();
    if (file === undefined) sys.removeFile(this.path);
    else {
      const others = file.entries.filter((entry) => entry.issueNumber !== issueNumber);
      this.#write(file, others, file.total ?? others.length, change);
    }
  }

  #write(
    before: ManifestFile | undefined,
    entries: readonly ObservationIndex[],
    total: number,
    { updatedAt, replaceDerived }: StoreChange,
  ): void {
    const newest = entries.slice(-MAX_ENTRIES);
    const file: ManifestFile = { ...before, version: 1, updatedAt, total, entries: newest };
    replaceDerived(this.path, encodeMemoryFile(file, "entries"));
  }
}
