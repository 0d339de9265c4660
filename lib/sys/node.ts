/**
 * {@linkcode System} on Node and Bun, which have no kernel lock for files.
 *
 * @module
 */

import * as fs from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import * as timers from "node:timers";
import { attempt, errnoOf, ioError, unlessMissing } from "./io_error.ts";
import { nodeRun } from "./node_run.ts";
import {
  type FileInfo,
  isProcessId,
  MAX_LINE_BYTES,
  MODE_BITS,
  type OpenFile,
  type System,
} from "./system.ts";

/** @returns the operating system as Node and Bun offer it */
export function nodeSystem(): System {
  return {
    hasKernelLock: false,
    pid: process.pid,
    hostname: hostname(),
    platform: process.platform,
    execPath: process.execPath,

    readTextFile: (path) => unlessMissing("read", path, () => fs.readFileSync(path, "utf8")),
    readPart: (path, offset, maxBytes) =>
      unlessMissing("read", path, () => {
        const file = fs.openSync(path, "r");
        try {
          const info = fileInfo(fs.fstatSync(file));
          const bytes = new Uint8Array(Math.max(0, Math.min(maxBytes, info.size - offset)));
          const length = fs.readSync(file, bytes, 0, bytes.length, offset);
          return { info, bytes: bytes.subarray(0, length) };
        } finally {
          fs.closeSync(file);
        }
      }),
    writeNewFile(path, content, { fsync, mode }) {
      attempt("write", path, () => {
        const file = fs.openSync(path, "wx", mode);
        try {
          fs.writeFileSync(file, content);
          if (fsync) fs.fsyncSync(file);
        } catch (error) {
          fs.unlinkSync(path);
          throw error;
        } finally {
          fs.closeSync(file);
        }
      });
    },
    appendTextFile: (path, text) => attempt("write", path, () => fs.appendFileSync(path, text)),
    createFile(path) {
      try {
        return openFile(path, fs.openSync(path, "wx+"));
      } catch (error) {
        if (errnoOf(error) === "EEXIST") return undefined;
        throw ioError("create", path, error);
      }
    },
    openFile: (path) => unlessMissing("open", path, () => openFile(path, fs.openSync(path, "r+"))),
    rename: (from, to) => attempt("replace", to, () => fs.renameSync(from, to)),
    removeFile: (path) => unlessMissing("remove", path, () => (fs.unlinkSync(path), true)) ?? false,
    lstat: (path) => unlessMissing("examine", path, () => fileInfo(fs.lstatSync(path))),
    isExecutable: (path) =>
      unlessMissing("examine", path, () => {
        const stat = fs.statSync(path);
        return stat.isFile() && (stat.mode & 0o111) !== 0;
      }) ?? false,
    readDir: (path) => unlessMissing("list", path, () => fs.readdirSync(path).sort()) ?? [],
    makeDir(path, mode) {
      attempt("create", path, () => fs.mkdirSync(path, { recursive: true, mode }));
    },
    makeTempDir: (prefix) =>
      attempt("create a folder for", prefix, () => fs.mkdtempSync(join(tmpdir(), prefix))),
    realPath: (path) => unlessMissing("resolve", path, () => fs.realpathSync(path)),

    cwd: () => process.cwd(),
    uid: () => process.getuid?.() ?? null,
    env: (name) => process.env[name],
    envEntries: () =>
      Object.entries(process.env).map(([name, value]): [string, string] => [name, value ?? ""]),
    isProcessAlive(pid) {
      if (!isProcessId(pid)) return false;
      try {
        process.kill(pid, 0);
        return true;
      } catch (error) {
        return errnoOf(error) !== "ESRCH";
      }
    },
    every(ms, action) {
      const timer = timers.setInterval(action, ms).unref();
      return () => timers.clearInterval(timer);
    },
    run: nodeRun,

    writeStdout: (text) => writeStream(1, text),
    writeStderr: (text) => void writeStream(2, text),
    async readStdin() {
      process.stdin.setEncoding("utf8");
      let text = "";
      for await (const chunk of process.stdin) text += chunk;
      return text;
    },
    async readLine() {
      process.stdin.setEncoding("utf8");
      let line = "";
      for await (const chunk of process.stdin) {
        line += chunk;
        if (line.includes("\n") || line.length >= MAX_LINE_BYTES) break;
      }
      return line.split("\n", 1)[0];
    },
    isTerminal: (stream) => process[stream].isTTY === true,
    columns: () => process.stdout.columns,
    onInterrupt(handler) {
      const signals = ["SIGINT", "SIGTERM"] as const;
      for (const signal of signals) process.on(signal, handler);
      return () => signals.forEach((signal) => process.off(signal, handler));
    },
  };
}

function openFile(path: string, file: number): OpenFile {
  return {
    info: () => attempt("examine", path, () => fileInfo(fs.fstatSync(file))),
    tryLock: () => false,
    read: (maxBytes) =>
      attempt("read", path, () => {
        const buffer = new Uint8Array(maxBytes);
        const length = fs.readSync(file, buffer, 0, maxBytes, 0);
        return new TextDecoder().decode(buffer.subarray(0, length));
      }),
    fill: (text) =>
      attempt("write", path, () => {
        fs.writeFileSync(file, text);
        return new TextEncoder().encode(text).length;
      }),
    writeAt: (text, offset) =>
      attempt("write", path, () => {
        const bytes = new TextEncoder().encode(text);
        const position = offset === "end" ? fs.fstatSync(file).size : offset;
        fs.writeSync(file, bytes, 0, bytes.length, position);
      }),
    truncate: (size) => attempt("write", path, () => fs.ftruncateSync(file, size)),
    sync: () => attempt("write", path, () => fs.fsyncSync(file)),
    close: () => fs.closeSync(file),
  };
}

function fileInfo(stat: fs.Stats): FileInfo {
  return {
    kind: stat.isFile()
      ? "file"
      : stat.isDirectory()
      ? "directory"
      : stat.isSymbolicLink()
      ? "symlink"
      : "other",
    id: `${stat.dev}:${stat.ino}`,
    links: stat.nlink,
    size: stat.size,
    modifiedMs: stat.mtimeMs,
    uid: process.getuid === undefined ? null : stat.uid,
    mode: stat.mode & MODE_BITS,
  };
}

function writeStream(stream: number, text: string): boolean {
  let bytes = new TextEncoder().encode(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(fs.writeSync(stream, bytes));
    } catch (error) {
      // A reader such as `head` that has seen enough is no failure of ours.
      if (errnoOf(error) === "EPIPE") return false;
      if (errnoOf(error) !== "EAGAIN") throw ioError("write to", "the output", error);
    }
  }
  return true;
}
