// Opening and creating files on Deno, guarded, and the bytes that go into them and come out.

import { FOLDER_MODE, MODE_BITS, PathGuard } from "./guard.ts";
import { attemptsFor, errnoOf } from "./io_error.ts";
import type { FileInfo } from "./system.ts";

export const encoder = new TextEncoder();

/** A byte order mark is a part of the text, which JSON does not allow. */
export const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Asked for little of it again and again, it puts nothing together that is not asked for. */
export class DenoFileInfo implements FileInfo {
  readonly #stat: Deno.FileInfo;

  constructor(stat: Deno.FileInfo) {
    this.#stat = stat;
  }

  get kind(): FileInfo["kind"] {
    const { isFile, isDirectory, isSymlink, isFifo, isSocket } = this.#stat;
    if (isFile) return "file";
    if (isDirectory) return "directory";
    if (isSymlink) return "symlink";
    return isFifo ? "fifo" : isSocket ? "socket" : "device";
  }

  get id(): string {
    return `${this.#stat.dev}:${this.#stat.ino}`;
  }

  get links(): number {
    return this.#stat.nlink ?? 1;
  }

  get size(): number {
    return this.#stat.size;
  }

  get modifiedMs(): number {
    return this.#stat.mtime?.getTime() ?? 0;
  }

  get uid(): number | null {
    return this.#stat.uid;
  }

  get mode(): number {
    return (this.#stat.mode ?? 0) & MODE_BITS;
  }
}

export const { attempt, unlessMissing } = attemptsFor({
  current: () => ifPermitted(() => Deno.uid() ?? undefined),
  ownerOf: (path) => ifPermitted(() => Deno.lstatSync(path).uid ?? undefined),
});

/** Shared by all that opens files here. */
export const guard = new PathGuard((path) =>
  unlessMissing("examine", path, () => new DenoFileInfo(Deno.lstatSync(path)))
);

/** Opens a regular file; undefined if there is none. */
export function open(
  operation: string,
  path: string,
  access: Deno.OpenOptions,
  seen?: FileInfo,
): { file: Deno.FsFile; info: FileInfo } | undefined {
  return guard.open(operation, path, {
    open: () => Deno.openSync(path, access),
    info: (file) => new DenoFileInfo(file.statSync()),
    close: (file) => file.close(),
  }, seen);
}

/** Opens a regular file for as long as `read` takes; undefined if there is none. */
export function reading<T>(
  path: string,
  read: (file: Deno.FsFile, info: FileInfo) => T,
  seen?: FileInfo,
): T | undefined {
  return unlessMissing("read", path, () => {
    const opened = open("read", path, { read: true }, seen);
    if (opened === undefined) return undefined;
    try {
      return read(opened.file, opened.info);
    } finally {
      opened.file.close();
    }
  });
}

/** Creates a file that must not exist. */
export function create(
  path: string,
  mode?: number,
  access: Deno.OpenOptions = { read: true, write: true },
): Deno.FsFile {
  guard.checkFolders("create", path);
  const file = Deno.openSync(path, { ...access, createNew: true, mode });
  if (mode !== undefined && !keptModes.has(mode)) {
    if (new DenoFileInfo(file.statSync()).mode === mode) keptModes.add(mode);
    else Deno.chmodSync(path, mode); // the umask has taken away from it
  }
  return file;
}

/**
 * Modes of which the umask of this process takes nothing away. Where it is changed later, a file may
 * get less than its mode, and never more.
 */
const keptModes = new Set<number>();

/** Creates one folder, which another process may create meanwhile. */
export function makeFolder(path: string, mode?: number): void {
  try {
    Deno.mkdirSync(path, { mode: mode ?? FOLDER_MODE });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    return guard.makeFolder(path, mode, makeFolder);
  }
  if (mode !== undefined) Deno.chmodSync(path, mode);
}

/** Reads so many bytes, or to the end of the file. */
export function readBytes(file: Deno.FsFile, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const count = file.readSync(bytes.subarray(length));
    if (count === null) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

/** Without the permission to ask, it is not known. */
function ifPermitted<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
