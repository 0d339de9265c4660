/**
 * `index/head.json`: which segments count, what must not be shown, and what the index was made from.
 * Pure.
 *
 * @module
 */

import { isObject } from "../../checks.ts";
import { hash53 } from "../hash.ts";
import type { Observation } from "../schema.ts";
import type { HiddenIds } from "./index_view.ts";

/** The version of the files of memory. */
export interface SourceVersion {
  /** Of the manifest, which every change replaces. */
  manifest: string;
  /** Of each issue file, by its name. */
  files: Readonly<Record<string, string>>;
}

/** Changes with what words become terms and how it is laid out: an index of another version is rebuilt. */
export const INDEX_VERSION = 5;

/** How a segment is found. */
export interface SegmentName {
  name: string;
  /** Observations in it. */
  size: number;
  /** Bytes of its head. */
  head: number;
}

/** What the file holds. */
export interface IndexHead extends HiddenIds {
  version: typeof INDEX_VERSION;
  /** In the order of arrival. */
  segments: SegmentName[];
  /** What the index was made from. */
  source: SourceVersion;
  /** Hashes of the ids that are in the index although the journal may have them still. */
  folded: number[];
  /** The issues of which a file could not be read; absent while there are none. */
  damaged?: number[];
}

/** Whether it is whole, as a program of another version wrote it. */
export function isOtherVersion(text: string): boolean {
  return /^\{"version":\d+,.*\}\n$/.test(text) && !text.startsWith(`{"version":${INDEX_VERSION},`);
}

/** Undefined if it is damaged, or of another version. */
export function parseHead(text: string): IndexHead | undefined {
  let head: Partial<IndexHead> | null;
  try {
    head = JSON.parse(text);
  } catch {
    return undefined; // it is rebuilt
  }
  const { segments, folded, gone, superseded, damaged = [] } = head ?? {};
  const lists = [segments, folded, gone, superseded, damaged];
  const isHead = head?.version === INDEX_VERSION && lists.every(Array.isArray) &&
    typeof head.source?.manifest === "string" && isObject(head.source.files);
  return isHead ? head as IndexHead : undefined;
}

/** Whether the index was made from the files of memory as they are. */
export function isSameSource({ source }: IndexHead, { manifest, files }: SourceVersion): boolean {
  return source.manifest === manifest && areSameFiles(source.files, files);
}

/** Whether the same files have the same versions. */
export function areSameFiles(a: SourceVersion["files"], b: SourceVersion["files"]): boolean {
  const names = Object.keys(b);
  return names.length === Object.keys(a).length && names.every((name) => a[name] === b[name]);
}

/** By these the index knows observations. */
export function hashesOf(observations: readonly Observation[]): number[] {
  return observations.map(({ id }) => hash53(id));
}

/** What some observations say of themselves and of others. */
export function hiddenBy(observations: readonly Observation[]): HiddenIds {
  const correcting = observations.filter(({ supersedes }) => supersedes !== undefined);
  return {
    gone: hashesOf(observations.filter(({ retracted }) => retracted !== undefined)),
    superseded: correcting.map(({ id, supersedes }) => [hash53(supersedes!), hash53(id)]),
  };
}
