// Implements `System` with the `node:` modules, for every runtime.

import { AgentxError } from "../base/errors.ts";
import { readAncestors } from "./ancestors.ts";
import { builtin, isTerminal, process } from "./builtin.ts";
import { createDenoFile, openDenoFile } from "./deno_file.ts";
import { checkSize, MAX_FILE_BYTES, MAX_INPUT_BYTES, MAX_LINE_BYTES } from "./path_guard.ts";
import { errnoOf, ioError, unlessThere } from "./io_error.ts";
import {
  attempt,
  create,
  decoder,
  fileInfo,
  guard,
  makeFolder,
  open,
  readBytes,
  reading,
  unlessMissing,
} from "./node_files.ts";
import { killGroup, nodeAsk, nodeRun, nodeStartDetached } from "./node_run.ts";
import { refusalOfNode } from "./node_version.ts";
import { concat } from "./output.ts";
import { pause } from "./pause.ts";
import {
  type ProcessSpace,
  type ProcReader,
  readProcessSpace,
  readProcessStart,
} from "./process_space.ts";
import { endingListeners, HUNG_UP } from "./signals.ts";
import type { OpenFile, System } from "./system.ts";
import { writeAll } from "./write_all.ts";

const fs = builtin("node:fs");
const { O_APPEND, O_RDONLY, O_RDWR, O_WRONLY } = fs.constants;

const STREAMS = ["stdin", "stdout", "stderr"];

/**
 * The number of bytes to read at a time from `/proc`, because those files report size 0, and from pipes, which have
 * no size.
 */
const SPECIAL_BYTES = 65_536;

/** Returns the operating system. Throws `IO_ERROR` if Node is too old. */
export function nodeSystem({ isDeno = "Deno" in globalThis } = {}): System {
  const refusal = refusalOfNode(process.versions.node);
  if (refusal !== undefined) {
    const details = { operation: "start", path: process.execPath, errno: "ENOTSUP" };
    throw new AgentxError("IO_ERROR", refusal, { details });
  }
  const proc: ProcReader = {
    pid: process.pid,
    read: (path) => unlessMissing("read", path, () => fs.readFileSync(path, "utf8")),
    readLink: (path) => fs.readlinkSync(path),
  };
  let name: string | undefined;
  let space: { known: ProcessSpace | undefined } | undefined;
  return {
    pid: process.pid,
    get hostname() {
      return name ??= builtin("node:os").hostname();
    },
    platform: process.platform,
    execPath: process.execPath,

    readTextFile: (path, maxBytes = MAX_FILE_BYTES) =>
      reading(path, (file, { size }) => {
        checkSize(path, size, maxBytes);
        return decoder.decode(readBytes(file, size || SPECIAL_BYTES));
      }),
    readPart: (path, offset, maxBytes) =>
      reading(path, (file, info) => {
        const length = Math.max(0, Math.min(maxBytes, info.size - offset));
        checkSize(path, length, MAX_FILE_BYTES);
        return { info, bytes: readBytes(file, length, offset) };
      }),
    writeNewFile(path, content, { fsync, mode }) {
      attempt("write", path, () => {
        const file = create(path, mode);
        try {
          writeContent(file, content);
          if (fsync) fs.fsyncSync(file);
        } catch (error) {
          fs.unlinkSync(path);
          throw error;
        } finally {
          fs.closeSync(file);
        }
      });
    },
    appendTextFile(path, text, mode) {
      attempt("write", path, () => {
        const access = O_WRONLY | O_APPEND;
        const made = () => unlessThere(() => create(path, mode, access));
        const file = open("write", path, access)?.file ?? made() ??
          open("write", path, access)!.file;
        try {
          writeContent(file, text);
        } finally {
          fs.closeSync(file);
        }
      });
    },
    createFile: (path, mode) =>
      attempt(
        "create",
        path,
        () =>
          unlessThere(() =>
            isDeno ? createDenoFile(path, mode) : openFile(path, create(path, mode))
          ),
      ),
    openFile: (path, { isReadOnly = false } = {}) =>
      unlessMissing("open", path, () => {
        if (isDeno) return openDenoFile(path, isReadOnly);
        const file = open("open", path, isReadOnly ? O_RDONLY : O_RDWR)?.file;
        return file === undefined ? undefined : openFile(path, file);
      }),
    rename: (from, to) => attempt("replace", to, () => fs.renameSync(from, to)),
    removeFile: (path) => unlessMissing("remove", path, () => (fs.unlinkSync(path), true)) ?? false,
    lstat: (path) => unlessMissing("examine", path, () => fileInfo(fs.lstatSync(path))),
    isExecutable: (path) =>
      unlessMissing("examine", path, () => {
        const stat = fs.statSync(path);
        return stat.isFile() && (stat.mode & 0o111) !== 0;
      }) ?? false,
    readDir: (path) =>
      unlessMissing("list", path, () => {
        guard.checkFolders("list", `${path}/`);
        return fs.readdirSync(path).sort();
      }) ?? [],
    makeDir: (path, mode) =>
      attempt("create", path, () => guard.makeFolder(path, mode, makeFolder)),
    setMode: (path, mode) => attempt("change the mode of", path, () => fs.chmodSync(path, mode)),
    syncFolder(path) {
      attempt("write", path, () => {
        const folder = fs.openSync(path, "r");
        try {
          fs.fsyncSync(folder);
        } finally {
          fs.closeSync(folder);
        }
      });
    },
    makeTempDir: (prefix) =>
      attempt(
        "create a folder for",
        prefix,
        () => fs.mkdtempSync(`${builtin("node:os").tmpdir()}/${prefix}`),
      ),
    readLink: (path) => attempt("read", path, () => fs.readlinkSync(path)),
    removeFolder: (path) => attempt("remove", path, () => fs.rmSync(path, { recursive: true })),
    removeEmptyFolder: (path) => attempt("remove", path, () => fs.rmdirSync(path)),
    realPath: (path) => unlessMissing("resolve", path, () => fs.realpathSync(path)),

    cwd: () => process.cwd(),
    uid: () => process.getuid?.() ?? null,
    env: (name) => process.env[name],
    envEntries: () =>
      Object.entries(process.env).map(([name, value]): [string, string] => [name, value ?? ""]),
    processSpace: () => (space ??= { known: readProcessSpace(proc) }).known,
    processStart: (pid) => readProcessStart(proc, pid),
    ancestors: () => readAncestors(proc),
    now: () => Date.now(),
    async wait(ms, signal) {
      await pause(ms, signal);
      signal?.throwIfAborted();
    },

    every(ms, action) {
      const timers = builtin("node:timers");
      const timer = timers.setInterval(action, ms).unref();
      return () => timers.clearInterval(timer);
    },
    run: nodeRun,
    ask: nodeAsk,
    startDetached: nodeStartDetached,
    killGroup: (pid) => killGroup({ pid }),

    writeStdout: (text) => writeStream(1, text),
    writeStderr: (text) => void writeStream(2, text, HUNG_UP),
    async readStdin({ blocks = false } = {}) {
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      const add = (chunk: Uint8Array) => {
        bytes += chunk.length;
        checkSize("standard input", bytes, MAX_INPUT_BYTES);
        chunks.push(chunk);
      };
      if (!blocks || !readAtOnce(add)) { for await (const chunk of process.stdin) add(chunk); }
      return decoder.decode(concat(chunks));
    },
    async readLine() {
      let line = "";
      while (line.length < MAX_LINE_BYTES && !line.includes("\n")) {
        const chunk = await nextInput().text;
        if (chunk === null) break;
        line += chunk;
      }
      return line.split("\n", 1)[0];
    },
    readKey() {
      const { stdin } = process;
      stdin.setRawMode?.(true);
      const { text, stop } = nextInput();
      const calm = () => {
        stop();
        if (!stdin.destroyed) stdin.setRawMode?.(false);
      };
      const key = text.then((given) => {
        calm();
        // In raw mode, Ctrl-C does not send a signal.
        if (given?.includes("\x03")) process.kill(process.pid, "SIGINT");
        return given;
      });
      return { key, stop: calm };
    },
    isTerminal: (stream) => isTerminal(STREAMS.indexOf(stream)),
    columns: () => isTerminal(1) ? process.stdout.columns : undefined,
    onInterrupt(handler) {
      const listeners = endingListeners(proc, handler);
      for (const [signal, listener] of listeners) process.on(signal, listener);
      return () => listeners.forEach(([signal, listener]) => process.off(signal, listener));
    },
  };
}

/** Reads standard input to its end. Returns false if no input is ready and the read does not wait. */
function readAtOnce(add: (chunk: Uint8Array) => void): boolean {
  try {
    while (true) {
      const chunk = new Uint8Array(SPECIAL_BYTES);
      const length = fs.readSync(0, chunk);
      if (length === 0) return true;
      add(chunk.subarray(0, length));
    }
  } catch (error) {
    if (errnoOf(error) === "EAGAIN") return false;
    throw error;
  }
}

/** Returns the next chunk of standard input; null at its end. The stream stays open for the next call. */
function nextInput(): { text: Promise<string | null>; stop(): void } {
  const { stdin } = process;
  stdin.setEncoding("utf8");
  let stop = () => {};
  const text = new Promise<string | null>((resolve) => {
    const onData = (chunk: unknown) => end(String(chunk));
    const onEnd = () => end(null);
    stop = () => {
      stdin.off("data", onData).off("end", onEnd).off("error", onEnd);
      stdin.pause();
    };
    const end = (chunk: string | null) => {
      stop();
      resolve(chunk);
    };
    stdin.on("data", onData).on("end", onEnd).on("error", onEnd);
    if (stdin.readableEnded) end(null);
    else stdin.resume();
  });
  return { text, stop };
}

function openFile(path: string, file: number): OpenFile {
  return {
    info: () => attempt("examine", path, () => fileInfo(fs.fstatSync(file))),
    tryLock: () => undefined,
    read: (maxBytes) =>
      attempt("read", path, () => {
        const buffer = new Uint8Array(maxBytes);
        const length = fs.readSync(file, buffer, 0, maxBytes, 0);
        return new TextDecoder().decode(buffer.subarray(0, length));
      }),
    readAt: (offset, length) => attempt("read", path, () => readBytes(file, length, offset)),
    fill: (text) => attempt("write", path, () => writeContent(file, text)),
    writeAt: (text, offset) =>
      attempt("write", path, () => {
        writeContent(file, text, offset === "end" ? fs.fstatSync(file).size : offset);
      }),
    truncate: (size) => attempt("write", path, () => fs.ftruncateSync(file, size)),
    sync: () => attempt("write", path, () => fs.fsyncSync(file)),
    close: () => fs.closeSync(file),
  };
}

/** Writes at the current position of the file, or at `position`. Returns the length in bytes. */
function writeContent(file: number, content: string | Uint8Array, position?: number): number {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  writeAll(bytes, (rest, done) => {
    return fs.writeSync(
      file,
      rest,
      0,
      rest.length,
      position === undefined ? null : position + done,
    );
  });
  return bytes.length;
}

function writeStream(stream: number, text: string, unread: readonly string[] = []): boolean {
  try {
    writeAll(new TextEncoder().encode(text), (rest) => writeWhenReady(stream, rest));
    return true;
  } catch (error) {
    // If the reader, such as `head`, has seen enough, this is not a failure.
    const errno = errnoOf(error);
    if (errno === "EPIPE" || unread.includes(errno)) return false;
    throw ioError("write to", "the output", error);
  }
}

/** Writes to a stream. A non-blocking pipe refuses a write while it is full, so the write is repeated. */
function writeWhenReady(stream: number, bytes: Uint8Array): number {
  while (true) {
    try {
      return fs.writeSync(stream, bytes);
    } catch (error) {
      if (errnoOf(error) !== "EAGAIN") throw error;
    }
  }
}
