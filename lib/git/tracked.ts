// Finds files that git tracks although they belong to one machine. Somebody may have forced them into git to reach
// people who clone the repository. The index is read without running git.
//
// Paths are compared without regard to the case of ASCII letters, because a file system may ignore it, too. If the
// index cannot be read, every file counts as tracked, and the reason is reported.

import { AgentxError } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import {
  indexEntries,
  type IndexEntry,
  type IndexFormat,
  sharedPart,
  UnreadableIndex,
} from "./git_index.ts";
import { prefixOf, type Repository, repositoryAbove } from "./repository.ts";

/** State files of a workspace that git tracks, but should not. */
export interface TrackedState {
  /** State, log and lock files that this machine did not write, relative to the workspace. */
  state: string[];
  /** Why the index cannot be read; undefined if it can, and outside of git. */
  problem?: string;
}

/** The place of an index, and the facts that its reader needs. */
export interface IndexPlace extends IndexFormat {
  path: string;
  /** The path of the workspace inside the checkout: empty, or with a slash at its end. */
  prefix: string;
}

/** Maximum size of an index that is read. */
export const MAX_INDEX_BYTES = 128 * 1024 * 1024;

/** Size of the first read, enough for some hundreds of entries. */
const HEAD_BYTES = 65_536;

const MAX_CONFIG_BYTES = 1_048_576;

const STATE = /^\.agentx(\/(state|log)(\/|$)|\/.*\.lock$|$)/;
const PLACEHOLDER = /\/\.git(keep|ignore)$/;

/** Finds state files of a workspace that git tracks, but should not. */
export function trackedState(root: string): TrackedState {
  const { paths, problem } = readTracked(sys.realPath(root) ?? root);
  const state = paths.filter((path) => STATE.test(path.toLowerCase()) && !PLACEHOLDER.test(path));
  return { state, problem };
}

/** Returns a function. Each call of it returns a test: whether git tracks a path at that moment. */
export function trackedFiles(root: string): () => (path: string) => boolean {
  let repository: Repository | undefined;
  let version: string | undefined;
  let isTracked: (path: string) => boolean = () => false;
  return () => {
    repository ??= repositoryAbove(root);
    if (repository === undefined) return isTracked;
    const current = versionOf(`${repository.gitFolder}/index`);
    if (current === version) return isTracked;
    version = current;
    const { paths, problem } = readTracked(root);
    const tracked = new Set(paths.map((path) => path.toLowerCase()));
    isTracked = (path) => problem !== undefined || covers(tracked, path.slice(root.length + 1));
    return isTracked;
  };
}

function versionOf(path: string): string {
  try {
    const info = sys.lstat(path);
    return info === undefined ? "" : `${info.id}:${info.size}:${info.modifiedMs}`;
  } catch (error) {
    if (error instanceof AgentxError) return error.message; // reading the index fails with the same error
    throw error;
  }
}

/**
 * Whether git tracks a path or a folder above it. A link, a submodule or a folder left out of the checkout stands for
 * everything below it.
 */
function covers(tracked: ReadonlySet<string>, path: string): boolean {
  const name = path.toLowerCase();
  if (tracked.has(name)) return true;
  for (let end = name.lastIndexOf("/"); end > 0; end = name.lastIndexOf("/", end - 1)) {
    if (tracked.has(name.slice(0, end))) return true;
  }
  return false;
}

/** Returns every path at or below `.agentx/` that git tracks, relative to the workspace. */
function readTracked(root: string): { paths: string[]; problem?: string } {
  const repository = repositoryAbove(root);
  if (repository === undefined) return { paths: [] };
  try {
    const place = indexPlace(root, repository);
    return { paths: indexParts(place).flatMap((part) => pathsIn(part, place)) };
  } catch (error) {
    if (error instanceof UnreadableIndex) return { paths: [], problem: error.message };
    if (!(error instanceof AgentxError)) throw error;
    return { paths: [], problem: error.summary };
  }
}

/** Returns the place of the index of a repository, for the workspace at `root`. */
export function indexPlace(root: string, repository: Repository): IndexPlace {
  const { checkout, gitFolder, sharedFolder } = repository;
  const config = readSmall(`${sharedFolder}/config`) ?? "";
  const isLong = /^\s*objectformat\s*=\s*sha256\s*$/im.test(config);
  return {
    path: `${gitFolder}/index`,
    prefix: prefixOf(root, checkout),
    hashBytes: isLong ? 32 : 20,
  };
}

/** One part of the index; a split index has two. */
export interface IndexPart {
  /** The entries, sorted by path. */
  entries: Iterable<IndexEntry>;
  /** Whether the entry at a position of this part is no longer tracked. */
  isRemoved: (position: number) => boolean;
}

/** Returns the parts of an index. Throws `UnreadableIndex`, `IO_ERROR`. */
export function indexParts(place: IndexPlace): IndexPart[] {
  const folder = place.path.slice(0, place.path.lastIndexOf("/"));
  const own = { entries: entriesOf(place), isRemoved: () => false };
  const maySplit = sys.readDir(folder).some((name) => name.startsWith("sharedindex."));
  const bytes = maySplit ? readBytes(place.path) : undefined;
  const shared = bytes && sharedPart(bytes, place);
  if (shared === undefined) return [own];
  const rest = readBytes(`${folder}/${shared.name}`);
  if (rest === undefined) throw new UnreadableIndex(`its part "${shared.name}" is missing`);
  return [own, { entries: indexEntries(rest, place), isRemoved: shared.isRemoved }];
}

/** Yields the entries. Reads the rest of a large index only if the caller goes on, because most callers stop early. */
function* entriesOf(place: IndexPlace): Generator<IndexEntry> {
  const head = readBytes(place.path, HEAD_BYTES);
  if (head === undefined) return;
  let seen = 0;
  try {
    for (const entry of indexEntries(head, place)) {
      seen++;
      yield entry;
    }
    return;
  } catch (error) {
    if (!(error instanceof UnreadableIndex)) throw error; // damage also shows when the whole index is read
  }
  for (const entry of indexEntries(readBytes(place.path) ?? head, place)) {
    if (seen-- <= 0) yield entry;
  }
}

function pathsIn({ entries, isRemoved }: IndexPart, place: IndexPlace): string[] {
  const relative = relativeTo(place);
  const lastByte = new TextEncoder().encode(`${place.prefix}.`)[0] | LOWER_CASE;
  const paths: string[] = [];
  let position = 0;
  for (const { path } of entries) {
    if (path[0] > lastByte) break; // entries are sorted
    const name = relative(path);
    if (name !== undefined && !isRemoved(position)) paths.push(name);
    position++;
  }
  return paths;
}

/**
 * Returns a function that makes the bytes of a path in the index relative to the workspace. The function returns
 * undefined unless the path is `.agentx`, is below it, or stands for a folder above it.
 */
function relativeTo({ prefix }: IndexPlace): (path: Uint8Array) => string | undefined {
  const wanted = new TextEncoder().encode(`${prefix}.agentx/`);
  const folded = wanted.map(lower);
  return (path) => {
    const end = path.at(-1) === SLASH ? path.length - 1 : path.length;
    const length = Math.min(end, wanted.length);
    for (let index = 0; index < length; index++) {
      if (lower(path[index]) !== folded[index]) return undefined;
    }
    if (end >= wanted.length) {
      return new TextDecoder().decode(path.subarray(prefix.length, end));
    }
    return end > 0 && wanted[end] === SLASH ? ".agentx" : undefined;
  };
}

const SLASH = "/".charCodeAt(0);

/** The bit that makes a capital ASCII letter small; setting it never makes a byte smaller. */
const LOWER_CASE = 32;

function lower(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte | LOWER_CASE : byte;
}

function readBytes(path: string, most: number = MAX_INDEX_BYTES): Uint8Array | undefined {
  const info = sys.lstat(path);
  if (info === undefined) return undefined;
  if (info.kind !== "file") throw new UnreadableIndex(`"${path}" is not a file`);
  if (info.size > MAX_INDEX_BYTES) {
    throw new UnreadableIndex(`"${path}" has more than ${MAX_INDEX_BYTES} bytes`);
  }
  return sys.readPart(path, 0, Math.min(info.size, most))?.bytes;
}

function readSmall(path: string): string | undefined {
  const info = sys.lstat(path);
  if (info?.kind !== "file" || info.size > MAX_CONFIG_BYTES) return undefined;
  return sys.readTextFile(path);
}
