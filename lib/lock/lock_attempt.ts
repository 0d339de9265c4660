// One task's attempts at one lock file. An attempt never waits; the caller decides how often to try.
//
// The invariant (witnessed lock file): on a system with kernel locks, the owner holds a kernel lock on the very file
// at the lock path, and no other process unlinks or replaces that file. Only the creator of a file ever fills it.
// `takeover.ts` elects one taker that replaces a dead owner.
//
// While another process owns the lock, its lock file stays open here, and an attempt asks only for the file's kernel
// lock. That kernel lock is free when the owner has released it or has died.

import { type FileInfo, type OpenFile, sys } from "../sys/mod.ts";
import { HeldLock } from "./held_lock.ts";
import { openLockFile } from "./lock_file.ts";
import { hasOldSign, INCOMPLETE_MS, type OwnerState, ownerState } from "./owner_state.ts";
import { type LockedFile, lockPathOf, temporaryPath } from "./paths.ts";
import { freshToken, type LockRecord, MAX_RECORD_BYTES, readRecord } from "./record.ts";
import { beginTakeover, commitTakeover, lookAtOwner, type Owner, type Taker } from "./takeover.ts";

export interface LockAttemptOptions {
  /** The agent that the lock file names as the owner. */
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
   * Another process may still believe that it owns the lock: a former owner with a lock that expired, or a
   * program that follows only the documents and deletes a lock file that looks stale.
   */
  isDisputed: boolean;
}

/** The owner as a waiter knows it. */
export interface SeenOwner {
  /**
   * The id and the modification time of the lock file. The time is needed because a new file may have the id of a
   * removed file.
   */
  version: string;
  /** When the waiter first saw this version, on the monotonic clock. */
  sinceMs: number;
  /** Whether another process has signalled that it waits. */
  isCrowded: boolean;
}

/**
 * Maximum number of attempts to open a lock file that disappears. More attempts would slow the owner's use of the
 * folder.
 */
const MAX_TURNS = 2;

export class LockAttempt implements Taker {
  readonly locked: LockedFile;
  readonly mode: number;
  readonly #lockPath: string;
  readonly #options: LockAttemptOptions;
  #watched: OpenFile | undefined;
  #owner: SeenOwner = { version: "", sinceMs: performance.now(), isCrowded: false };
  /** The id of the lock file that we signalled. */
  #toldFile = "";
  /** Whether we saw an owner that other processes may consider dead. They may act on it later than we do. */
  #hasSeenOld = false;

  constructor(locked: LockedFile, options: LockAttemptOptions) {
    this.locked = locked;
    this.mode = options.mode;
    this.#lockPath = lockPathOf(locked.path);
    this.#options = options;
  }

  /**
   * Tries once to get the lock; returns undefined while another owner holds it. Throws `IO_ERROR` if the lock path
   * cannot be used.
   */
  attempt(isPatient: boolean): Acquired | undefined {
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      if (this.#watched === undefined) {
        // After one owner, the next owner mostly follows, with a short moment between the two.
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

  /** The owner that this task saw last. */
  get owner(): Readonly<SeenOwner> {
    return this.#owner;
  }

  /** Returns the record that names this task's agent as the owner. */
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

  /**
   * Judges an owner that holds no kernel lock: the kernel lock of its file is free, or the system has no kernel
   * locks.
   */
  stateOf(record: LockRecord | undefined, info: FileInfo, hasKernelLock: boolean): OwnerState {
    const clock = { staleThresholdMs: this.#options.staleThresholdMs, nowMs: sys.now() };
    this.#hasSeenOld ||= hasOldSign(record, info, clock);
    return ownerState(record, info, { hasKernelLock, ...clock });
  }

  /** Stops trying. An acquired lock stays as it is. */
  close(): void {
    this.#watched?.close();
    this.#watched = undefined;
  }

  #lookAt(file: OpenFile, isPatient: boolean): Acquired | "busy" | "gone" {
    const info = file.info();
    if (info.links === 0) return "gone";
    this.#noteOwner(file, info);
    // The creator of the file is about to take the kernel lock, so this look must not take it first.
    if (isInTheMaking(info)) return "busy";
    const isLocked = file.tryLock();
    if (isLocked !== false) {
      const { id, links } = file.info();
      if (links === 0 || sys.lstat(this.#lockPath)?.id !== id) return "gone";
      const owner = lookAtOwner(file, isLocked === true, this);
      if (owner.state !== "alive") return this.#replace(file, owner);
    }
    if (isPatient && !this.#owner.isCrowded && this.#toldFile !== info.id) this.#tell(file, info);
    if (isLocked) this.close(); // this look took the kernel lock and must give it back
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
   * Signals the owner that a process waits, by a newline that keeps the JSON valid. One newline serves all waiters,
   * because every write changes the age of the file, and that age may reveal a dead owner.
   */
  #tell(file: OpenFile, { id }: FileInfo): void {
    this.#toldFile = id;
    try {
      const { token, witness } = readRecord(file) ?? {};
      if (token && witness) file.writeAt("\n", "end");
    } catch {
      // The signal fails on a full disk or in another user's file. Then the waiter only waits longer.
    }
  }
}

function isInTheMaking({ size, modifiedMs }: FileInfo): boolean {
  return size === 0 && Math.abs(sys.now() - modifiedMs) < INCOMPLETE_MS;
}
