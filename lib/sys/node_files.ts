// Opening and creating files, guarded.

import type { Stats } from "node:fs";
import { builtin, process } from "./builtin.ts";
import { FOLDER_MODE, MODE_BITS, PathGuard } from "./path_guard.ts";
import { errnoOf, ioError, type Users } from "./io_error.ts";
import type { FileInfo } from "./system.ts";

const fs = builtin("node:fs");
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = fs.constants;

/** A byte order mark is a part of the text, which JSON does not allow. */
export const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const users: Users = {
  current: () => ifPermitted(() => process.getuid?.()),
  ownerOf: (path) => ifPermitted(() => fs.lstatSync(path).uid),
};

/** Runs a system call, and gives its failure as an `IO_ERROR`. */
export function attempt<T>(operation: string, path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw ioError(operation, path, error, users);
  }
}

/** Like {@linkcode attempt}, with undefined where the path does not exist. */
export function unlessMissing<T>(operation: string, path: string, action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw ioError(operation, path, error, users);
  }
}

/** Shared by everything that opens files here. */
export const guard = new PathGuard((path) =>
  unlessMissing("examine", path, () => fileInfo(fs.lstatSync(path)))
);

/** Opens a regular file; undefined if there is none. */
export function open(
  operation: string,
  path: string,
  access: number,
): { file: number; info: FileInfo } | undefined {
  return guard.open(operation, path, {
    open: () => fs.openSync(path, access | O_NOFOLLOW | O_NONBLOCK),
    info: (file) => fileInfo(fs.fstatSync(file)),
    close: (file) => fs.closeSync(file),
  });
}

/** Opens a regular file for as long as `read` takes; undefined if there is none. */
export function reading<T>(
  path: string,
  read: (file: number, info: FileInfo) => T,
): T | undefined {
  return unlessMissing("read", path, () => {
    const opened = open("read", path, O_RDONLY);
    if (opened === undefined) return undefined;
    try {
      return read(opened.file, opened.info);
    } finally {
      fs.closeSync(opened.file);
    }
  });
}

/** Creates a file that must not exist. */
export function create(path: string, mode?: number, access: number = O_RDWR): number {
  guard.checkFolders("create", path);
  const file = fs.openSync(path, access | O_CREAT | O_EXCL, mode);
  if (mode !== undefined) fs.fchmodSync(file, mode); // the umask takes away from it
  return file;
}

/** Creates one folder, which another process may create meanwhile. */
export function makeFolder(path: string, mode?: number): void {
  try {
    fs.mkdirSync(path, mode ?? FOLDER_MODE);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    return guard.makeFolder(path, mode, makeFolder);
  }
  if (mode !== undefined) fs.chmodSync(path, mode);
}

/** Reads this number of bytes, or to the end of the file. */
export function readBytes(file: number, size: number, offset = 0): Uint8Array {
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const count = fs.readSync(file, bytes, length, size - length, offset + length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

/** The kind, size and times of a path or an open file. */
export function fileInfo(stat: Stats): FileInfo {
  return {
    kind: kindOf(stat),
    id: `${stat.dev}:${stat.ino}`,
    links: stat.nlink,
    size: stat.size,
    modifiedMs: Math.floor(stat.mtimeMs), // as Deno and Bun's dates have it: runtimes compare it
    uid: process.getuid === undefined ? null : stat.uid,
    mode: stat.mode & MODE_BITS,
  };
}

function kindOf(stat: Stats): FileInfo["kind"] {
  if (stat.isFile()) return "file";
  if (stat.isDirectory()) return "directory";
  if (stat.isSymbolicLink()) return "symlink";
  return stat.isFIFO() ? "fifo" : stat.isSocket() ? "socket" : "device";
}

function ifPermitted<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
