// An open file on Deno, the only runtime with a kernel lock for files.

import { MODE_BITS } from "./path_guard.ts";
import { errnoOf, ioError } from "./io_error.ts";
import { attempt, decoder, guard } from "./node_files.ts";
import type { FileInfo, OpenFile } from "./system.ts";
import { writeAll } from "./write_all.ts";

/** The errors of a file system without kernel locks or without a lock server. */
const NO_KERNEL_LOCK = ["ENOLCK", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

/** Creates a file. The path must not exist. */
export function createDenoFile(path: string, mode?: number): OpenFile {
  guard.checkFolders("create", path);
  const file = Deno.openSync(path, { read: true, write: true, createNew: true, mode });
  // The umask may have removed bits from the mode.
  if (mode !== undefined && infoOf(file).mode !== mode) Deno.chmodSync(path, mode);
  return new DenoFile(path, file);
}

/** Opens a regular file; returns undefined if the file does not exist. */
export function openDenoFile(path: string, isReadOnly: boolean): OpenFile | undefined {
  const opened = guard.open("open", path, {
    open: () => Deno.openSync(path, { read: true, write: !isReadOnly }),
    info: infoOf,
    close: (file) => file.close(),
  });
  return opened && new DenoFile(path, opened.file);
}

class DenoFile implements OpenFile {
  readonly #path: string;
  readonly #file: Deno.FsFile;

  constructor(path: string, file: Deno.FsFile) {
    this.#path = path;
    this.#file = file;
  }

  info(): FileInfo {
    return attempt("examine", this.#path, () => infoOf(this.#file));
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
    return decoder.decode(this.readAt(0, maxBytes));
  }

  readAt(offset: number, length: number): Uint8Array {
    return attempt("read", this.#path, () => {
      this.#file.seekSync(offset, Deno.SeekMode.Start);
      const bytes = new Uint8Array(length);
      let read = 0;
      while (read < length) {
        const count = this.#file.readSync(bytes.subarray(read));
        if (count === null) break;
        read += count;
      }
      return bytes.subarray(0, read);
    });
  }

  fill(text: string): number {
    return this.#write(text);
  }

  writeAt(text: string, offset: number | "end"): void {
    this.#write(text, offset);
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

  /** Writes a text and returns its length in bytes. */
  #write(text: string, offset?: number | "end"): number {
    return attempt("write", this.#path, () => {
      if (offset === "end") this.#file.seekSync(0, Deno.SeekMode.End);
      else if (offset !== undefined) this.#file.seekSync(offset, Deno.SeekMode.Start);
      const bytes = new TextEncoder().encode(text);
      writeAll(bytes, (rest) => this.#file.writeSync(rest));
      return bytes.length;
    });
  }
}

function infoOf(file: Deno.FsFile): FileInfo {
  const { dev, ino, nlink, size, mtime, uid, mode, isFile, isDirectory } = file.statSync();
  return {
    kind: isFile ? "file" : isDirectory ? "directory" : "device",
    id: `${dev}:${ino}`,
    links: nlink ?? 1,
    size,
    modifiedMs: mtime?.getTime() ?? 0,
    uid,
    mode: (mode ?? 0) & MODE_BITS,
  };
}
