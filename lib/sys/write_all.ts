// Writing all of something: a system may take less than it is given, on a disk that is almost full or into
// a pipe. Pure.

/**
 * Calls `write` until all is written. It gets the rest and how much was written, and returns how
 * much it took.
 */
export function writeAll(
  bytes: Uint8Array,
  write: (rest: Uint8Array, done: number) => number,
): void {
  for (let done = 0; done < bytes.length;) {
    const length = write(bytes.subarray(done), done);
    if (length === 0) throw Object.assign(new Error("nothing was written"), { code: "EIO" });
    done += length;
  }
}
