// The files beside a locked file, all in its folder; and one name for a file that has several.

import { invalidInput } from "../base/input_checks.ts";
import { sys } from "../sys/mod.ts";

/** A file that is to be locked. */
export interface LockedFile {
  /** As the caller names it, and as it is named to people. */
  name: string;
  /** Absolute and without links: what counts. */
  path: string;
}

/** A file system takes names of 255 bytes: with a key and an ending, no more than this is left. */
const MAX_NAME_BYTES = 200;

/** A chain of links that is longer goes round in a circle. */
const MAX_LINKS = 40;

/** The lock file of a file (SPEC-1 section 4.4). */
export function lockPathOf(path: string): string {
  return `${path}.lock`;
}

/** The lock file of the process that replaces a dead owner; it carries the dead owner's key. */
export function takeoverPathOf(path: string, key: string): string {
  return `${keyed(path, key)}.lock`;
}

/** Where the owner writes before it renames; the next owner removes it if this one died. */
export function temporaryPath(path: string, token: string): string {
  return `${keyed(path, token)}.tmp`;
}

/** A key is unique by itself: where the name is too long, it stands alone. */
function keyed(path: string, key: string): string {
  const name = nameOf(path);
  const isLong = name.length > MAX_NAME_BYTES / 3 && bytesOf(name) > MAX_NAME_BYTES;
  return isLong ? `${path.slice(0, path.length - name.length)}${key}` : `${path}.${key}`;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/**
 * Makes a path independent of the current folder; throws `INVALID_INPUT` where it names no file.
 */
export function absolutePath(path: string): string {
  if (nameOf(path) === "") throw invalidInput("path", path, "it names no file");
  return path.startsWith("/") ? path : `${sys.cwd()}/${path}`;
}

/** A name that was resolved a moment ago is not resolved again: it would be a tenth of a lock. */
const BELIEVED_MS = 1_000;

const MAX_BELIEVED = 256;

const believed = new Map<string, { path: string; sinceMs: number }>();

/** Finds the one name of a file that has several: by the current folder, `./`, `//` and links. */
export function lockedFile(name: string): LockedFile {
  const absolute = absolutePath(name);
  const nowMs = performance.now();
  const known = believed.get(absolute);
  if (known !== undefined && nowMs - known.sinceMs < BELIEVED_MS) return { name, path: known.path };
  const path = resolve(absolute);
  if (believed.size >= MAX_BELIEVED) believed.clear();
  believed.set(absolute, { path, sinceMs: nowMs });
  return { name, path };
}

function resolve(absolute: string): string {
  let path = withRealFolder(absolute);
  for (let links = 0; links < MAX_LINKS && sys.lstat(path)?.kind === "symlink"; links++) {
    const target = sys.readLink(path);
    path = withRealFolder(target.startsWith("/") ? target : `${folderOf(path)}/${target}`);
  }
  return path;
}

/** A missing folder is for the caller to report. */
function withRealFolder(path: string): string {
  const folder = folderOf(path);
  const real = sys.realPath(folder) ?? folder;
  return `${real === "/" ? "" : real}/${nameOf(path)}`;
}
