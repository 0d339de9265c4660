// A lock while its owner holds it.

import { AgentxError, hasCode } from "../base/errors.ts";
import { type FileInfo, type OpenFile, sys } from "../sys/mod.ts";
import { discardFile } from "./lock_file.ts";
import { INCOMPLETE_MS } from "./owner_state.ts";
import { type LockedFile, lockPathOf, takeoverPathOf } from "./paths.ts";
import { formatRecord, type LockRecord, readRecord, timestampOffset } from "./record.ts";

/** Within this time after the acquisition, no waiter has waited long enough to consider the owner dead by the clock. */
const UNQUESTIONED_MS = 1_000;

/**
 * Only its creator may fill a new lock file, and only for this long: half of the time for which other processes
 * treat an empty lock file as incomplete. A slower creator may be about to be replaced.
 */
const CREATION_MS = INCOMPLETE_MS / 2;

/**
 * The number of attempts at the kernel lock of a new lock file. They take a tenth of a millisecond, which is longer
 * than another process holds that kernel lock while it looks at an empty file.
 */
const LOOKING_TURNS = 256;

/** Describes the process that is about to own a lock. */
export interface NewOwner {
  locked: LockedFile;
  mode: number;
  /** Returns the record that names the owner in the lock file. */
  record(witness: "kernel" | "heartbeat"): LockRecord;
}

/** A held lock, as the function that runs under it sees it. */
export interface LockHandle {
  /** Identifies this acquisition. */
  readonly token: string;
  /** Proves the ownership right before a write. Throws `LOCK_LOST` if another process took the lock over. */
  verify(): void;
}

/** A hold that has ended: its start and end on the monotonic clock, and whether other processes waited at its end. */
export interface Hold {
  startMs: number;
  endMs: number;
  isWanted: boolean;
}

/**
 * The owner's side of a lock file. It proves the ownership before a commit, keeps the heartbeat for processes that
 * cannot see the kernel lock, and frees only its own lock.
 */
export class HeldLock implements LockHandle {
  /** Identifies this acquisition. */
  readonly token: string;
  readonly #locked: LockedFile;
  readonly #lockPath: string;
  readonly #file: OpenFile;
  readonly #info: FileInfo;
  /** Time of the acquisition on the monotonic clock. */
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
   * Creates and fills a lock file. Returns undefined if a lock file exists already, or if another process keeps
   * looking at the empty file. That process then replaces the empty file.
   */
  static create(path: string, owner: NewOwner): HeldLock | undefined {
    // The monotonic clock may stop in sleep, and the wall clock can be set.
    const [wallMs, monotonicMs] = [sys.now(), performance.now()];
    const file = createIn(path, owner);
    if (file === undefined) return undefined;
    let lock: HeldLock | undefined;
    try {
      lock = HeldLock.#fill(file, owner);
    } catch (error) {
      discardFile(path, file); // the file cannot be filled, such as on a full disk
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

  /** Renews the heartbeat for processes that cannot see the kernel lock. */
  beat(nowMs: number): void {
    try {
      const timestamp = new Date(nowMs).toISOString();
      if (this.isOurs()) this.#file.writeAt(timestamp, timestampOffset(this.#pid));
    } catch {
      // A missed heartbeat does no harm, because the commit proves the ownership anyway.
    }
  }

  /** Whether the path of the lock still leads to our lock file, and the file still names this owner. */
  isOurs(): boolean {
    return this.#findOurs(performance.now()) !== undefined;
  }

  /** Returns the lock file at the path if it is ours. */
  #findOurs(nowMs: number): FileInfo | undefined {
    const seen = sys.lstat(this.#lockPath);
    if (seen === undefined || seen.id !== this.#info.id) return undefined;
    if (!this.#hasKernelLock && readRecord(this.#file)?.token !== this.token) return undefined;
    return nowMs - this.#startMs >= UNQUESTIONED_MS && this.#isGivenUp() ? undefined : seen;
  }

  /**
   * Whether a taker has created its takeover file. The taker may be stopped right before it replaces the lock file,
   * and does not check again.
   */
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
   * Frees the lock if it is still ours. If the file has grown, other processes were waiting: a waiter appends a
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

  /**
   * Removes the lock file. The work under the lock is complete, so a failure is ignored: the next process removes the
   * file.
   */
  #removeFile(): void {
    try {
      sys.removeFile(this.#lockPath);
    } catch {
      if (!this.#hasKernelLock) this.#unname(); // a free kernel lock shows at once
    }
  }

  /**
   * Clears our record from the file and closes it; another process replaces the file. The path is not touched,
   * because it may already lead to that process's file.
   */
  invalidate(): void {
    this.#unname();
    this.close();
  }

  /** Invalidates the record. Other processes keep a lock file as long as the process that it names lives. */
  #unname(): void {
    try {
      this.#file.writeAt("?", 0);
    } catch {
      // If the disk takes no writes, the lock file stays valid until this process ends.
    }
  }

  /** Closes the lock file and leaves the path as it is. */
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
