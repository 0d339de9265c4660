// Decides whether the owner of a lock file still lives.
//
// A process id alone proves nothing: ids are reused, and every container counts from 1. Two facts are proof: the
// kernel lock, seen from the same kernel, and the start time of a process, seen from the same space of process ids.
// Without either, the heartbeat decides.

import { type FileInfo, sys } from "../sys/mod.ts";
import type { LockRecord } from "./record.ts";

/** A lock file without a complete record may still be in the making until it is this old. */
export const INCOMPLETE_MS = 2_000;

/** The state of an owner: `dead` is certain, `expired` follows from the clock. */
export type OwnerState = "alive" | "dead" | "expired";

/** The present time, and how old the last sign of life of an owner may be. */
export interface Clock {
  /** An owner counts as gone after this many milliseconds without a sign of life. */
  staleThresholdMs: number;
  nowMs: number;
}

export interface OwnerStateOptions extends Clock {
  /** Whether we hold the kernel lock of the file. A living owner that uses kernel locks would hold it. */
  hasKernelLock: boolean;
}

/** Decides whether an owner that holds no kernel lock lives: the kernel lock is free, or the system has none. */
export function ownerState(
  record: LockRecord | undefined,
  info: FileInfo,
  { hasKernelLock, ...clock }: OwnerStateOptions,
): OwnerState {
  if (record === undefined) {
    return signAgeMs(record, info, clock) > INCOMPLETE_MS ? "expired" : "alive";
  }
  if (record.witness === "kernel" && hasKernelLock && isOfThisKernel(record)) return "dead";
  return processState(record) ?? heartbeatState(record, info, clock);
}

/**
 * Whether a record comes from this kernel. Some records name only the host: those of older versions, and those of
 * processes that cannot read `/proc`.
 */
function isOfThisKernel({ host, process: there }: LockRecord): boolean {
  const here = sys.processSpace();
  return here !== undefined && there !== null ? there.boot === here.boot : host === sys.hostname;
}

/** Returns the state of the process itself; undefined if nothing shows it. */
export function processState(
  { pid, process: there }: Pick<LockRecord, "pid" | "process">,
): "alive" | "dead" | undefined {
  const here = sys.processSpace();
  if (here === undefined || there === null) return undefined;
  if (there.boot !== here.boot || there.pidNamespace !== here.pidNamespace) return undefined;
  const start = sys.processStart(pid);
  if (start === undefined) return undefined;
  return start === there.start ? "alive" : "dead";
}

/** Decides by the heartbeat alone, with the limit of 30 seconds from the documents (ADR-1 decision 1). */
function heartbeatState(record: LockRecord, info: FileInfo, clock: Clock): OwnerState {
  return signAgeMs(record, info, clock) > clock.staleThresholdMs ? "expired" : "alive";
}

/** A program that looks a moment later sees the heartbeat as older by that moment. This margin allows for it. */
const MARGIN_MS = 1_000;

/**
 * Whether a process that relies on the clock alone may consider an owner dead, even if we know that the owner lives.
 */
export function hasOldSign(
  record: LockRecord | undefined,
  info: FileInfo,
  clock: Clock,
): boolean {
  const limitMs = record === undefined ? INCOMPLETE_MS : clock.staleThresholdMs;
  return signAgeMs(record, info, clock) > limitMs - MARGIN_MS;
}

/** Returns the age of the last sign of life. If the timestamp is invalid or in the future, the file's time counts. */
function signAgeMs(
  record: LockRecord | undefined,
  { modifiedMs }: FileInfo,
  { staleThresholdMs, nowMs }: Clock,
): number {
  const stampMs = record === undefined ? NaN : Date.parse(record.timestamp);
  const ageMs = nowMs - (stampMs <= nowMs ? stampMs : modifiedMs); // NaN is not <=
  // A sign from so far in the future is not a sign of life, because no clock is wrong by that much.
  return ageMs < -staleThresholdMs ? Infinity : ageMs;
}
