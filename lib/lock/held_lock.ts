// A lock while it is held.

import { AgentxError, hasCode } from "../base/errors.ts";
import { type FileInfo, type OpenFile, sys } from "../sys/mod.ts";
import { discardFile } from "./lock_file.ts";
import { INCOMPLETE_MS } from "./owner_state.ts";
import { type LockedFile, lockPathOf, takeoverPathOf } from "./paths.ts";
import { formatRecord, type LockRecord, readRecord, timestampOffset } from "./record.ts";

/** Until then no waiter has waited long enough to consider this owner dead by the clock. */
const UNQUESTIONED_MS = 1_000;

/**
 * A lock file is its creator's to fill for this long: half of the time for which
 * everybody takes it to be in the making. A slower creator may be about to be replaced.
 */
const CREATION_MS = INCOMPLETE_MS / 2;

/** A tenth of a millisecond: longer than another process looks at an empty lock file. */
const LOOKING_TURNS = 256;

/** A new owner's own data. */
export interface NewOwner {
  locked: LockedFile;
  mode: number;
  /** The owner as the lock file will name it. */
  record(witness: "kernel" | "heartbeat"): LockRecord;
}

/** A lock while it is held, as the function that holds it sees it. */
export interface LockHandle {
  /** Identifies this acquisition. */
  readonly token: string;
  /** Proves ownership right before a write: throws `LOCK_LOST` if another process took over. */
  verify(): void;
}

/** A hold that is over: when it was, on the monotonic clock, and whether others were waiting then. */
export interface Hold {
  startMs: number;
  endMs: number;
  isWanted: boolean;
}

/**
 * The owner's side of a lock file: it proves the ownership before a commit, keeps the heartbeat for
 * those who cannot see the kernel lock, and frees only its own lock.
 */
export class HeldLock implements LockHandle {
  /** Identifies this acquisition. */
  readonly token: string;
  readonly #locked: LockedFile;
  readonly #lockPath: string;
  readonly #file: OpenFile;
  readonly #info: FileInfo;
  /** When it was acquired, on the monotonic clock. */
  readonly #startMs = performance.now();
  readonly #pid: number;
  readonly #hasKernelLock: boolean;

  private constructor(file: OpenFile, locked: LockedFile, record: LockRecord) {
    this.token = record.token ?? "";
    this.#locked = locked;
    this.#lockPath = lockPathOf(locked.path);
    this.#file = file;
    this.#pid = record.pid;
    this.#hasKernelLock = record.witness === "kernel";
    file.fill(formatRecord(record));
    this.#info = file.info();
  }

  /**
   * Creates and fills a lock file. Returns undefined if one exists already, or while another process looks into
   * the empty one. That process then replaces the empty file.
   */
  static create(path: string, owner: NewOwner): HeldLock | undefined {
    const [wallMs, monotonicMs] = [sys.now(), performance.now()]; // one stops in sleep, one can be set
    const file = createIn(path, owner);
    if (file === undefined) return undefined;
    let lock: HeldLock | undefined;
    try {
      lock = HeldLock.#fill(file, owner);
    } catch (error) {
      discardFile(path, file); // a full disk
      throw error;
    }
    if (lock === undefined) {
      file.close();
      return undefined;
    }
    const sinceMs = sys.now() - wallMs;
    const isInTime = sinceMs >= 0 && sinceMs < CREATION_MS &&
      performance.now() - monotonicMs < CREATION_MS;
    if (isInTime && lock.#info.links > 0) return lock;
    lock.invalidate();
    return undefined;
  }

  static #fill(file: OpenFile, { locked, record }: NewOwner): HeldLock | undefined {
    for (let turn = 0; turn < LOOKING_TURNS; turn++) {
      const isLocked = file.tryLock();
      if (isLocked === false) continue;
      return new HeldLock(file, locked, record(isLocked ? "kernel" : "heartbeat"));
    }
    return undefined;
  }

  /** Shows a sign of life to those who cannot see the kernel lock. */
  beat(nowMs: number): void {
    try {
      const timestamp = new Date(nowMs).toISOString();
      if (this.isOurs()) this.#file.writeAt(timestamp, timestampOffset(this.#pid));
    } catch {
      // A missed beat costs nothing by itself: the commit proves the ownership anyway.
    }
  }

  /** Whether the lock file at its path is still this one and names this owner. */
  isOurs(): boolean {
    return this.#findOurs(performance.now()) !== undefined;
  }

  /** The lock file at its path, if it is ours. */
  #findOurs(nowMs: number): FileInfo | undefined {
    const seen = sys.lstat(this.#lockPath);
    if (seen === undefined || seen.id !== this.#info.id) return undefined;
    if (!this.#hasKernelLock && readRecord(this.#file)?.token !== this.token) return undefined;
    return nowMs - this.#startMs >= UNQUESTIONED_MS && this.#isGivenUp() ? undefined : seen;
  }

  /** A process may have been stopped right before it takes over: it will not look again. */
  #isGivenUp(): boolean {
    return sys.lstat(takeoverPathOf(this.#locked.path, this.token)) !== undefined;
  }

  /** Proves the ownership right before a commit. Throws `LOCK_LOST`. */
  verify(): void {
    if (!this.isOurs()) {
      throw this.#lost("Nothing was written; read the file again and repeat the change");
    }
  }

  /**
   * Frees the lock, if it is still ours. Others were waiting if the file grew: each appends a
   * newline. Throws `LOCK_LOST`; another owner's lock is not changed.
   */
  release(): Hold {
    try {
      const endMs = performance.now();
      const seen = this.#findOurs(endMs);
      if (seen === undefined) {
        throw this.#lost("Read the file again to see whether the change was written");
      }
      this.#removeFile();
      return { startMs: this.#startMs, endMs, isWanted: seen.size > this.#info.size };
    } finally {
      this.close();
    }
  }

  /** The work under the lock is complete: the next process removes a file that this one cannot. */
  #removeFile(): void {
    try {
      sys.removeFile(this.#lockPath);
    } catch {
      if (!this.#hasKernelLock) this.#unname(); // the end of a kernel lock is seen at once
    }
  }

  /**
   * Clears our record from the file and closes it; another process replaces the empty file.
   * The path, which may be theirs already, is not touched.
   */
  invalidate(): void {
    this.#unname();
    this.close();
  }

  /** A file that names a process is kept while that lives. */
  #unname(): void {
    try {
      this.#file.writeAt("?", 0);
    } catch {
      // On a disk that takes nothing it is kept until this process ends.
    }
  }

  /** Forgets the lock and leaves the path as it is. */
  close(): void {
    this.#file.close();
  }

  #lost(next: string): AgentxError<"LOCK_LOST"> {
    const path = this.#locked.name;
    return new AgentxError("LOCK_LOST", `Cannot keep the lock of "${path}": it was taken away`, {
      details: { path },
      next,
    });
  }
}

/** Returns undefined if the file exists already. */
function createIn(path: string, { locked: { name }, mode }: NewOwner): OpenFile | undefined {
  try {
    return sys.createFile(path, mode);
  } catch (error) {
    if (!hasCode(error, "IO_ERROR") || error.details.errno !== "ENOENT") throw error;
    throw new AgentxError("IO_ERROR", `Cannot lock "${name}": its folder does not exist`, {
      details: { ...error.details, operation: "lock", path: name },
      next: "Create the folder first",
      cause: error,
    });
  }
}
