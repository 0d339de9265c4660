// The files that git tracks in a folder, read from its index, and the commit that is checked out. Git
// itself is not run.

import { hasCode } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { indexEntries, UnreadableIndex } from "./git_index.ts";
import type { Repository } from "./repository.ts";
import { indexPlace, isSplit, readBytes } from "./tracked.ts";

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const MAX_REFS_BYTES = 16 * 1024 * 1024;

/**
 * The tracked files below a folder, relative to it and at most `most`; undefined where the index is
 * split or cannot be read.
 */
export function trackedPaths(
  folder: string,
  repository: Repository,
  most: number,
): string[] | undefined {
  const place = indexPlace(folder, repository);
  const decoder = new TextDecoder();
  const paths: string[] = [];
  try {
    const bytes = readBytes(place.path);
    if (bytes === undefined) return undefined;
    for (const { path } of indexEntries(bytes, place)) {
      const name = decoder.decode(path);
      if (name.startsWith(place.prefix)) paths.push(name.slice(place.prefix.length));
      if (paths.length >= most) break;
    }
    return paths;
  } catch (error) {
    if (error instanceof UnreadableIndex || hasCode(error, "IO_ERROR")) return undefined;
    throw error;
  }
}

/**
 * The size of each tracked file as git last saw it, of those whose path in the folder begins with
 * `below`, by the rest of the path; undefined where the index is split or cannot be read.
 */
export function trackedSizes(
  folder: string,
  repository: Repository,
  below: string,
): Map<string, number> | undefined {
  const place = indexPlace(folder, repository);
  const wanted = `${place.prefix}${below}`;
  const decoder = new TextDecoder();
  const sizes = new Map<string, number>();
  try {
    const bytes = readBytes(place.path);
    if (bytes === undefined) return sizes;
    if (isSplit(repository)) return undefined;
    for (const { path, size } of indexEntries(bytes, place)) {
      const name = decoder.decode(path);
      if (name.startsWith(wanted)) sizes.set(name.slice(wanted.length), size);
      else if (name > wanted) break; // they are sorted
    }
    return sizes;
  } catch (error) {
    if (error instanceof UnreadableIndex || hasCode(error, "IO_ERROR")) return undefined;
    throw error;
  }
}

/**
 * The tracked files that a sparse checkout leaves out, of those whose path begins with one of
 * `below`; none where the index cannot be read.
 */
export function notCheckedOut(
  folder: string,
  repository: Repository,
  below: readonly string[],
): string[] {
  const place = indexPlace(folder, repository);
  const decoder = new TextDecoder();
  try {
    const paths: string[] = [];
    const bytes = readBytes(place.path);
    if (bytes === undefined) return paths;
    for (const { isSkipped, path } of indexEntries(bytes, place)) {
      const name = isSkipped ? decoder.decode(path) : "";
      const own = name.startsWith(place.prefix) ? name.slice(place.prefix.length) : "";
      if (below.some((start) => own.startsWith(start))) paths.push(own);
    }
    return paths;
  } catch (error) {
    if (error instanceof UnreadableIndex || hasCode(error, "IO_ERROR")) return [];
    throw error;
  }
}

/** The commit that is checked out; undefined before the first one, or where it cannot be read. */
export function headCommit({ gitFolder }: Repository): string | undefined {
  try {
    const head = sys.readTextFile(`${gitFolder}/HEAD`, MAX_REFS_BYTES)?.trim() ?? "";
    if (COMMIT.test(head)) return head;
    const ref = /^ref: (refs\/[^\s]+)$/.exec(head)?.[1];
    if (ref === undefined || ref.split("/").includes("..")) return undefined;
    const common = sys.readTextFile(`${gitFolder}/commondir`)?.trim() ?? ".";
    const shared = common.startsWith("/") ? common : `${gitFolder}/${common}`;
    const loose = sys.readTextFile(`${shared}/${ref}`, MAX_REFS_BYTES)?.trim() ?? "";
    if (COMMIT.test(loose)) return loose;
    const packed = sys.readTextFile(`${shared}/packed-refs`, MAX_REFS_BYTES) ?? "";
    const line = packed.split("\n").find((line) => line.endsWith(` ${ref}`)) ?? "";
    const commit = line.slice(0, line.indexOf(" "));
    return COMMIT.test(commit) ? commit : undefined;
  } catch (error) {
    if (hasCode(error, "IO_ERROR")) return undefined;
    throw error;
  }
}
