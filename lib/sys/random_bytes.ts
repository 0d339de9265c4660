// Bytes of chance. Node takes 3 ms of CPU to load its crypto, which each process that takes a lock would pay.

import { builtin } from "./builtin.ts";

/** As many bytes of chance, of the kernel where Node can read them there. */
export function randomBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  if ("Deno" in globalThis || "Bun" in globalThis) return crypto.getRandomValues(bytes);
  const { closeSync, openSync, readSync } = builtin("node:fs");
  let file: number | undefined;
  try {
    file = openSync("/dev/urandom", "r");
    if (readSync(file, bytes) === count) return bytes;
  } catch {
    // A sandbox may hide it.
  } finally {
    if (file !== undefined) closeSync(file);
  }
  return crypto.getRandomValues(bytes);
}
