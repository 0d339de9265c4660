// One task's attempts at one lock file. An attempt never waits; how often to try is the caller's.
//
// The invariant (witnessed lock file): on a system with kernel locks, the owner holds one on the very file that the
// path names, and no other process unlinks or replaces that file. Only its creator ever fills a file. `takeover.ts`
// elects one taker that replaces a dead owner.
//
// While another owns the lock its file stays open here, and an attempt asks only for its kernel
// lock: that is free when the owner has released it, or died.

import { type FileInfo, type OpenFile, sys } from "../sys/mod.ts";
import { HeldLock } from "./held_lock.ts";
import { openLockFile } from "./lock_file.ts";
import { hasOldSign, INCOMPLETE_MS, type OwnerState, ownerState } from "./owner_state.ts";
import { type LockedFile, lockPathOf, temporaryPath } from "./paths.ts";
import { freshToken, type LockRecord, MAX_RECORD_BYTES, readRecord } from "./record.ts";
import { beginTakeover, commitTakeover, lookAtOwner, type Owner, type Taker } from "./takeover.ts";

export interface LockAttemptOptions {
  /** Recorded as the owner. */
  agent: string;
  mode: number;
  /** See `JsonFileLockOptions`. */
  staleThresholdMs: number;
}

/** A lock that was just acquired. */
export interface Acquired {
  lock: HeldLock;
  /** Whether a dead owner was replaced. */
  tookOver: boolean;
  /**
   * Another process may still believe that it owns the lock: a former owner that the clock gave up, or a program
   * that follows the documents alone and deletes a file that looks stale.
   */
  isDisputed: boolean;
}

/** A waiter's knowledge of the owner. */
export interface SeenOwner {
  /** The lock file, which may have the number of one that is gone, and its time. */
  version: string;
  /** When it was first seen, on the monotonic clock. */
  sinceMs: number;
  /** Whether others have signalled that they wait. */
  isCrowded: boolean;
}

/** A lock file that is gone is looked for no more often: it would keep its folder from the owner. */
const MAX_TURNS = 2;

export class LockAttempt implements Taker {
  readonly locked: LockedFile;
  readonly mode: number;
  readonly #lockPath: string;
  readonly #options: LockAttemptOptions;
  #watched: OpenFile | undefined;
  #owner: SeenOwner = { version: "", sinceMs: performance.now(), isCrowded: false };
  /** The file of the owner that we signalled. */
  #toldFile = "";
  /** An owner was seen that some take to be gone: they may act on that later than we. */
  #hasSeenOld = false;

  constructor(locked: LockedFile, options: LockAttemptOptions) {
    this.locked = locked;
    this.mode = options.mode;
    this.#lockPath = lockPathOf(locked.path);
    this.#options = options;
  }

  /**
   * Tries once to get the lock; undefined while another owner holds it. Throws `IO_ERROR` where the
   * lock path cannot be used.
   */
  attempt(isPatient: boolean): Acquired | undefined {
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      if (this.#watched === undefined) {
        // Behind one owner there is mostly the next, and a moment between them.
        const lock = HeldLock.create(this.#lockPath, this);
        if (lock !== undefined) return { lock, tookOver: false, isDisputed: this.#hasSeenOld };
        this.#watched = openLockFile(this.#lockPath);
        if (this.#watched === undefined) continue;
      }
      const outcome = this.#lookAt(this.#watched, isPatient);
      if (outcome === "busy") return undefined;
      this.close();
      if (outcome !== "gone") return outcome;
    }
    return undefined;
  }

  /** The owner that was seen last. */
  get owner(): Readonly<SeenOwner> {
    return this.#owner;
  }

  /** The taker as the lock file will name it. */
  readonly record = (witness: "kernel" | "heartbeat"): LockRecord => {
    const timestamp = new Date(sys.now()).toISOString();
    return {
      pid: sys.pid,
      timestamp,
      agent: this.#options.agent,
      host: sys.hostname,
      token: freshToken(),
      witness,
      since: timestamp,
      process: sys.processSpace() ?? null,
    };
  };

  /** Judges an owner without a kernel lock: it is free, or the system has none. */
  stateOf(record: LockRecord | undefined, info: FileInfo, hasKernelLock: boolean): OwnerState {
    const clock = { staleThresholdMs: this.#options.staleThresholdMs, nowMs: sys.now() };
    this.#hasSeenOld ||= hasOldSign(record, info, clock);
    return ownerState(record, info, { hasKernelLock, ...clock });
  }

  /** Stops trying. A lock that was acquired is not touched. */
  close(): void {
    this.#watched?.close();
    this.#watched = undefined;
  }

  #lookAt(file: OpenFile, isPatient: boolean): Acquired | "busy" | "gone" {
    const info = file.info();
    if (info.links === 0) return "gone";
    this.#noteOwner(file, info);
    // Its creator is just about to take the kernel lock: a look must not come in between.
    if (isInTheMaking(info)) return "busy";
    const isLocked = file.tryLock();
    if (isLocked !== false) {
      const { id, links } = file.info();
      if (links === 0 || sys.lstat(this.#lockPath)?.id !== id) return "gone";
      const owner = lookAtOwner(file, isLocked === true, this);
      if (owner.state !== "alive") return this.#replace(file, owner);
    }
    if (isPatient && !this.#owner.isCrowded && this.#toldFile !== info.id) this.#tell(file, info);
    if (isLocked) this.close(); // the kernel lock that we took is not ours to keep
    return "busy";
  }

  #noteOwner(file: OpenFile, { id, modifiedMs }: FileInfo): void {
    const version = `${id} ${modifiedMs}`;
    if (version === this.#owner.version) return;
    const isCrowded = id !== this.#toldFile && file.read(MAX_RECORD_BYTES).endsWith("\n");
    this.#owner = { version, sinceMs: performance.now(), isCrowded };
  }

  #replace(file: OpenFile, { key, token }: Owner): Acquired | "busy" {
    const takeover = beginTakeover(file, key, this);
    if (takeover === undefined) {
      this.close();
      return "busy";
    }
    const leftover = token === null ? undefined : temporaryPath(this.locked.path, token);
    const lock = commitTakeover(takeover, this.#lockPath, leftover);
    return { lock, tookOver: true, isDisputed: this.#hasSeenOld };
  }

  /**
   * Signals the owner that a process waits, by a newline that keeps the JSON legal. One is enough for all: it
   * changes the file, and the age of the file may reveal a dead owner.
   */
  #tell(file: OpenFile, { id }: FileInfo): void {
    this.#toldFile = id;
    try {
      const { token, witness } = readRecord(file) ?? {};
      if (token && witness) file.writeAt("\n", "end");
    } catch {
      // Unheard on a full disk, or of another user, it only waits longer.
    }
  }
}

function isInTheMaking({ size, modifiedMs }: FileInfo): boolean {
  return size === 0 && Math.abs(sys.now() - modifiedMs) < INCOMPLETE_MS;
}
