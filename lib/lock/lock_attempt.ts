/**
 * One task's attempts at one lock file. An attempt never waits; how often to try is the caller's.
 *
 * The invariant (witnessed lock file): where there is a kernel lock, the owner is who holds it on
 * the very file that the path names, and no other process unlinks or replaces that file. Only its
 * creator ever fills a file. A dead owner is replaced by the one taker that `takeover.ts` elects.
 *
 * While another owns the lock its file stays open here, and an attempt asks only for its kernel
 * lock: that is free when the owner has released it, or died.
 *
 * @module
 */

import { type FileInfo, type OpenFile, sys } from "../sys/mod.ts";
import { HeldLock } from "./held_lock.ts";
import { createLockFile, discardFile, type FreshFile, isLate, openLockFile } from "./lock_file.ts";
import { hasOldSign, INCOMPLETE_MS, type OwnerState, ownerState } from "./owner_state.ts";
import { type LockedFile, lockPathOf, temporaryPath } from "./paths.ts";
import {
  freshToken,
  type LockRecord,
  MAX_RECORD_BYTES,
  readRecord,
  timestampOf,
} from "./record.ts";
import {
  beginTakeover,
  commitTakeover,
  isBeingReplaced,
  lookAtOwner,
  type Owner,
  type Taker,
} from "./takeover.ts";

/** Options of {@linkcode LockAttempt}. */
export interface LockAttemptOptions {
  /** Recorded as the owner. */
  agent: string;
  /** Permissions of the lock file. */
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
   * Another process may still believe that it owns the lock: a former owner that was given up by the
   * clock, or a program that goes by the documents alone and deletes what it takes to be stale.
   */
  isDisputed: boolean;
}

/** What a waiter knows of the owner. */
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

/** A tenth of a millisecond: longer than a look at a lock file takes. */
const LOOKING_TURNS = 256;

/** A task that wants a lock. */
export class LockAttempt implements Taker {
  readonly locked: LockedFile;
  readonly mode: number;
  readonly #lockPath: string;
  readonly #options: LockAttemptOptions;
  /** The lock file of the owner. */
  #watched: OpenFile | undefined;
  #owner: SeenOwner = { version: "", sinceMs: performance.now(), isCrowded: false };
  /** The file whose owner was signalled that we wait. */
  #toldFile = "";
  /** A lock file that we created and could not fill yet. */
  #fresh: FreshFile | undefined;
  /** A lock whose file we were slow to fill, while another process was about to replace it. */
  #contested: HeldLock | undefined;
  /** An owner was seen that some take to be gone: they may act on that later than we. */
  #hasSeenOld = false;

  /**
   * @param locked the file to lock
   * @param options who, and when an owner is given up
   */
  constructor(locked: LockedFile, options: LockAttemptOptions) {
    this.locked = locked;
    this.mode = options.mode;
    this.#lockPath = lockPathOf(locked.path);
    this.#options = options;
  }

  /**
   * Tries once to get the lock.
   *
   * @param isPatient whether to signal the owner that a process waits
   * @returns the lock, or undefined while another owner holds it
   * @throws {AgentxError} `IO_ERROR` where the lock path cannot be used
   */
  attempt(isPatient: boolean): Acquired | undefined {
    if (this.#hasMade) return this.#tryCreate();
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      if (this.#watched === undefined) {
        // Behind one owner there is mostly the next, and a moment between them.
        const acquired = this.#tryCreate();
        if (acquired !== undefined || this.#hasMade) return acquired;
        this.#watched = openLockFile(this.#lockPath);
        if (this.#watched === undefined) continue;
      }
      const outcome = this.#lookAt(this.#watched, isPatient);
      if (outcome === "busy") return undefined;
      this.#stopWatching();
      if (outcome !== "gone") return outcome;
    }
    return undefined;
  }

  /** There is a file of ours that is not a lock yet. */
  get #hasMade(): boolean {
    return this.#fresh !== undefined || this.#contested !== undefined;
  }

  /** The owner that was seen last. */
  get owner(): Readonly<SeenOwner> {
    return this.#owner;
  }

  /** The taker as the lock file will name it. */
  readonly record = (witness: "kernel" | "heartbeat"): LockRecord => {
    const timestamp = timestampOf(sys.now());
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

  /** Judges an owner whose kernel lock is free, or does not exist here. */
  stateOf(record: LockRecord | undefined, info: FileInfo, hasKernelLock: boolean): OwnerState {
    const clock = { staleThresholdMs: this.#options.staleThresholdMs, nowMs: sys.now() };
    this.#hasSeenOld ||= hasOldSign(record, info, clock);
    return ownerState(record, info, { hasKernelLock, ...clock });
  }

  /** Stops trying. A lock that was acquired is not touched. */
  close(): void {
    this.#stopWatching();
    this.#contested?.invalidate();
    if (this.#fresh === undefined) return;
    const { file } = this.#fresh;
    this.#fresh = undefined;
    let isFree = false;
    try {
      isFree = file.tryLock() !== false;
    } finally {
      if (isFree) discardFile(this.#lockPath, file);
      else file.close();
    }
  }

  #tryCreate(): Acquired | undefined {
    if (this.#contested !== undefined) return this.#tryContested(this.#contested);
    this.#fresh ??= createLockFile(this.#lockPath, this.mode);
    return this.#fresh && this.#tryFill(this.#fresh);
  }

  /** Another process may be inspecting the empty file under its kernel lock, for a moment. */
  #tryFill(fresh: FreshFile): Acquired | undefined {
    for (let turn = 0; turn < LOOKING_TURNS; turn++) {
      const lock = this.#fill(fresh.file);
      if (lock === undefined) continue;
      this.#fresh = undefined;
      if (isLate(fresh)) {
        this.#hasSeenOld = true;
        return this.#tryContested(lock);
      }
      if (lock.filled.links > 0) return this.#acquired(lock);
      lock.close();
      return undefined;
    }
    if (fresh.file.info().links > 0) return undefined;
    this.#fresh = undefined;
    fresh.file.close();
    return undefined;
  }

  #fill(file: OpenFile): HeldLock | undefined {
    try {
      return HeldLock.fill(file, this);
    } catch (error) {
      this.#fresh = undefined;
      discardFile(this.#lockPath, file); // a full disk
      throw error;
    }
  }

  #tryContested(lock: HeldLock): Acquired | undefined {
    if (isBeingReplaced(this.locked.path, lock.filled)) {
      this.#contested = lock;
      return undefined;
    }
    this.#contested = undefined;
    if (lock.isOurs()) return this.#acquired(lock);
    lock.close();
    return undefined;
  }

  #acquired(lock: HeldLock): Acquired {
    return { lock, tookOver: false, isDisputed: this.#hasSeenOld };
  }

  #stopWatching(): void {
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
    if (isLocked) this.#stopWatching(); // the kernel lock that we took is not ours to keep
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
      this.#stopWatching();
      return "busy";
    }
    const leftover = token === null ? undefined : temporaryPath(this.locked.path, token);
    const lock = commitTakeover(takeover, this.#lockPath, leftover);
    return { lock, tookOver: true, isDisputed: this.#hasSeenOld };
  }

  /**
   * Signals the owner that a process waits, by a newline that keeps the JSON legal. One is enough for
   * all: it is a change of the file, whose age may tell a dead owner.
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
