// The signals that ask this program to end. Pure.

import type { ProcReader } from "./process_space.ts";

/** How a write to a closed terminal fails: there is no reader left. */
export const HUNG_UP: readonly string[] = ["EIO"];

/** The bit of SIGHUP, which is signal 1. */
const HANGUP = 1n;

/** A signal that asks to end. */
export type EndingSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/**
 * Makes a listener for each signal. A terminal that is closed says SIGHUP; where the program was
 * started with that ignored, as `nohup` does, it continues: the runtime would end it once anything
 * is listened to.
 */
export function endingListeners(
  proc: ProcReader,
  handler: (signal: string) => void,
): [signal: EndingSignal, listener: () => void][] {
  const listening: EndingSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  const isIgnored = isHangupIgnored(proc);
  return listening.map((signal) => [
    signal,
    signal === "SIGHUP" && isIgnored ? () => {} : () => handler(signal),
  ]);
}

function isHangupIgnored(proc: ProcReader): boolean {
  try {
    const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(proc.read("/proc/self/status") ?? "")?.[1];
    return mask !== undefined && (BigInt(`0x${mask}`) & HANGUP) !== 0n;
  } catch {
    return false; // it may not be read
  }
}
