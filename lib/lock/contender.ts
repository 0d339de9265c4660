/**
 * One task's attempts at one lock file. An attempt never waits; how often to try is the caller's.
 *
 * The invariant (witnessed lock file): where there is a kernel lock, the owner is who holds it on
 * the very file that the path names, and nobody else unlinks or replaces that file. Only its creator
 * ever fills a file. Who takes over from a dead owner needs the kernel lock of the dead owner's file,
 * against takers that have one, and the claim to it (`claim.ts`), against those that have none.
 *
 * @module
 */

import { type FileInfo, type OpenFile, sys } from "../sys/mod.ts";
import {
  type Claimant,
  claimOwner,
  commitClaim,
  discardFile,
  isLate,
  lookAtOwner,
  openLockFile,
  type Owner,
} from "./claim.ts";
import { HeldLock } from "./held_lock.ts";
import { lockPathOf, temporaryPath } from "./paths.ts";
import { type OwnerState, ownerState } from "./owner_state.ts";
import { freshToken, type LockRecord, readRecord, timestampOf } from "./record.ts";

/** Options of {@linkcode Contender}. */
export interface ContenderOptions {
  /** Who will be named as the owner. */
  agent: string;
  /** See `JsonFileLockOptions`. */
  staleThresholdMs: number;
  /** See `JsonFileLockOptions`. */
  maxWaitMs: number;
  /** Wall clock, epoch milliseconds. */
  now: () => number;
}

/** A lock that was just acquired. */
export interface Acquired {
  lock: HeldLock;
  /** Whether a dead owner was replaced. */
  tookOver: boolean;
  /**
   * Somebody else may believe in good faith to own the lock: a former owner that was given up by the
   * clock, or who took our file to be abandoned because we were slow to fill it.
   */
  isDisputed: boolean;
}

/** An owner is not looked at more often than that, but at the last attempt. */
const LOOK_EVERY_MS = 8;

/** Who has waited this long tells the owner: sooner, all would do it, and it would slow the owner. */
const PATIENT_MS = 16;

/** Who cannot wait that long tells the owner after this part of the longest wait. */
const PATIENT_PART = 0.25;

/** How often a lock file that is there one moment and gone the next is looked for in one attempt. */
const MAX_TURNS = 16;

/** A tenth of a millisecond: longer than a look at a lock file takes. */
const LOOKING_TURNS = 256;

/** Who wants a lock. */
export class Contender implements Claimant {
  /** The locked file. */
  readonly filePath: string;
  readonly #lockPath: string;
  readonly #options: ContenderOptions;
  /** A lock file that we created and could not fill yet, and when. */
  #created: { file: OpenFile; sinceMs: number } | undefined;
  #nextLookMs = 0;
  /** The owner that was told that somebody waits, by its token. */
  #toldOwner: string | undefined;

  /**
   * @param filePath the file to lock
   * @param options who, and by which clock
   */
  constructor(filePath: string, options: ContenderOptions) {
    this.filePath = filePath;
    this.#lockPath = lockPathOf(filePath);
    this.#options = options;
  }

  /**
   * Tries once to get the lock. Mostly that is only to create its file: in the moment between two
   * turns of others, whoever tries is as likely to get in.
   *
   * @param waitedMs since the wait began
   * @param isLast whether no attempt follows
   * @returns the lock, or undefined while somebody has it
   * @throws {AgentxError} `IO_ERROR` where the lock path cannot be used
   */
  attempt(waitedMs: number, isLast: boolean): Acquired | undefined {
    const acquired = this.#tryCreate();
    if (acquired !== undefined || waitedMs < this.#nextLookMs && !isLast) return acquired;
    this.#nextLookMs = waitedMs + LOOK_EVERY_MS;
    const patientMs = Math.min(PATIENT_MS, this.#options.maxWaitMs * PATIENT_PART);
    return this.#tryTakeover(waitedMs >= patientMs);
  }

  /** Who wants the lock, as its file will name them. */
  record(): LockRecord {
    const timestamp = timestampOf(this.#options.now());
    return {
      pid: sys.pid,
      timestamp,
      agent: this.#options.agent,
      host: sys.hostname,
      token: freshToken(),
      witness: sys.hasKernelLock ? "kernel" : "heartbeat",
      since: timestamp,
      process: sys.processSpace() ?? null,
    };
  }

  /** Judges an owner whose kernel lock is free. */
  judge(record: LockRecord | undefined, info: FileInfo): OwnerState {
    const { staleThresholdMs, now } = this.#options;
    const { hasKernelLock } = sys;
    return ownerState(record, info, { hasKernelLock, staleThresholdMs, nowMs: now() });
  }

  /** Stops contending. A lock that was acquired is not touched. */
  close(): void {
    if (this.#created === undefined) return;
    const { file } = this.#created;
    this.#created = undefined;
    let isFree = false;
    try {
      isFree = file.tryLock();
    } finally {
      if (isFree) discardFile(this.#lockPath, file);
      else file.close();
    }
  }

  #tryCreate(): Acquired | undefined {
    if (this.#created !== undefined) return this.#tryOwn(this.#created);
    const sinceMs = Date.now();
    const file = sys.createFile(this.#lockPath);
    if (file === undefined) return undefined;
    this.#created = { file, sinceMs };
    return this.#tryOwn(this.#created);
  }

  /** Looks at the owner, and takes the lock if it is dead; tells a living one that somebody waits. */
  #tryTakeover(isPatient: boolean): Acquired | undefined {
    for (let turn = 0; turn < MAX_TURNS && this.#created === undefined; turn++) {
      const file = openLockFile(this.#lockPath);
      const outcome = file === undefined ? this.#tryCreate() : this.#lookAt(file, isPatient);
      if (outcome === "busy") return undefined;
      if (outcome !== undefined) return outcome;
    }
    return undefined;
  }

  /** Somebody may just be looking at the empty file with the kernel lock in hand: it is a moment. */
  #tryOwn({ file, sinceMs }: { file: OpenFile; sinceMs: number }): Acquired | undefined {
    for (let turn = 0; turn < LOOKING_TURNS; turn++) {
      if (file.tryLock() || !sys.hasKernelLock) return this.#fill(file, sinceMs);
    }
    if (file.info().links > 0) return undefined;
    this.#created = undefined;
    file.close();
    return undefined;
  }

  #fill(file: OpenFile, sinceMs: number): Acquired {
    this.#created = undefined; // it is the lock's now, or gone
    try {
      const lock = new HeldLock(this.filePath, file, this.record());
      return { lock, tookOver: false, isDisputed: isLate(sinceMs) };
    } catch (error) {
      discardFile(this.#lockPath, file); // a full disk
      throw error;
    }
  }

  /** The lock, "busy", or undefined if the file is not the lock file any more. */
  #lookAt(file: OpenFile, isPatient: boolean): Acquired | "busy" | undefined {
    try {
      const isHeld = !file.tryLock() && sys.hasKernelLock;
      const { id, links } = file.info();
      if (links === 0 || !isHeld && sys.lstat(this.#lockPath)?.id !== id) return undefined;
      const owner = isHeld ? undefined : lookAtOwner(file, this);
      if (owner !== undefined && owner.state !== "alive") return this.#replace(file, owner);
      if (isPatient) this.#announce(file);
      return "busy";
    } finally {
      file.close();
    }
  }

  #replace(file: OpenFile, { key, token, state }: Owner): Acquired | "busy" {
    const claim = claimOwner(file, key, this);
    if (claim === undefined) return "busy";
    const leftover = token === null ? undefined : temporaryPath(this.filePath, token);
    const lock = commitClaim(claim, this.#lockPath, leftover);
    return { lock, tookOver: true, isDisputed: state === "expired" };
  }

  /**
   * Tells the owner that somebody waits, by a newline that keeps the JSON legal. Once for each owner:
   * a newline is a change of the file, whose age may tell a dead owner.
   */
  #announce(file: OpenFile): void {
    try {
      const { token, witness } = readRecord(file) ?? {};
      if (!token || !witness || token === this.#toldOwner) return;
      this.#toldOwner = token;
      file.writeAt("\n", "end");
    } catch {
      // Unheard on a full disk, it only waits longer.
    }
  }
}
