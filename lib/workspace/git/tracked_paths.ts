/**
 * The files that git tracks in a folder, read from its index, and the commit that is checked out. Git
 * itself is not run.
 *
 * @module
 */

import { hasCode } from "../../errors.ts";
import { sys } from "../../sys/mod.ts";
import { indexEntries, UnreadableIndex } from "./git_index.ts";
import type { Repository } from "./repository.ts";
import { indexPlace, readBytes } from "./tracked.ts";

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const MAX_REFS_BYTES = 16 * 1024 * 1024;

/**
 * @param folder of a checkout, without links
 * @param repository the one that it belongs to
 * @param most so many paths are enough
 * @returns the tracked files below it, relative to it; undefined where the index cannot be read, or is
 *   split
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
 * @param repository a repository
 * @returns the commit that is checked out; undefined before the first one, or where it cannot be read
 */
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
