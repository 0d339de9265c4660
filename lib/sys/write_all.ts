// Writes all bytes. A system call may write fewer bytes than it gets, on a nearly full disk or into a pipe. Pure.

/**
 * Calls `write` until all bytes are written. `write` gets the rest and the number of written bytes, and returns how
 * many bytes it wrote.
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
