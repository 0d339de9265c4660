/**
 * {@linkcode System} on Deno, without any `node:` module but the one that unpacks, which is loaded where
 * something is packed.
 *
 * @module
 */

import { clock } from "./clock.ts";
import {
  attempt,
  create,
  DenoFileInfo,
  guard,
  makeFolder,
  open,
  readBytes,
  reading,
  unlessMissing,
} from "./deno_files.ts";
import { checkSize, MAX_FILE_BYTES, MAX_INPUT_BYTES, MAX_LINE_BYTES } from "./guard.ts";
import { errnoOf, ioError, unlessThere } from "./io_error.ts";
import { packText, unpackText, type Zlib } from "./packed_text.ts";
import {
  type ProcessSpace,
  type ProcReader,
  readProcessSpace,
  readProcessStart,
} from "./process_space.ts";
import { endingListeners, HUNG_UP } from "./signals.ts";
import type { FileInfo, OpenFile, System } from "./system.ts";

/** @returns the operating system as Deno offers it */
export function denoSystem(): System {
  const proc: ProcReader = {
    pid: Deno.pid,
    read: (path) => unlessMissing("read", path, () => Deno.readTextFileSync(path)),
    readLink: (path) => Deno.readLinkSync(path),
  };
  let hostname: string | undefined;
  let space: { known: ProcessSpace | undefined } | undefined;
  return {
    pid: Deno.pid,
    get hostname() {
      return hostname ??= Deno.hostname();
    },
    platform: Deno.build.os,
    execPath: Deno.execPath(),

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
    removeFile: (path) =>
      unlessMissing("remove", path, () => (Deno.removeSync(path), true)) ?? false,
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
    makeDir: (path, mode) =>
      attempt("create", path, () => guard.makeFolder(path, mode, makeFolder)),
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
    removeFolder: (path) =>
      attempt("remove", path, () => Deno.removeSync(path, { recursive: true })),
    removeEmptyFolder: (path) => attempt("remove", path, () => Deno.removeSync(path)),
    realPath: (path) => unlessMissing("resolve", path, () => Deno.realPathSync(path)),
    packText: (text) => packText(zlib(), text),
    unpackText: (packed) => unpackText(zlib(), packed),

    cwd: () => Deno.cwd(),
    uid: () => Deno.uid(),
    env: (name) => Deno.env.get(name),
    envEntries: () => Object.entries(Deno.env.toObject()),
    processSpace: () => (space ??= { known: readProcessSpace(proc) }).known,
    processStart: (pid) => readProcessStart(proc, pid),
    ...clock,

    every(ms, action) {
      const timer = setInterval(action, ms);
      Deno.unrefTimer(timer);
      return () => clearInterval(timer);
    },
    run: async (argv, options) => (await import("./deno_run.ts")).denoRun(argv, options),

    writeStdout: (text) => writeStream(Deno.stdout, text),
    writeStderr: (text) => void writeStream(Deno.stderr, text, HUNG_UP),
    readStdin: readInput,
    async readLine() {
      let line = "";
      const buffer = new Uint8Array(MAX_LINE_BYTES);
      while (line.length < MAX_LINE_BYTES && !line.includes("\n")) {
        const length = await Deno.stdin.read(buffer);
        if (length === null) break;
        line += decoder.decode(buffer.subarray(0, length));
      }
      return line.split("\n", 1)[0];
    },
    readKey() {
      const setRaw = (isRaw: boolean) => {
        try {
          Deno.stdin.setRaw(isRaw, { cbreak: isRaw }); // Ctrl-C stays a signal
        } catch {
          // it has hung up
        }
      };
      const read = async () => {
        const buffer = new Uint8Array(MAX_LINE_BYTES);
        try {
          const length = await Deno.stdin.read(buffer);
          return length === null ? null : decoder.decode(buffer.subarray(0, length));
        } catch {
          return null; // it has hung up
        } finally {
          setRaw(false);
        }
      };
      setRaw(true);
      return { key: read(), stop: () => setRaw(false) };
    },
    isTerminal: (stream) => Deno[stream].isTerminal(),
    columns() {
      try {
        return Deno.consoleSize().columns;
      } catch {
        return undefined; // not a terminal
      }
    },
    onInterrupt(handler) {
      const stops = endingListeners(proc, handler).map(([signal, listener]) => {
        Deno.addSignalListener(signal, listener);
        return () => Deno.removeSignalListener(signal, listener);
      });
      return () => stops.forEach((stop) => stop());
    },
  };
}

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

const encoder = new TextEncoder();
/** A byte order mark is a part of the text, which JSON does not allow. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

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
  writeAll(file, bytes);
  return bytes.length;
}

function encode(text: string): Uint8Array {
  if (text.length * MAX_BYTES_PER_UNIT > scratch.length) return encoder.encode(text);
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
}

function writeAll(file: { writeSync(bytes: Uint8Array): number }, bytes: Uint8Array): void {
  let rest = bytes;
  while (rest.length > 0) rest = rest.subarray(file.writeSync(rest));
}

/** As much as a pipe holds. */
const STDIN_BYTES = 65_536;

async function readInput(): Promise<string> {
  const chunks = new TextDecoder();
  let text = "";
  let bytes = 0;
  // Its stream is not used: setting one up takes as long as all the rest of a small command.
  const buffer = new Uint8Array(STDIN_BYTES);
  for (let length; (length = await Deno.stdin.read(buffer)) !== null;) {
    checkSize("standard input", bytes += length, MAX_INPUT_BYTES);
    text += chunks.decode(buffer.subarray(0, length), { stream: true });
  }
  return text + chunks.decode();
}

function writeStream(
  stream: { writeSync(bytes: Uint8Array): number },
  text: string,
  unread: readonly string[] = [],
): boolean {
  try {
    writeAll(stream, encoder.encode(text));
    return true;
  } catch (error) {
    // A reader such as `head` that has seen enough is not a failure.
    const errno = errnoOf(error);
    if (errno === "EPIPE" || unread.includes(errno)) return false;
    throw ioError("write to", "the output", error);
  }
}

/** Deno itself has only a stream for it, which cannot be waited for under a lock. */
function zlib(): Zlib {
  // @ts-ignore: the type of the global is that of Node, which is not loaded
  return globalThis.process.getBuiltinModule("node:zlib");
}
