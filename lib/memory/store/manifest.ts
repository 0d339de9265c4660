/**
 * `manifest.json`: how many observations there are, and the newest of them without their contents
 * (SPEC-AgentX section 4.2). It is derived from the issue files and bounded in size.
 *
 * @module
 */

import { sys } from "../../sys/mod.ts";
import type { ReplaceFile } from "../files.ts";
import { indexOf, type Observation, type ObservationIndex } from "../schema.ts";
import {
  encodeMemoryFile,
  type ManifestFile,
  parseManifest,
  UnreadableFile,
} from "./memory_file.ts";

/** How a manifest is written. */
export interface ManifestOptions {
  /** ISO-8601, UTC. */
  updatedAt: string;
  /** Writes it in one step. */
  replaceFile: ReplaceFile;
}

/** What can be said of the manifest without trusting it. */
export type ManifestState = "good" | "damaged" | "missing";

/** Enough to see what happened last; all others are found through the index. */
const MAX_ENTRIES = 128;

const HEAD_BYTES = 64;
const HEAD = /^\{\s*"version":\s*1,/;

/** The file `manifest.json`. */
export class Manifest {
  /** Where it is. */
  readonly path: string;

  /** @param path `.agentx/memory/manifest.json` */
  constructor(path: string) {
    this.path = path;
  }

  /**
   * Refuses to go on beside the manifest of a newer version.
   *
   * @throws {AgentxError} `NEWER_STATE`
   */
  guard(): void {
    const head = sys.readPart(this.path, 0, HEAD_BYTES);
    if (head === undefined || HEAD.test(new TextDecoder().decode(head.bytes))) return;
    this.state();
  }

  /**
   * @returns whether the manifest can be relied on
   * @throws {AgentxError} `NEWER_STATE`
   */
  state(): ManifestState {
    try {
      return this.#read() === undefined ? "missing" : "good";
    } catch (error) {
      if (error instanceof UnreadableFile) return "damaged";
      throw error;
    }
  }

  /**
   * Writes it anew.
   *
   * @param observations all of them, the newest last
   * @param options when it is written, and how
   */
  write(observations: readonly Observation[], options: ManifestOptions): void {
    this.#write(observations.map(indexOf), observations.length, options);
  }

  /**
   * Brings it up to date.
   *
   * @param added what came, in the order of arrival
   * @param removed the ids of what went
   * @param options when it is written, and how
   * @returns false, and nothing is written, if it cannot be relied on
   */
  change(
    added: readonly Observation[],
    removed: ReadonlySet<string>,
    options: ManifestOptions,
  ): boolean {
    if (this.state() !== "good") return false;
    const { entries, total = entries.length } = this.#read() as ManifestFile;
    const kept = entries.filter(({ id }) => !removed.has(id));
    this.#write([...kept, ...added.map(indexOf)], total + added.length - removed.size, options);
    return true;
  }

  #write(
    entries: ObservationIndex[],
    total: number,
    { updatedAt, replaceFile }: ManifestOptions,
  ): void {
    const file: ManifestFile = {
      ...this.state() === "good" ? this.#read() : {},
      version: 1,
      updatedAt,
      total,
      entries: entries.slice(-MAX_ENTRIES),
    };
    replaceFile(this.path, encodeMemoryFile(file, "entries"));
  }

  #read(): ManifestFile | undefined {
    const text = sys.readTextFile(this.path);
    return text === undefined ? undefined : parseManifest(text, this.path);
  }
}
