// Opens and creates files, with the checks of the path guard.

import type { Stats } from "node:fs";
import { builtin, process } from "./builtin.ts";
import { FOLDER_MODE, MODE_BITS, PathGuard } from "./path_guard.ts";
import { errnoOf, ioError, type Users } from "./io_error.ts";
import type { FileInfo } from "./system.ts";

const fs = builtin("node:fs");
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = fs.constants;

/** Decodes text. A byte order mark stays in the text, and JSON does not allow it. */
export const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const users: Users = {
  current: () => ifPermitted(() => process.getuid?.()),
  ownerOf: (path) => ifPermitted(() => fs.lstatSync(path).uid),
};

/** Runs a system call, and turns its failure into an `IO_ERROR`. */
export function attempt<T>(operation: string, path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw ioError(operation, path, error, users);
  }
}

/** Like {@linkcode attempt}, but returns undefined if the path does not exist. */
export function unlessMissing<T>(operation: string, path: string, action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw ioError(operation, path, error, users);
  }
}

/** The guard of all functions that open files in this module and in `deno_file.ts`. */
export const guard = new PathGuard((path) =>
  unlessMissing("examine", path, () => fileInfo(fs.lstatSync(path)))
);

/** Opens a regular file; returns undefined if the file does not exist. */
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

/** Opens a regular file while `read` runs; returns undefined if the file does not exist. */
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

/** Creates a file. The path must not exist. */
export function create(path: string, mode?: number, access: number = O_RDWR): number {
  guard.checkFolders("create", path);
  const file = fs.openSync(path, access | O_CREAT | O_EXCL, mode);
  if (mode !== undefined) fs.fchmodSync(file, mode); // the umask removes bits from the mode
  return file;
}

/** Creates one folder, even if another process creates it at the same time. */
export function makeFolder(path: string, mode?: number): void {
  try {
    fs.mkdirSync(path, mode ?? FOLDER_MODE);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    return guard.makeFolder(path, mode, makeFolder);
  }
  if (mode !== undefined) fs.chmodSync(path, mode);
}

/** Reads this number of bytes, or fewer at the end of the file. */
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

/** Returns the kind, size and times of a path or an open file. */
export function fileInfo(stat: Stats): FileInfo {
  return {
    kind: kindOf(stat),
    id: `${stat.dev}:${stat.ino}`,
    links: stat.nlink,
    size: stat.size,
    modifiedMs: Math.floor(stat.mtimeMs), // whole numbers, as on Deno and Bun
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
