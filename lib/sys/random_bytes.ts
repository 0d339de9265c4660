// Random bytes. Node takes 3 ms of CPU to load its crypto module, and each process that takes a lock would pay for
// this.

import { builtin } from "./builtin.ts";

/** Returns random bytes, from the kernel if Node can read its device. */
export function randomBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  if ("Deno" in globalThis || "Bun" in globalThis) return crypto.getRandomValues(bytes);
  const { closeSync, openSync, readSync } = builtin("node:fs");
  let file: number | undefined;
  try {
    file = openSync("/dev/urandom", "r");
    if (readSync(file, bytes) === count) return bytes;
  } catch {
    // A sandbox may hide the device.
  } finally {
    if (file !== undefined) closeSync(file);
  }
  return crypto.getRandomValues(bytes);
}
