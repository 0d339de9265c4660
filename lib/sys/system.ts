// The interface to the operating system that the toolkit needs. `node.ts` implements it.
//
// File operations are synchronous: an operation under a lock takes microseconds, and no other task of the process can
// run between a check and the write that relies on it. An expected outcome (the file does not exist, or exists
// already) is a value; any other failure is an `IO_ERROR`.

import type { Ancestor } from "./ancestors.ts";
import type { ProcessSpace } from "./process_space.ts";

/** The kind, size and times of a path or an open file. */
export interface FileInfo {
  kind: "file" | "directory" | "symlink" | "fifo" | "socket" | "device";
  /** Device and inode, which identify the file while it exists. */
  id: string;
  /** Number of names; 0 once the file is unlinked. */
  links: number;
  /** The size in bytes. */
  size: number;
  /** Time of the last change, in milliseconds since the epoch. */
  modifiedMs: number;
  /** User id of the owner; null if the system has no user ids. */
  uid: number | null;
  /** Permission bits, including the sticky bit and similar bits; 0 if the system has none. */
  mode: number;
}

/** An open file, as the lock uses it. */
export interface OpenFile {
  /** Describes the open file. Its path may name another file by now. */
  info(): FileInfo;
  /**
   * Tries to take the exclusive kernel lock without waiting. The lock ends with its owner. Returns false if the lock
   * is taken, undefined if the runtime or the file system has no such lock.
   */
  tryLock(): boolean | undefined;
  /** Reads at most `maxBytes` from the start. */
  read(maxBytes: number): string;
  /** Reads `length` bytes from `offset`, or fewer at the end of the file. */
  readAt(offset: number, length: number): Uint8Array;
  /** Writes the first content of an empty file; returns its length in bytes. */
  fill(text: string): number;
  /** Overwrites at `offset` bytes from the start, or appends if `offset` is "end". */
  writeAt(text: string, offset: number | "end"): void;
  /** Truncates the file to this many bytes. */
  truncate(size: number): void;
  /** Waits until the written bytes are on the disk. */
  sync(): void;
  /** Closes the file, which also releases the kernel lock. */
  close(): void;
}

export interface FilePart {
  /** The file at the time of the read. */
  info: FileInfo;
  /** The bytes; fewer than requested at the end of the file. */
  bytes: Uint8Array;
}

export interface WriteOptions {
  /** Wait until the bytes are on disk. */
  fsync: boolean;
  /** Permissions, independent of the umask. */
  mode?: number;
}

export interface OpenOptions {
  /** Open the file without write access, which is enough for its kernel lock. */
  isReadOnly?: boolean;
}

export interface RunOptions {
  cwd: string;
  /** The whole environment of the child. Nothing is inherited. */
  env: Record<string, string>;
  /** Text for its standard input, which is then closed. */
  stdin: string;
  /** The process group is killed after this many milliseconds. */
  timeoutMs: number;
  /** The process group is killed if stdout exceeds this many bytes. Of stderr, the last bytes are kept. */
  maxOutputBytes: number;
  /** The process group is killed when this fires. */
  signal?: AbortSignal;
  /** Called with the process id before the child gets its input. If it throws, the process group is killed. */
  onStart?: (pid: number) => void;
}

/** How a child process ended. */
export interface RunResult {
  /**
   * `exited`: the program ended by itself. `timeout`, `output-limit`, `aborted`: it was killed. `not-found`: it could
   * not be started.
   */
  outcome: "exited" | "timeout" | "output-limit" | "aborted" | "not-found";
  /** Exit code; null if the program was killed or not started. */
  exitCode: number | null;
  stdout: string;
  /** The end of stderr, if it is long. */
  stderr: string;
  /** Process id of the program if it was killed without success and still runs; null otherwise. */
  unkilled: number | null;
}

/** A key that the program waits for. */
export interface KeyPress {
  /** The text from the terminal; null at its end. */
  key: Promise<string | null>;
  /** Ends the wait, and restores the mode of the terminal. */
  stop(): void;
}

/** How long to wait for the end of a killed process. Another user's process survives the kill. */
export const KILL_WAIT_MS = 2_000;

/** How long to wait for the end of the output after the end of the process. */
export const OUTPUT_WAIT_MS = 250;

export interface System {
  readonly pid: number;
  readonly hostname: string;
  /** `darwin`, `linux` or another name of the runtime. */
  readonly platform: string;
  /** The runtime that runs this program, for starting it again. */
  readonly execPath: string;

  /**
   * Returns the text of a file; undefined if the file does not exist. As for every function that opens a file, the
   * file must be a regular file and not a link (`path_guard.ts`). `maxBytes` is {@linkcode MAX_FILE_BYTES} if left
   * out.
   */
  readTextFile(path: string, maxBytes?: number): string | undefined;
  /** Returns at most `maxBytes` of a file, `offset` bytes from its start; undefined if the file does not exist. */
  readPart(path: string, offset: number, maxBytes: number): FilePart | undefined;
  /** Writes a file that must not exist. The file is removed again if the write fails. */
  writeNewFile(path: string, content: string | Uint8Array, options: WriteOptions): void;
  /** Appends to a file, creating it with this mode if needed. */
  appendTextFile(path: string, text: string, mode?: number): void;
  /** Creates and opens a file for reading and writing, with this mode; returns undefined if the file exists. */
  createFile(path: string, mode?: number): OpenFile | undefined;
  /** Opens an existing file for reading and writing; returns undefined if it does not exist. */
  openFile(path: string, options?: OpenOptions): OpenFile | undefined;
  /** Replaces `to` by `from` in one step. */
  rename(from: string, to: string): void;
  /** Removes a file; returns false if it does not exist. */
  removeFile(path: string): boolean;
  /** Describes a path without following a symlink; returns undefined if the path does not exist. */
  lstat(path: string): FileInfo | undefined;
  /** Whether a path leads to an executable file. */
  isExecutable(path: string): boolean;
  /** Returns the names in a folder, sorted; empty if the folder does not exist. */
  readDir(path: string): string[];
  /** Creates a folder and its parents. `mode` applies to the folder, and to parents inside `.agentx`. */
  makeDir(path: string, mode?: number): void;
  /** Changes the permissions of a file or folder of this user. */
  setMode(path: string, mode: number): void;
  /** Waits until the names in a folder are on the disk. */
  syncFolder(path: string): void;
  /** Creates a folder with a fresh name among the system's temporary files. */
  makeTempDir(prefix: string): string;
  /** Returns the target of a symlink. */
  readLink(path: string): string;
  /** Removes a folder of agentx with its whole content. */
  removeFolder(path: string): void;
  /** Removes an empty folder. */
  removeEmptyFolder(path: string): void;
  /** Returns the path without symlinks; undefined if it does not exist. */
  realPath(path: string): string | undefined;

  cwd(): string;
  /** Returns the user id of this process; null if the system has no user ids. */
  uid(): number | null;
  envEntries(): Array<[name: string, value: string]>;
  env(name: string): string | undefined;
  /** Returns the data that identify this process among others; undefined if the system does not show them. */
  processSpace(): ProcessSpace | undefined;
  /** Returns when a process of the same space started; null if it has ended, undefined if that is not known. */
  processStart(pid: number): string | null | undefined;
  /**
   * Returns the ancestors of this process that belong to the same user, the nearest first, as far as they are known.
   */
  ancestors(): Ancestor[];
  /** Returns the wall-clock time, in milliseconds since the epoch. */
  now(): number;
  /** Waits; rejects with the signal's reason when it fires. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `action` at intervals without keeping the process alive. Returns a function that stops the calls. */
  every(ms: number, action: () => void): () => void;
  /** Runs a program to its end in a process group of its own. A kill affects the whole group. */
  run(argv: readonly string[], options: RunOptions): Promise<RunResult>;
  /**
   * Runs a program that answers quickly, and blocks until it ends. Without an exit code, the program did not answer
   * in time or does not exist.
   */
  ask(
    argv: readonly string[],
    options: Pick<RunOptions, "cwd" | "env" | "stdin">,
  ): Pick<RunResult, "exitCode" | "stdout" | "stderr">;
  /** Starts a program that outlives this one. It has no terminal, and its output is dropped. */
  startDetached(argv: readonly string[]): void;
  /** Kills a process group by its leader. A group that has ended, or that belongs to another user, is ignored. */
  killGroup(pid: number): void;

  /** Writes the whole text to standard output. Returns false if standard output has no reader any more. */
  writeStdout(text: string): boolean;
  writeStderr(text: string): void;
  /**
   * Reads standard input to its end; more than {@linkcode MAX_INPUT_BYTES} are refused. With `blocks`, the read is
   * faster to start, but delays signals. Use this for input that ends at once.
   */
  readStdin(options?: { blocks?: boolean }): Promise<string>;
  /** Reads one line of standard input, without its line break. */
  readLine(): Promise<string>;
  /**
   * Waits for a key of the terminal, without Enter and without showing the key. After `stop`, this process reads no
   * more from the terminal.
   */
  readKey(): KeyPress;
  isTerminal(stream: "stdin" | "stdout" | "stderr"): boolean;
  /** Returns the columns of the terminal; undefined without a terminal. */
  columns(): number | undefined;
  /** Calls `handler` on Ctrl-C and on termination, in place of ending. Returns a function that removes the handler. */
  onInterrupt(handler: (signal: string) => void): () => void;
}
