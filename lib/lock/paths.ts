// The paths of the files beside a locked file, and one unique path for a file that has several names.

import { invalidInput } from "../base/input_checks.ts";
import { sys } from "../sys/mod.ts";

export interface LockedFile {
  /** The name that the caller uses; messages show it. */
  name: string;
  /** The absolute path without links, which identifies the file. */
  path: string;
}

/** The maximum length of a file name before a key and an ending are added. A file system takes names of 255 bytes. */
const MAX_NAME_BYTES = 200;

/** A longer chain of links counts as a circle. */
const MAX_LINKS = 40;

/** Returns the lock file of a file (SPEC-1 section 4.4). */
export function lockPathOf(path: string): string {
  return `${path}.lock`;
}

/** Returns the takeover file of a process that replaces a dead owner; its name contains the dead owner's key. */
export function takeoverPathOf(path: string, key: string): string {
  return `${keyed(path, key)}.lock`;
}

/** Returns the temporary file that the owner writes before the rename. If the owner dies, the next owner removes it. */
export function temporaryPath(path: string, token: string): string {
  return `${keyed(path, token)}.tmp`;
}

/** Adds a key to a file name. If the name is too long, the key replaces the name, since a key is unique by itself. */
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

/** Returns a path that does not depend on the current folder. Throws `INVALID_INPUT` if the path names no file. */
export function absolutePath(path: string): string {
  if (nameOf(path) === "") throw invalidInput("path", path, "it names no file");
  return path.startsWith("/") ? path : `${sys.cwd()}/${path}`;
}

/** A resolved name is not resolved again for this long, because resolving costs a tenth of the time of a lock. */
const BELIEVED_MS = 1_000;

const MAX_BELIEVED = 256;

const believed = new Map<string, { path: string; sinceMs: number }>();

/** Returns the unique path of a file that has several names, by the current folder, `./`, `//` and links. */
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

/** Resolves the folder of a path. A missing folder stays in the path, and the caller reports it. */
function withRealFolder(path: string): string {
  const folder = folderOf(path);
  const real = sys.realPath(folder) ?? folder;
  return `${real === "/" ? "" : real}/${nameOf(path)}`;
}
