// The files that git tracks in a folder, read from its index, and the commit that is checked out. This code does not
// run git, except for reftables.

import { hasCode } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { type IndexEntry, UnreadableIndex } from "./git_index.ts";
import { IN_REFTABLE, reftableHead } from "./reftable.ts";
import type { Repository } from "./repository.ts";
import { indexParts, indexPlace } from "./tracked.ts";

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const MAX_REFS_BYTES = 16 * 1024 * 1024;

/** Returns at most `most` tracked files below a folder, relative to it; none if the index cannot be read. */
export function trackedPaths(folder: string, repository: Repository, most: number): string[] {
  const paths: string[] = [];
  visit(folder, repository, (path) => paths.push(path) < most);
  return paths.slice(0, most);
}

/**
 * Returns the size of each tracked file below `below`, as git last saw it, by the path relative to `below`; undefined
 * if the index cannot be read.
 */
export function trackedSizes(
  folder: string,
  repository: Repository,
  below: string,
): Map<string, number> | undefined {
  const sizes = new Map<string, number>();
  const isRead = visit(folder, repository, (path, { size }) => {
    if (path.startsWith(below)) sizes.set(path.slice(below.length), size);
    return path.startsWith(below) || path < below; // entries are sorted
  });
  return isRead ? sizes : undefined;
}

/** Returns the tracked files below any path in `below` that a sparse checkout leaves out. */
export function notCheckedOut(
  folder: string,
  repository: Repository,
  below: readonly string[],
): string[] {
  const paths: string[] = [];
  const last = [...below].sort().at(-1) ?? "";
  visit(folder, repository, (path, { isSkipped }) => {
    if (isSkipped && below.some((start) => path.startsWith(start))) paths.push(path);
    return path < last || path.startsWith(last); // entries are sorted
  });
  return paths;
}

/** Visits the files below a folder until `see` returns false. Returns whether the index can be read. */
function visit(
  folder: string,
  repository: Repository,
  see: (path: string, entry: IndexEntry) => boolean,
): boolean {
  const place = indexPlace(folder, repository);
  const decoder = new TextDecoder();
  try {
    for (const { entries, isRemoved } of indexParts(place)) {
      let position = 0;
      for (const entry of entries) {
        const name = decoder.decode(entry.path);
        const isHere = !isRemoved(position++) && name !== ""; // the other part has the new entry
        if (!isHere) continue;
        const isBelow = name.startsWith(place.prefix);
        if (isBelow ? !see(name.slice(place.prefix.length), entry) : name > place.prefix) break; // sorted
      }
    }
    return true;
  } catch (error) {
    if (error instanceof UnreadableIndex || hasCode(error, "IO_ERROR")) return false;
    throw error;
  }
}

/** Returns the commit that is checked out; undefined before the first one, or if it cannot be read. */
export function headCommit(repository: Repository): string | undefined {
  const { gitFolder, sharedFolder: shared } = repository;
  try {
    const head = sys.readTextFile(`${gitFolder}/HEAD`, MAX_REFS_BYTES)?.trim() ?? "";
    if (COMMIT.test(head)) return head;
    if (head === IN_REFTABLE) return reftableHead(gitFolder).commit;
    const ref = /^ref: (refs\/[^\s]+)$/.exec(head)?.[1];
    if (ref === undefined || ref.split("/").includes("..")) return undefined;
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
