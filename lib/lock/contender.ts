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

import { type OpenFile, sys } from "../sys/mod.ts";
import {
  type Claimant,
  claimOwner,
  commitClaim,
  discardFile,
  isLate,
  lookAtOwner,
  openLockFile,
} from "./claim.ts";
import { HeldLock } from "./held_lock.ts";
import { lockPathOf, temporaryPath } from "./paths.ts";
import { freshToken, judgeOwner, type LockRecord, readRecord, timestampOf } from "./record.ts";

/** Options of {@linkcode Contender}. */
export interface ContenderOptions {
  /** Who will be named as the owner. */
  agent: string;
  /** See `JsonFileLockOptions`. */
  staleThresholdMs: number;
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

/** So often an attempt begins again because the file vanished between two of its steps. */
const MAX_TURNS = 16;

/** About a tenth of a millisecond: longer than a look at a lock file takes. */
const LOOKING_TURNS = 256;

/** Who wants a lock. */
export class Contender {
  readonly #filePath: string;
  readonly #lockPath: string;
  readonly #claimant: Claimant;
  /** The lock file that is in the way; kept open so that polling it costs one system call. */
  #obstacle: OpenFile | undefined;
  /** When we created the obstacle ourselves; undefined where somebody else did. */
  #createdMs: number | undefined;
  /** Whether lock files come and go: one that was there is more likely there again than gone. */
  #isContended = false;
  /** Once for each file: a newline is a change of the file, whose age may tell a dead owner. */
  #hasAnnounced = false;

  /**
   * @param filePath the file to lock
   * @param options who, and by which clock
   */
  constructor(filePath: string, { agent, staleThresholdMs, now }: ContenderOptions) {
    this.#filePath = filePath;
    this.#lockPath = lockPathOf(filePath);
    this.#claimant = {
      filePath,
      record: () => ({
        pid: sys.pid,
        timestamp: timestampOf(now()),
        agent,
        host: sys.hostname,
        token: freshToken(),
        witness: sys.hasKernelLock ? "kernel" : "heartbeat",
      }),
      judge: (record, info) => judgeOwner(record, info, { staleThresholdMs, nowMs: now() }),
    };
  }

  /**
   * Tries once to get the lock.
   *
   * @returns the lock, or undefined while somebody has it
   * @throws {AgentxError} `IO_ERROR` where the lock path cannot be used
   */
  attempt(): Acquired | undefined {
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const isKnown = this.#obstacle !== undefined;
      this.#obstacle ??= this.#isContended
        ? openLockFile(this.#lockPath) ?? this.#createFile()
        : this.#createFile() ?? openLockFile(this.#lockPath);
      const outcome = this.#obstacle && this.#tryObstacle(this.#obstacle, isKnown);
      if (outcome === "busy") return undefined;
      if (outcome !== undefined) return outcome;
    }
    return undefined;
  }

  /** What the lock file in the way says; undefined if it says nothing. */
  describeObstacle(): LockRecord | undefined {
    return this.#obstacle && readRecord(this.#obstacle);
  }

  /** Tells an owner of our own kind that somebody waits, by a newline that keeps the JSON legal. */
  announce(): void {
    try {
      const isHeard = !this.#hasAnnounced && this.describeObstacle()?.witness;
      if (isHeard) this.#obstacle?.writeAt("\n", "end");
      this.#hasAnnounced = true;
    } catch {
      // Unheard on a full disk, it only waits longer.
    }
  }

  /** Stops contending. A lock that was acquired is not touched. */
  close(): void {
    const file = this.#obstacle;
    if (file === undefined) return;
    const isUnfilled = this.#createdMs !== undefined;
    this.#forget();
    let isFree = false;
    try {
      isFree = isUnfilled && file.tryLock();
    } finally {
      if (isFree) discardFile(this.#lockPath, file);
      else file.close();
    }
  }

  #createFile(): OpenFile | undefined {
    const startMs = Date.now();
    const file = sys.createFile(this.#lockPath);
    this.#createdMs = file && startMs;
    return file;
  }

  /** One step: the lock, "busy", or undefined if the file is not the lock file any more. */
  #tryObstacle(file: OpenFile, isKnown: boolean): Acquired | "busy" | undefined {
    if (this.#createdMs !== undefined) return this.#tryOwn(file, this.#createdMs);
    const isFree = file.tryLock() || !sys.hasKernelLock;
    if (!isFree && !isKnown) return "busy"; // it was there just now
    const { id, links } = file.info();
    if (links === 0 || isFree && sys.lstat(this.#lockPath)?.id !== id) return this.#drop(file);
    return isFree ? this.#tryTakeover(file) : "busy";
  }

  /** Somebody may just be looking at the empty file with the kernel lock in hand: it is a moment. */
  #tryOwn(file: OpenFile, createdMs: number): Acquired | "busy" | undefined {
    for (let turn = 0; turn < LOOKING_TURNS; turn++) {
      if (file.tryLock() || !sys.hasKernelLock) return this.#fill(file, createdMs);
    }
    return file.info().links === 0 ? this.#drop(file) : "busy";
  }

  #drop(file: OpenFile): undefined {
    this.#isContended = true;
    this.#forget();
    file.close();
  }

  #fill(file: OpenFile, createdMs: number): Acquired {
    this.#forget(); // it is the lock's now, or gone
    try {
      const lock = new HeldLock(this.#filePath, file, this.#claimant.record());
      return { lock, tookOver: false, isDisputed: isLate(createdMs) };
    } catch (error) {
      discardFile(this.#lockPath, file); // a full disk
      throw error;
    }
  }

  #tryTakeover(file: OpenFile): Acquired | "busy" {
    const { key, token, verdict } = lookAtOwner(file, this.#claimant);
    const claim = verdict === "alive" ? undefined : claimOwner(file, key, this.#claimant);
    if (claim === undefined) {
      file.unlock();
      return "busy";
    }
    const leftover = token === null ? undefined : temporaryPath(this.#filePath, token);
    const lock = commitClaim(claim, this.#lockPath, leftover);
    this.close();
    return { lock, tookOver: true, isDisputed: verdict === "expired" };
  }

  #forget(): void {
    this.#obstacle = undefined;
    this.#createdMs = undefined;
    this.#hasAnnounced = false;
  }
}
