// Files and folders on Deno.

import {
  attempt,
  create,
  decoder,
  DenoFileInfo,
  encoder,
  guard,
  makeFolder,
  open,
  readBytes,
  reading,
  unlessMissing,
} from "./deno_files.ts";
import { checkSize, MAX_FILE_BYTES } from "./guard.ts";
import { errnoOf, ioError, unlessThere } from "./io_error.ts";
import type { FileInfo, OpenFile, System } from "./system.ts";
import { writeAll } from "./write_all.ts";

/** What is done with files and folders. */
export const disk: Pick<
  System,
  | "readTextFile"
  | "readPart"
  | "writeNewFile"
  | "appendTextFile"
  | "createFile"
  | "openFile"
  | "rename"
  | "removeFile"
  | "lstat"
  | "isExecutable"
  | "readDir"
  | "makeDir"
  | "setMode"
  | "syncFolder"
  | "makeTempDir"
  | "readLink"
  | "removeFolder"
  | "removeEmptyFolder"
  | "realPath"
> = {
  readTextFile: (path, maxBytes = MAX_FILE_BYTES, seen) =>
    reading(path, (file, { size }) => {
      checkSize(path, size, maxBytes);
      return decoder.decode(readBytes(file, size || SPECIAL_BYTES));
    }, seen),
  readPart: (path, offset, maxBytes) =>
    reading(path, (file, info) => {
      const length = Math.max(0, Math.min(maxBytes, info.size - offset));
      checkSize(path, length, MAX_FILE_BYTES);
      file.seekSync(offset, Deno.SeekMode.Start);
      return { info, bytes: readBytes(file, length) };
    }),
  writeNewFile(path, content, { fsync, mode }) {
    attempt("write", path, () => {
      const file = create(path, mode);
      try {
        writeContent(file, content);
        if (fsync) file.syncSync();
      } catch (error) {
        Deno.removeSync(path);
        throw error;
      } finally {
        file.close();
      }
    });
  },
  appendTextFile(path, text, mode) {
    attempt("write", path, () => {
      const access = { append: true };
      const made = () => unlessThere(() => create(path, mode, access));
      const file = open("write", path, access)?.file ?? made() ??
        open("write", path, access)!.file;
      try {
        writeContent(file, text);
      } finally {
        file.close();
      }
    });
  },
  createFile: (path, mode) =>
    attempt("create", path, () => {
      const file = unlessThere(() => create(path, mode));
      return file && new DenoOpenFile(path, file);
    }),
  openFile: (path, { isReadOnly = false } = {}) =>
    unlessMissing("open", path, () => {
      const file = open("open", path, { read: true, write: !isReadOnly })?.file;
      return file && new DenoOpenFile(path, file);
    }),
  rename: (from, to) => attempt("replace", to, () => Deno.renameSync(from, to)),
  removeFile: (path) => unlessMissing("remove", path, () => (Deno.removeSync(path), true)) ?? false,
  lstat: (path) => unlessMissing("examine", path, () => new DenoFileInfo(Deno.lstatSync(path))),
  isExecutable: (path) =>
    unlessMissing("examine", path, () => {
      const { isFile, mode } = Deno.statSync(path);
      return isFile && ((mode ?? 0) & 0o111) !== 0;
    }) ?? false,
  readDir: (path) =>
    unlessMissing("list", path, () => {
      guard.checkFolders("list", `${path}/`);
      return Array.from(Deno.readDirSync(path), (e) => e.name).sort();
    }) ?? [],
  makeDir: (path, mode) => attempt("create", path, () => guard.makeFolder(path, mode, makeFolder)),
  setMode: (path, mode) => attempt("change the mode of", path, () => Deno.chmodSync(path, mode)),
  syncFolder(path) {
    attempt("write", path, () => {
      const folder = Deno.openSync(path);
      try {
        folder.syncSync();
      } finally {
        folder.close();
      }
    });
  },
  makeTempDir: (prefix) =>
    attempt("create a folder for", prefix, () => Deno.makeTempDirSync({ prefix })),
  readLink: (path) => attempt("read", path, () => Deno.readLinkSync(path)),
  removeFolder: (path) => attempt("remove", path, () => Deno.removeSync(path, { recursive: true })),
  removeEmptyFolder: (path) => attempt("remove", path, () => Deno.removeSync(path)),
  realPath: (path) => unlessMissing("resolve", path, () => Deno.realPathSync(path)),
};

class DenoOpenFile implements OpenFile {
  readonly #path: string;
  readonly #file: Deno.FsFile;

  constructor(path: string, file: Deno.FsFile) {
    this.#path = path;
    this.#file = file;
  }

  info(): FileInfo {
    return attempt("examine", this.#path, () => new DenoFileInfo(this.#file.statSync()));
  }

  tryLock(): boolean | undefined {
    try {
      return this.#file.tryLockSync(true);
    } catch (error) {
      if (NO_KERNEL_LOCK.includes(errnoOf(error))) return undefined;
      throw ioError("lock", this.#path, error);
    }
  }

  read(maxBytes: number): string {
    return attempt("read", this.#path, () => {
      this.#file.seekSync(0, Deno.SeekMode.Start);
      const buffer = new Uint8Array(maxBytes);
      const length = this.#file.readSync(buffer) ?? 0;
      return decoder.decode(buffer.subarray(0, length));
    });
  }

  readAt(offset: number, length: number): Uint8Array {
    return attempt("read", this.#path, () => {
      this.#file.seekSync(offset, Deno.SeekMode.Start);
      return readBytes(this.#file, length);
    });
  }

  fill(text: string): number {
    return attempt("write", this.#path, () => writeContent(this.#file, text));
  }

  writeAt(text: string, offset: number | "end"): void {
    attempt("write", this.#path, () => {
      if (offset === "end") this.#file.seekSync(0, Deno.SeekMode.End);
      else this.#file.seekSync(offset, Deno.SeekMode.Start);
      writeContent(this.#file, text);
    });
  }

  truncate(size: number): void {
    attempt("write", this.#path, () => this.#file.truncateSync(size));
  }

  sync(): void {
    attempt("write", this.#path, () => this.#file.syncSync());
  }

  close(): void {
    this.#file.close();
  }
}

/** Files of the system itself (`/proc`) have size 0: this much is read of one. */
const SPECIAL_BYTES = 65_536;

/** What a file system without kernel locks says, or one whose lock server is not there. */
const NO_KERNEL_LOCK = ["ENOLCK", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

/** What fits is encoded in place, in a fifth of the time. */
const scratch = new Uint8Array(65_536);
const MAX_BYTES_PER_UNIT = 3;

/** Returns the length in bytes. */
function writeContent(
  file: { writeSync(bytes: Uint8Array): number },
  content: string | Uint8Array,
): number {
  const bytes = typeof content === "string" ? encode(content) : content;
  writeAll(bytes, (rest) => file.writeSync(rest));
  return bytes.length;
}

function encode(text: string): Uint8Array {
  if (text.length * MAX_BYTES_PER_UNIT > scratch.length) return encoder.encode(text);
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
}
