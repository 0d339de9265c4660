// One JSON file that many processes read and change.
//
// A change locks the file, reads it again, changes the value, checks it, writes it to a temporary file and renames
// that file. So a reader, which takes no lock, sees the whole old or the whole new text, and a crash at any instant
// leaves one of the two. A file that does not parse or does not pass its check is never overwritten. Changes that
// queue up in one process share one lock, one read, one write and one fsync. If one of them fails, the others are
// still made.

import { parseJson } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { isInWorkspace } from "../sys/path_guard.ts";
import { type FileInfo, sys } from "../sys/mod.ts";
import { privateModes } from "../sys/modes.ts";
import { encodeJson } from "../text/text.ts";
import { commitFile } from "./commit.ts";
import { copyPathOf, keepCopy } from "./copy.ts";
import type { LockHandle } from "./held_lock.ts";
import type { FileLockManager } from "./lock_manager.ts";
import { absolutePath } from "./paths.ts";
import { isThenable } from "./thenable.ts";

/** The text form of a value in its file. */
export interface JsonFormat {
  /** Reads a text; throws a {@linkcode SyntaxError} if it is not of this form. */
  parse(text: string): unknown;
  /** Writes a text that {@linkcode JsonFormat.parse} can read. */
  encode(value: unknown): string;
}

export interface JsonFileOptions {
  /** Returns the problem of a value that was read or is about to be written; undefined if there is none. */
  problemWith?: (value: unknown) => string | undefined;
  /**
   * Wait until a change is on the disk before it is acknowledged. Leave this on for data that cannot be derived
   * again.
   */
  fsync?: boolean;
  /**
   * Who may read the file: `state` is for the user alone, `versioned` is for git. agentx follows no link to either.
   * Without a kind, the file belongs to the caller: its mode is kept, and a link to it stays a link unless the link
   * lies in a workspace.
   */
  kind?: "state" | "versioned";
  /** Keep a copy of the last text beside the file, for data that nobody can write again. */
  keepsCopy?: boolean;
  format?: JsonFormat;
}

/**
 * Under one lock, no further change of the batch begins after this time, because other processes want the file as
 * well.
 */
const MAX_BATCH_MS = 100;

const PRETTY: JsonFormat = {
  parse: parseJson,
  encode: (value) => encodeJson(value, 2) + "\n",
};

interface QueuedChange<T> {
  agent: string;
  change: (current: T | undefined) => T;
  enqueuedMs: number;
  resolve: (value: T) => void;
  reject: (reason: unknown) => void;
}

/** A JSON file that any number of processes change safely (DESIGN section 4, SPEC-1 section 5). */
export class JsonFile<T> {
  /** The absolute path of the file. */
  readonly path: string;
  readonly #locks: FileLockManager;
  readonly #problemWith: (value: unknown) => string | undefined;
  readonly #fsync: boolean;
  readonly #kind: "state" | "versioned" | undefined;
  readonly #keepsCopy: boolean;
  readonly #format: JsonFormat;
  #queue: QueuedChange<T>[] = [];
  #isDraining = false;
  #hasFolder: boolean;

  /** Stores the path and the options. No file is opened yet. */
  constructor(path: string, locks: FileLockManager, options: JsonFileOptions = {}) {
    const { problemWith = () => undefined, fsync = true, keepsCopy = false, kind } = options;
    this.path = absolutePath(path);
    this.#hasFolder = !path.includes("/");
    this.#locks = locks;
    this.#problemWith = problemWith;
    this.#fsync = fsync;
    this.#kind = kind;
    this.#keepsCopy = keepsCopy;
    this.#format = options.format ?? PRETTY;
  }

  /**
   * Reads the file as it is now, without a lock; returns undefined if the file does not exist. Throws
   * `CORRUPT_STATE` with path and line; the file is not changed.
   */
  read(): T | undefined {
    const text = sys.readTextFile(this.#isOurs ? this.path : this.#look().path);
    return text === undefined ? undefined : this.#parse(text);
  }

  /**
   * Changes the file under its lock. `change` gets the fresh value, or undefined if the file does not exist, and
   * returns the value to write. `change` is called once and must not await. If it throws, its change is not written.
   * Throws `CORRUPT_STATE`, `LOCK_TIMEOUT`, `LOCK_LOST`, `LOCK_REENTRANT`, `IO_ERROR`; and any error of `change`.
   */
  update(agent: string, change: (current: T | undefined) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#locks.refuseNested(this.path);
      this.#queue.push({ agent, change, enqueuedMs: performance.now(), resolve, reject });
      if (!this.#isDraining) void this.#drain();
    });
  }

  /** Like {@linkcode JsonFile.update}, for a change that also returns a result. */
  async updateReturning<R>(
    agent: string,
    change: (current: T | undefined) => { value: T; result: R },
  ): Promise<R> {
    const results: R[] = [];
    await this.update(agent, (current) => {
      const { value, result } = change(current);
      results.push(result);
      return value;
    });
    return results[0];
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    while (this.#queue.length > 0) {
      const [{ agent, enqueuedMs }] = this.#queue;
      let batch: QueuedChange<T>[] = [];
      try {
        this.#makeFolder();
        const outcomes = await this.#locks.withSafeLock(this.path, agent, (lock) => {
          batch = this.#queue;
          this.#queue = [];
          const outcomes = this.#commit(lock, batch);
          this.#queue.unshift(...batch.splice(outcomes.length));
          return outcomes;
        }, enqueuedMs);
        outcomes.forEach((tell) => tell());
      } catch (error) {
        this.#hasFolder = false; // the folder may have been removed
        // Changes that were queued during the failed wait still have time left, so the next round makes them.
        if (batch.length === 0) batch = this.#queue.splice(0, 1);
        batch.forEach(({ reject }) => reject(error));
      }
    }
    this.#isDraining = false;
  }

  /**
   * Applies as many changes as there is time for, in one write. Returns one function for each change that tells its
   * caller the outcome.
   */
  #commit(lock: LockHandle, batch: QueuedChange<T>[]): Array<() => void> {
    const { path, info } = this.#look();
    const before = sys.readTextFile(path);
    const fresh = before === undefined ? undefined : this.#parse(before);
    let last: T | undefined;
    let copy = () => before === undefined ? undefined : this.#format.parse(before) as T;
    const outcomes: Array<() => void> = [];
    const endMs = performance.now() + MAX_BATCH_MS;
    for (const { change, resolve, reject } of batch) {
      try {
        // Each change gets its own copy of the value, because a change may alter the value and then fail.
        const changed = change(outcomes.length === 0 ? fresh : copy());
        this.#check(changed);
        if (batch.length > 1) {
          const json = encodeJson(changed);
          copy = () => JSON.parse(json);
        }
        last = changed;
        outcomes.push(() => resolve(changed));
      } catch (error) {
        outcomes.push(() => reject(error));
      }
      if (performance.now() >= endMs) break;
    }
    const text = last === undefined ? before : this.#format.encode(last);
    if (text !== undefined && text !== before) {
      const mode = this.#kind === "state" ? privateModes().file : info?.mode;
      commitFile(lock, path, text, { fsync: this.#fsync, mode });
      if (this.#keepsCopy) keepCopy(lock, path, text, mode);
    }
    return outcomes;
  }

  get #isOurs(): boolean {
    return this.#kind !== undefined || isInWorkspace(this.path);
  }

  /** Returns the file to read and replace. If the caller's own file is a link, that is the target of the link. */
  #look(): { path: string; info: FileInfo | undefined } {
    const info = sys.lstat(this.path);
    const target = info?.kind === "symlink" && !this.#isOurs ? sys.realPath(this.path) : undefined;
    return target === undefined
      ? { path: this.path, info }
      : { path: target, info: sys.lstat(target) };
  }

  #parse(text: string): T {
    let value: unknown;
    try {
      value = this.#format.parse(text);
    } catch (error) {
      throw this.#corrupt(error instanceof Error ? error.message : String(error), text, error);
    }
    const problem = this.#problemWith(value);
    if (problem !== undefined) throw this.#corrupt(problem, text);
    return value as T;
  }

  /** Throws a `TypeError` if a value cannot be written, because such a value is a mistake of the program. */
  #check(value: T): void {
    const isWaiting = isThenable(value);
    if (isWaiting) value.then(undefined, () => {}); // its later failure needs no report
    const problem = value === undefined
      ? "the change returned no value"
      : isWaiting
      ? "the change must not await anything"
      : this.#problemWith(value);
    if (problem !== undefined) throw new TypeError(`Cannot write "${this.path}": ${problem}`);
  }

  #makeFolder(): void {
    if (this.#hasFolder) return;
    const end = this.path.lastIndexOf("/");
    const mode = this.#kind === "state" ? privateModes().folder : undefined;
    if (end > 0) sys.makeDir(this.path.slice(0, end), mode);
    this.#hasFolder = true;
  }

  #corrupt(why: string, text: string, cause?: unknown): AgentxError<"CORRUPT_STATE"> {
    const line = lineOf(why, text);
    const where = line === null ? "" : ` in line ${line}`;
    const isCut = cause !== undefined && this.#keepsCopy;
    const hasCopy = isCut && sys.lstat(copyPathOf(this.path)) !== undefined;
    return new AgentxError("CORRUPT_STATE", `Cannot read "${this.path}"${where}: ${why}`, {
      details: { path: this.path, line },
      next: hasCopy
        ? "Bring it back as agentx last wrote it with: agentx doctor --fix"
        : "The file was not changed; fix it, or move it aside to start a new one",
      cause,
    });
  }
}

/** Returns the line in a parser's message. The runtime may state a position, a line, or neither. */
function lineOf(message: string, text: string): number | null {
  const line = /\bline (\d+)/.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  const position = /\bposition (\d+)/.exec(message)?.[1];
  if (position === undefined) return null;
  return text.slice(0, Number(position)).split("\n").length;
}
