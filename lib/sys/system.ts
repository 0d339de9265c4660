// The operating system, as the toolkit needs it. `node.ts` implements it.
//
// Files are handled synchronously: an operation under a lock takes microseconds, and nothing else of
// the process can slip in between a check and the write that relies on it. An expected outcome (no
// such file, exists already) is a value; any other failure is an `IO_ERROR`.

import type { Ancestor } from "./ancestors.ts";
import type { ProcessSpace } from "./process_space.ts";

/** The kind, size and times of a path or an open file. */
export interface FileInfo {
  kind: "file" | "directory" | "symlink" | "fifo" | "socket" | "device";
  /** Device and inode, which together identify the file while it exists. */
  id: string;
  /** Number of names; 0 once the file is unlinked. */
  links: number;
  /** Bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  modifiedMs: number;
  /** User id of the owner; null where the system has none. */
  uid: number | null;
  /** Permission bits, with the sticky bit and its like; 0 where the system has none. */
  mode: number;
}

/** An open file, as the lock uses it. */
export interface OpenFile {
  /** Describes the file that is open, which its path may no longer name. */
  info(): FileInfo;
  /**
   * Takes the exclusive kernel lock, which ends with its owner, without waiting: false if it is
   * taken, undefined where the runtime or the file system has none.
   */
  tryLock(): boolean | undefined;
  /** Reads from the start, at most `maxBytes`. */
  read(maxBytes: number): string;
  /** Reads so many bytes from `offset` on; fewer where the file ends. */
  readAt(offset: number, length: number): Uint8Array;
  /** Writes the first content of an empty file; returns its length in bytes. */
  fill(text: string): number;
  /** Overwrites at `offset` bytes from the start, or appends where `offset` is "end". */
  writeAt(text: string, offset: number | "end"): void;
  /** Truncates the file to this many bytes. */
  truncate(size: number): void;
  /** Waits until the written bytes are on the disk. */
  sync(): void;
  /** Closes the file, which also gives the kernel lock back. */
  close(): void;
}

export interface FilePart {
  /** The file it comes from, as it was then. */
  info: FileInfo;
  /** Fewer than asked for where the file ends. */
  bytes: Uint8Array;
}

export interface WriteOptions {
  /** Wait until the bytes are on disk. */
  fsync: boolean;
  /** Permissions, whatever the umask says. */
  mode?: number;
}

export interface OpenOptions {
  /** Do not write: enough for its kernel lock. */
  isReadOnly?: boolean;
}

export interface RunOptions {
  cwd: string;
  /** The whole environment of the child: nothing is inherited. */
  env: Record<string, string>;
  /** Text for its standard input, which is then closed. */
  stdin: string;
  /** The process group is killed after this many milliseconds. */
  timeoutMs: number;
  /** The process group is killed when stdout exceeds this many bytes; of stderr the end is kept. */
  maxOutputBytes: number;
  /** The process group is killed when this fires. */
  signal?: AbortSignal;
  /**
   * Hears the process id before the child gets its input; where this throws, the process group is killed.
   */
  onStart?: (pid: number) => void;
}

/** How a child process ended. */
export interface RunResult {
  /** `exited` by itself, or killed for one of three reasons, or it could not be started. */
  outcome: "exited" | "timeout" | "output-limit" | "aborted" | "not-found";
  /** Exit code; null when it was killed or not started. */
  exitCode: number | null;
  stdout: string;
  /** Only its end, if it is long. */
  stderr: string;
  /** Process id of the program where it was killed in vain and still runs; null otherwise. */
  unkilled: number | null;
}

/** A key that is waited for. */
export interface KeyPress {
  /** The text from the terminal; null at its end. */
  key: Promise<string | null>;
  /** Ends the wait, and gives the terminal its manners back. */
  stop(): void;
}

/** How long the end of a process is waited for after its kill, which another user's survives. */
export const KILL_WAIT_MS = 2_000;

/** How long the end of the output is waited for after the end of the process. */
export const OUTPUT_WAIT_MS = 250;

export interface System {
  readonly pid: number;
  readonly hostname: string;
  /** `darwin`, `linux` or another name of the runtime. */
  readonly platform: string;
  /** The runtime that runs this program, for starting it again. */
  readonly execPath: string;

  /**
   * The text of a file, or undefined if there is none. As with all that opens a file, it must be a
   * regular one and no link (`path_guard.ts`). `maxBytes` is {@linkcode MAX_FILE_BYTES} if left out.
   */
  readTextFile(path: string, maxBytes?: number): string | undefined;
  /** At most `maxBytes` of a file, `offset` bytes from its start; undefined if there is none. */
  readPart(path: string, offset: number, maxBytes: number): FilePart | undefined;
  /** Writes a file that must not exist yet; it is removed again if the write fails. */
  writeNewFile(path: string, content: string | Uint8Array, options: WriteOptions): void;
  /** Appends in one write, creating the file with this mode if needed. */
  appendTextFile(path: string, text: string, mode?: number): void;
  /** Creates and opens a file for reading and writing, with this mode; undefined if it exists. */
  createFile(path: string, mode?: number): OpenFile | undefined;
  /** Opens an existing file for reading and writing; undefined if there is none. */
  openFile(path: string, options?: OpenOptions): OpenFile | undefined;
  /** Replaces `to` by `from` in one step. */
  rename(from: string, to: string): void;
  /** Removes a file; false if there is none. */
  removeFile(path: string): boolean;
  /** Describes a path without following a symlink; undefined if there is nothing. */
  lstat(path: string): FileInfo | undefined;
  /** Whether a path leads to a file that can be run. */
  isExecutable(path: string): boolean;
  /** The names in a folder, sorted; empty if there is none. */
  readDir(path: string): string[];
  /** Creates a folder and its parents. `mode` applies to the folder, and to parents inside `.agentx`. */
  makeDir(path: string, mode?: number): void;
  /** Changes the permissions of a file or a folder of ours. */
  setMode(path: string, mode: number): void;
  /** Waits until the names in a folder are on the disk. */
  syncFolder(path: string): void;
  /** Creates a folder with a fresh name among the system's temporary files. */
  makeTempDir(prefix: string): string;
  /** The target of a symlink. */
  readLink(path: string): string;
  /** Removes a folder of ours with all that is in it. */
  removeFolder(path: string): void;
  /** Removes an empty folder. */
  removeEmptyFolder(path: string): void;
  /** The path without symlinks; undefined if it does not exist. */
  realPath(path: string): string | undefined;

  cwd(): string;
  /** User id of this process; null where the system has none. */
  uid(): number | null;
  envEntries(): Array<[name: string, value: string]>;
  env(name: string): string | undefined;
  /** This process among those that it can tell apart; undefined where the system does not say. */
  processSpace(): ProcessSpace | undefined;
  /** When a process of that space began; null if it has ended, undefined where that is not known. */
  processStart(pid: number): string | null | undefined;
  /** The processes of the same user that this one descends from, the nearest first, as far as is known. */
  ancestors(): Ancestor[];
  /** The wall clock: milliseconds since the epoch. */
  now(): number;
  /** Waits; rejects with the signal's reason when it fires. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `action` again and again without keeping the process alive; returns how to stop it. */
  every(ms: number, action: () => void): () => void;
  /** Runs a program to its end in a process group of its own, which is killed as a whole. */
  run(argv: readonly string[], options: RunOptions): Promise<RunResult>;
  /** Runs a program that answers at once, and waits for it; without a code it did not, or is not there. */
  ask(
    argv: readonly string[],
    options: Pick<RunOptions, "cwd" | "env" | "stdin">,
  ): Pick<RunResult, "exitCode" | "stdout" | "stderr">;
  /** Starts a program that outlives this one, without a terminal and without a reader of its output. */
  startDetached(argv: readonly string[]): void;
  /** Kills a process group by its leader; one that is gone, or is another user's, is left alone. */
  killGroup(pid: number): void;

  /** Writes to standard output or error, all of it; false if standard output has no reader any more. */
  writeStdout(text: string): boolean;
  writeStderr(text: string): void;
  /**
   * Reads standard input to its end; more than {@linkcode MAX_INPUT_BYTES} are refused. With `blocks`, signals
   * wait meanwhile, and a start costs less: it is for an input that ends at once.
   */
  readStdin(options?: { blocks?: boolean }): Promise<string>;
  /** Reads one line of standard input, without its end. */
  readLine(): Promise<string>;
  /**
   * Waits for a key of the terminal, without Enter and without showing it. Once that is stopped,
   * this process reads no more from the terminal.
   */
  readKey(): KeyPress;
  isTerminal(stream: "stdin" | "stdout" | "stderr"): boolean;
  /** Columns of the terminal; undefined without one. */
  columns(): number | undefined;
  /** Calls `handler` on Ctrl-C and on termination, instead of ending; returns how to stop that. */
  onInterrupt(handler: (signal: string) => void): () => void;
}
