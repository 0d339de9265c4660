// The signals that ask this program to end. Pure.

import type { ProcReader } from "./process_space.ts";

/** The errors of a write to a closed terminal, which has no reader any more. */
export const HUNG_UP: readonly string[] = ["EIO"];

/** The bit of SIGHUP, which is signal 1. */
const HANGUP = 1n;

/** A signal that asks the program to end. */
export type EndingSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/**
 * Returns a listener for each signal. A closed terminal sends SIGHUP. If the program was started with SIGHUP
 * ignored, as by `nohup`, it continues. This needs an empty listener, because the runtime would end the program once
 * it listens to any signal.
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
    return false; // the file cannot be read
  }
}
