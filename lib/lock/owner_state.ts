// Whether the owner of a lock file is still there.
//
// A process id alone says nothing: ids are reused, and every container counts from 1. What does is
// the kernel lock, seen from the same kernel; and the start of a process, seen from the same space
// of process ids. Everything else is left to the heartbeat.

import { type FileInfo, sys } from "../sys/mod.ts";
import type { LockRecord } from "./record.ts";

/** A lock file without a complete record may still be in the making until it is this old. */
export const INCOMPLETE_MS = 2_000;

/** The state of an owner: `dead` is certain, `expired` follows from the clock. */
export type OwnerState = "alive" | "dead" | "expired";

/** By which clock an owner is given up. */
export interface Clock {
  /** After this many milliseconds without a sign it is given up. */
  staleThresholdMs: number;
  nowMs: number;
}

export interface OwnerStateOptions extends Clock {
  /** Whether we have the kernel lock of its file, which it would have if it lived and had one. */
  hasKernelLock: boolean;
}

/** Decides about the owner of a lock file without a kernel lock: it is free, or the system has none. */
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

/** Records of older versions, and those of processes that may not read `/proc`, name only the host. */
function isOfThisKernel({ host, process: there }: LockRecord): boolean {
  const here = sys.processSpace();
  return here !== undefined && there !== null ? there.boot === here.boot : host === sys.hostname;
}

/** The state of the process itself; undefined where nothing shows it. */
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

/** The 30 seconds of the documents (ADR-1 decision 1). */
function heartbeatState(record: LockRecord, info: FileInfo, clock: Clock): OwnerState {
  return signAgeMs(record, info, clock) > clock.staleThresholdMs ? "expired" : "alive";
}

/** A program that looks a moment later finds the sign that much older. */
const MARGIN_MS = 1_000;

/**
 * Whether a process that relies on the clock alone may consider an owner dead, whatever we know of
 * it.
 */
export function hasOldSign(
  record: LockRecord | undefined,
  info: FileInfo,
  clock: Clock,
): boolean {
  const limitMs = record === undefined ? INCOMPLETE_MS : clock.staleThresholdMs;
  return signAgeMs(record, info, clock) > limitMs - MARGIN_MS;
}

/** The age of the last sign: that of the file where the timestamp is invalid, or in the future. */
function signAgeMs(
  record: LockRecord | undefined,
  { modifiedMs }: FileInfo,
  { staleThresholdMs, nowMs }: Clock,
): number {
  const stampMs = record === undefined ? NaN : Date.parse(record.timestamp);
  const ageMs = nowMs - (stampMs <= nowMs ? stampMs : modifiedMs); // NaN is not <=
  // A sign from further in the future than a clock goes wrong is not a sign of life.
  return ageMs < -staleThresholdMs ? Infinity : ageMs;
}
