/**
 * Whether the owner of a lock file is still there.
 *
 * A process id alone says nothing: ids are reused, and every container counts from 1. What does is
 * the kernel lock, seen from the same kernel; and the start of a process, seen from the same space
 * of process ids. Everything else is left to the heartbeat.
 *
 * @module
 */

import { type FileInfo, sys } from "../sys/mod.ts";
import type { LockRecord } from "./record.ts";

/** A lock file without a complete record may still be in the making until it is this old. */
export const INCOMPLETE_MS = 2_000;

/** What can be said of an owner: `dead` is certain, `expired` is what the clock says. */
export type OwnerState = "alive" | "dead" | "expired";

/** How an owner is judged. */
export interface OwnerStateOptions {
  /** Whether we have the kernel lock of its file, which it would have if it lived and had one. */
  hasKernelLock: boolean;
  /** After this many milliseconds without a sign it is given up. */
  staleThresholdMs: number;
  /** Milliseconds since the epoch. */
  nowMs: number;
}

/**
 * Decides about the owner of a lock file whose kernel lock is free, or does not exist here.
 *
 * @param record what the lock file says; undefined when it is not a whole record
 * @param info the lock file itself
 * @param options what is known here, and the clock
 */
export function ownerState(
  record: LockRecord | undefined,
  info: FileInfo,
  { hasKernelLock, staleThresholdMs, nowMs }: OwnerStateOptions,
): OwnerState {
  if (record === undefined) {
    return ageMs(nowMs, info.modifiedMs, staleThresholdMs) > INCOMPLETE_MS ? "expired" : "alive";
  }
  if (record.witness === "kernel" && hasKernelLock && isOfThisKernel(record)) return "dead";
  return processState(record) ?? heartbeatState(record, info, { staleThresholdMs, nowMs });
}

/** Records of older versions, and those of processes that may not read `/proc`, name only the host. */
function isOfThisKernel({ host, process }: LockRecord): boolean {
  const here = sys.processSpace();
  return here !== undefined && process !== null
    ? process.boot === here.boot
    : host === sys.hostname;
}

/** What can be known of the very process; undefined where that is nothing. */
function processState({ pid, process }: LockRecord): "alive" | "dead" | undefined {
  const here = sys.processSpace();
  if (here === undefined || process === null) return undefined;
  if (process.boot !== here.boot || process.pidNamespace !== here.pidNamespace) return undefined;
  const start = sys.processStart(pid);
  if (start === undefined) return undefined;
  return start === process.start ? "alive" : "dead";
}

/** The 30 seconds of the documents (ADR-1 decision 1). */
function heartbeatState(
  { timestamp }: LockRecord,
  info: FileInfo,
  { staleThresholdMs, nowMs }: Omit<OwnerStateOptions, "hasKernelLock">,
): OwnerState {
  const stampMs = Date.parse(timestamp);
  const signMs = stampMs <= nowMs ? stampMs : info.modifiedMs; // NaN is not <=
  return ageMs(nowMs, signMs, staleThresholdMs) > staleThresholdMs ? "expired" : "alive";
}

/** A sign from further in the future than a clock goes wrong is not a sign of life. */
function ageMs(nowMs: number, signMs: number, toleranceMs: number): number {
  const age = nowMs - signMs;
  return age < -toleranceMs ? Infinity : age;
}
