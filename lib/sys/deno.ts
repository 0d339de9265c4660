/**
 * {@linkcode System} on Deno, without any `node:` module.
 *
 * @module
 */

import { attempt, errnoOf, ioError, unlessMissing } from "./io_error.ts";
import { denoRun } from "./deno_run.ts";
import {
  type FileInfo,
  isProcessId,
  MAX_LINE_BYTES,
  MODE_BITS,
  type OpenFile,
  type System,
} from "./system.ts";

/** @returns the operating system as Deno offers it */
export function denoSystem(): System {
  return {
    hasKernelLock: true,
    pid: Deno.pid,
    get hostname() {
      return Deno.hostname();
    },
    platform: Deno.build.os,
    execPath: Deno.execPath(),

    readTextFile: (path) => unlessMissing("read", path, () => Deno.readTextFileSync(path)),
    readPart: (path, offset, maxBytes) =>
      unlessMissing("read", path, () => {
        const file = Deno.openSync(path);
        try {
          const info = new DenoFileInfo(file.statSync());
          const bytes = new Uint8Array(Math.max(0, Math.min(maxBytes, info.size - offset)));
          file.seekSync(offset, Deno.SeekMode.Start);
          const length = bytes.length === 0 ? 0 : file.readSync(bytes) ?? 0;
          return { info, bytes: bytes.subarray(0, length) };
        } finally {
          file.close();
        }
      }),
    writeNewFile(path, content, { fsync, mode }) {
      attempt("write", path, () => {
        const file = Deno.openSync(path, { write: true, createNew: true, mode });
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
    appendTextFile(path, text) {
      attempt("write", path, () => {
        const file = Deno.openSync(path, { append: true, create: true });
        try {
          writeContent(file, text);
        } finally {
          file.close();
        }
      });
    },
    createFile(path) {
      try {
        const options = { read: true, write: true, createNew: true };
        return new DenoOpenFile(path, Deno.openSync(path, options));
      } catch (error) {
        if (errnoOf(error) === "EEXIST") return undefined;
        throw ioError("create", path, error);
      }
    },
    openFile: (path) =>
      unlessMissing(
        "open",
        path,
        () => new DenoOpenFile(path, Deno.openSync(path, { read: true, write: true })),
      ),
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
      unlessMissing("list", path, () => Array.from(Deno.readDirSync(path), (e) => e.name).sort()) ??
        [],
    makeDir: (path, mode) =>
      attempt("create", path, () => Deno.mkdirSync(path, { recursive: true, mode })),
    makeTempDir: (prefix) =>
      attempt("create a folder for", prefix, () => Deno.makeTempDirSync({ prefix })),
    realPath: (path) => unlessMissing("resolve", path, () => Deno.realPathSync(path)),

    cwd: () => Deno.cwd(),
    uid: () => Deno.uid(),
    env: (name) => Deno.env.get(name),
    envEntries: () => Object.entries(Deno.env.toObject()),
    isProcessAlive(pid) {
      if (!isProcessId(pid)) return false;
      try {
        Deno.kill(pid, 0);
        return true;
      } catch (error) {
        return !(error instanceof Error && error.message.includes("ESRCH"));
      }
    },
    every(ms, action) {
      const timer = setInterval(action, ms);
      Deno.unrefTimer(timer);
      return () => clearInterval(timer);
    },
    run: denoRun,

    writeStdout: (text) => writeStream(Deno.stdout, text),
    writeStderr: (text) => void writeStream(Deno.stderr, text),
    readStdin: () => new Response(Deno.stdin.readable).text(),
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
    isTerminal: (stream) => Deno[stream].isTerminal(),
    columns() {
      try {
        return Deno.consoleSize().columns;
      } catch {
        return undefined; // not a terminal
      }
    },
    onInterrupt(handler) {
      const signals = ["SIGINT", "SIGTERM"] as const;
      const stops = signals.map((signal) => {
        const listener = () => handler(signal);
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

  tryLock(): boolean {
    return attempt("lock", this.#path, () => this.#file.tryLockSync(true));
  }

  read(maxBytes: number): string {
    return attempt("read", this.#path, () => {
      this.#file.seekSync(0, Deno.SeekMode.Start);
      const buffer = new Uint8Array(maxBytes);
      const length = this.#file.readSync(buffer) ?? 0;
      return decoder.decode(buffer.subarray(0, length));
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
const decoder = new TextDecoder();

/** Asked for little of it again and again, it puts nothing together that is not asked for. */
class DenoFileInfo implements FileInfo {
  readonly #stat: Deno.FileInfo;

  constructor(stat: Deno.FileInfo) {
    this.#stat = stat;
  }

  get kind(): FileInfo["kind"] {
    const { isFile, isDirectory, isSymlink } = this.#stat;
    return isFile ? "file" : isDirectory ? "directory" : isSymlink ? "symlink" : "other";
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

function writeStream(stream: { writeSync(bytes: Uint8Array): number }, text: string): boolean {
  try {
    writeAll(stream, encoder.encode(text));
    return true;
  } catch (error) {
    // A reader such as `head` that has seen enough is no failure of ours.
    if (errnoOf(error) === "EPIPE") return false;
    throw ioError("write to", "the output", error);
  }
}
