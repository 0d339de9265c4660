/**
 * A folder for one test.
 *
 * @module
 */

import { removeFolder } from "../remove_folder.ts";

const MAX_REMOVALS = 50;
const PAUSE_MS = 20;

/** A folder that is removed at the end of the block that is `using` it. */
export class TempFolder implements Disposable {
  readonly path: string = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentx-lock-" }));

  /** The path of a file in it. */
  file(name: string): string {
    return `${this.path}/${name}`;
  }

  /** What is in it, sorted. */
  names(): string[] {
    return Array.from(Deno.readDirSync(this.path), ({ name }) => name).sort();
  }

  /** A process that was killed may leave one behind that still writes. */
  [Symbol.dispose](): void {
    for (let left = MAX_REMOVALS;; left--) {
      try {
        return removeFolder(this.path);
      } catch (error) {
        if (left === 0 || !String(error).includes("not empty")) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
      }
    }
  }
}
