/**
 * A lock while it is held.
 *
 * @module
 */

import { AgentxError } from "../errors.ts";
import { type FileInfo, type OpenFile, sys } from "../sys/mod.ts";
import { type LockedFile, lockPathOf, takeoverPathOf } from "./paths.ts";
import { formatRecord, type LockRecord, readRecord, timestampOffset } from "./record.ts";

/** Until then no waiter has waited long enough to consider this owner dead by the clock. */
const UNQUESTIONED_MS = 1_000;

/** What a new owner says of itself. */
export interface NewOwner {
  /** What it locks. */
  locked: LockedFile;
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
  /** The file as it was filled. */
  readonly #info: FileInfo;
  /** When it was acquired, on the monotonic clock. */
  readonly #startMs = performance.now();
  readonly #pid: number;
  readonly #hasKernelLock: boolean;
  #stopHeartbeat: () => void = () => {};

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
   * Writes the record into a lock file that is ours to fill.
   *
   * @param file the open lock file, which is empty
   * @param owner the new owner
   * @returns the lock; undefined while another process that inspects the file has its kernel lock
   */
  static fill(file: OpenFile, { locked, record }: NewOwner): HeldLock | undefined {
    const isLocked = file.tryLock();
    if (isLocked === false) return undefined;
    return new HeldLock(file, locked, record(isLocked ? "kernel" : "heartbeat"));
  }

  /** The file as it was right after it was filled. */
  get filled(): FileInfo {
    return this.#info;
  }

  /**
   * Shows a sign of life to those who cannot see the kernel lock.
   *
   * @param nowMs epoch milliseconds
   */
  beat(nowMs: number): void {
    try {
      const timestamp = new Date(nowMs).toISOString();
      if (this.isOurs()) this.#file.writeAt(timestamp, timestampOffset(this.#pid));
    } catch {
      // A missed beat costs nothing by itself: the commit proves the ownership anyway.
    }
  }

  /**
   * Has the lock end its signs of life when it ends.
   *
   * @param stop called once
   */
  onEnd(stop: () => void): void {
    this.#stopHeartbeat = stop;
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

  /**
   * Proves the ownership right before a commit.
   *
   * @throws {AgentxError} `LOCK_LOST`
   */
  verify(): void {
    if (!this.isOurs()) {
      throw this.#lost("Nothing was written; read the file again and repeat the change");
    }
  }

  /**
   * Frees the lock, if it is still ours.
   *
   * @returns the hold that is over; others were waiting if the file grew: each appends a newline
   * @throws {AgentxError} `LOCK_LOST`; another owner's lock is not changed
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

  /** Without a kernel lock that ends, a file that stays must not name a process that lives. */
  #removeFile(): void {
    let isGone = false;
    try {
      sys.removeFile(this.#lockPath);
      isGone = true;
    } finally {
      if (!isGone && !this.#hasKernelLock) this.#unname();
    }
  }

  /**
   * Clears our record from the file and closes it; another process replaces the empty file.
   * The path, which may be theirs already, is not touched.
   */
  invalidate(): void {
    try {
      this.#unname();
    } finally {
      this.close();
    }
  }

  #unname(): void {
    this.#file.writeAt("?", 0);
  }

  /** Forgets the lock and leaves the path as it is. */
  close(): void {
    this.#stopHeartbeat();
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
