// Files that git tracks although they belong to one machine: they may have been forced in
// to reach those who clone the repository. They are found without running git, by reading the index.
//
// Paths are compared without regard to the case of ASCII letters, since a file system may do so too.
// Where the index cannot be read, everything counts as tracked, and the reason is reported.

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

/** State of a workspace that git tracks, and should not. */
export interface TrackedState {
  /** State, log and locks, which this machine did not write. Relative to the workspace. */
  state: string[];
  /** Why the index cannot be read; undefined where it can, and outside of git. */
  problem?: string;
}

/** The place of an index, with the facts that its reader needs. */
export interface IndexPlace extends IndexFormat {
  path: string;
  /** The workspace inside the checkout: empty, or a path with a slash at its end. */
  prefix: string;
}

/** A larger index is not read. */
export const MAX_INDEX_BYTES = 128 * 1024 * 1024;

/** Some hundreds of entries. */
const HEAD_BYTES = 65_536;

const MAX_CONFIG_BYTES = 1_048_576;

const STATE = /^\.agentx(\/(state|log)(\/|$)|\/.*\.lock$|$)/;
const PLACEHOLDER = /\/\.git(keep|ignore)$/;

/** Finds state of a workspace that git tracks, and should not. */
export function trackedState(root: string): TrackedState {
  const { paths, problem } = readTracked(sys.realPath(root) ?? root);
  const state = paths.filter((path) => STATE.test(path.toLowerCase()) && !PLACEHOLDER.test(path));
  return { state, problem };
}

/** Gives, each time it is called, a test of paths: whether git tracks them now. */
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
    if (error instanceof AgentxError) return error.message; // reading it fails the same way
    throw error;
  }
}

/** A link, a submodule or a folder left out of the checkout stands for everything below it. */
function covers(tracked: ReadonlySet<string>, path: string): boolean {
  const name = path.toLowerCase();
  if (tracked.has(name)) return true;
  for (let end = name.lastIndexOf("/"); end > 0; end = name.lastIndexOf("/", end - 1)) {
    if (tracked.has(name.slice(0, end))) return true;
  }
  return false;
}

/** Every path at or below `.agentx/` that git tracks, relative to the workspace. */
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

/** Where the index of a repository is, for the workspace at `root`. */
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

/** The index, or of one that is split both parts. */
export interface IndexPart {
  /** In the order of their paths. */
  entries: Iterable<IndexEntry>;
  /** Whether what stands at a position of it is tracked no more. */
  isRemoved: (position: number) => boolean;
}

/** Throws `UnreadableIndex`, `IO_ERROR`. */
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

/** Most callers stop near the beginning: the rest of a large index is read only for a caller that goes on. */
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
    if (!(error instanceof UnreadableIndex)) throw error; // what is damaged shows in the whole, too
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
    if (path[0] > lastByte) break; // they are sorted
    const name = relative(path);
    if (name !== undefined && !isRemoved(position)) paths.push(name);
    position++;
  }
  return paths;
}

/**
 * Makes the bytes of a path in the index relative to the workspace; undefined unless it is
 * `.agentx`, below it, or stands for a folder above it.
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

/** Makes a small letter of an ASCII letter, and nothing smaller of any byte. */
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
