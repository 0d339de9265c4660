/**
 * A lock while it is held.
 *
 * @module
 */

import { AgentxError } from "../errors.ts";
import { type FileInfo, type OpenFile, sys } from "../sys/mod.ts";
import { lockPathOf } from "./paths.ts";
import { formatRecord, type LockRecord, readRecord, timestampOffset } from "./record.ts";

const HEARTBEAT_MS = 10_000;

/** Until then nobody may call this owner dead, so the open file alone proves the ownership. */
const TRUST_OPEN_FILE_MS = 1_000;

/**
 * The owner's side of a lock file: it proves the ownership before a commit, keeps the heartbeat for
 * those who cannot see the kernel lock, and frees only its own lock.
 */
export class HeldLock {
  /** Identifies this acquisition. */
  readonly token: string;
  readonly #filePath: string;
  readonly #lockPath: string;
  readonly #file: OpenFile;
  readonly #size: number;
  /** When it was acquired, on the monotonic clock. */
  readonly #sinceMs = performance.now();
  readonly #pid: number;
  #stopHeartbeat: () => void = () => {};

  /**
   * Writes the record into a lock file that is ours to fill.
   *
   * @param filePath the locked file
   * @param file the open lock file, which is empty
   * @param record the new owner
   */
  constructor(filePath: string, file: OpenFile, record: LockRecord) {
    this.token = record.token ?? "";
    this.#filePath = filePath;
    this.#lockPath = lockPathOf(filePath);
    this.#file = file;
    this.#pid = record.pid;
    this.#size = file.fill(formatRecord(record));
  }

  /**
   * Begins to show signs of life to those who cannot see the kernel lock. A lock that is freed
   * before the event loop turns needs none.
   *
   * @param now the clock, epoch milliseconds
   */
  startHeartbeat(now: () => number): void {
    this.#stopHeartbeat = sys.every(HEARTBEAT_MS, () => {
      try {
        const timestamp = new Date(now()).toISOString();
        if (this.isOurs()) this.#file.writeAt(timestamp, timestampOffset(this.#pid));
      } catch {
        // A missed beat costs nothing by itself: the commit proves the ownership anyway.
      }
    });
  }

  /** Whether the lock file at its path is still this one and names this owner. */
  isOurs(info: FileInfo = this.#file.info(), nowMs: number = performance.now()): boolean {
    if (info.links === 0) return false;
    if (sys.hasKernelLock && nowMs - this.#sinceMs < TRUST_OPEN_FILE_MS) return true;
    return sys.lstat(this.#lockPath)?.id === info.id &&
      readRecord(this.#file)?.token === this.token;
  }

  /**
   * Proves the ownership right before a commit.
   *
   * @throws {AgentxError} `LOCK_LOST`
   */
  verify(): void {
    if (!this.isOurs()) {
      throw this.#lost("Nothing was written; read it again and repeat the change");
    }
  }

  /**
   * Frees the lock, if it is still ours.
   *
   * @returns the turn that is over; others were waiting if the file grew: each appends a newline
   * @throws {AgentxError} `LOCK_LOST`, and somebody else's lock stays as it is
   */
  release(): { startMs: number; endMs: number; isWanted: boolean } {
    try {
      const info = this.#file.info();
      const endMs = performance.now();
      if (!this.isOurs(info, endMs)) {
        throw this.#lost("Read it again to see whether the change is there");
      }
      this.#removeFile();
      return { startMs: this.#sinceMs, endMs, isWanted: info.size > this.#size };
    } finally {
      this.abandon();
    }
  }

  /** Without a kernel lock that ends, a file that stays must not name a process that lives. */
  #removeFile(): void {
    let isGone = false;
    try {
      sys.removeFile(this.#lockPath);
      isGone = true;
    } finally {
      if (!isGone && !sys.hasKernelLock) this.#unname();
    }
  }

  /**
   * Takes our name out of the file and forgets it: it says nothing, and somebody else replaces it.
   * The path, which may be theirs already, is not touched.
   */
  disown(): void {
    try {
      this.#unname();
    } finally {
      this.abandon();
    }
  }

  #unname(): void {
    this.#file.writeAt("?", 0);
  }

  /** Forgets the lock and leaves the path as it is. */
  abandon(): void {
    this.#stopHeartbeat();
    this.#file.close();
  }

  #lost(next: string): AgentxError<"LOCK_LOST"> {
    const path = this.#filePath;
    return new AgentxError("LOCK_LOST", `Cannot keep the lock of "${path}": it was taken away`, {
      details: { path },
      next,
    });
  }
}
