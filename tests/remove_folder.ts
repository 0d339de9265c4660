/**
 * Removes a folder that a process which was just ended may still change.
 *
 * @module
 */

/** Removes a folder and all in it; nothing happens where it is gone. */
export function removeFolder(path: string): void {
  for (let left = 50;; left--) {
    try {
      return Deno.removeSync(path, { recursive: true });
    } catch (error) {
      if (isGone(path)) return;
      if (left === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

function isGone(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}
