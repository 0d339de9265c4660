/**
 * How much room a folder takes.
 *
 * @module
 */

import { sys } from "../../sys/mod.ts";

/**
 * @param folder a folder, which need not exist
 * @returns the bytes of all files in it and below
 */
export function bytesBelow(folder: string): number {
  let bytes = 0;
  for (const name of sys.readDir(folder)) {
    const info = sys.lstat(`${folder}/${name}`);
    bytes += info?.kind === "directory" ? bytesBelow(`${folder}/${name}`) : info?.size ?? 0;
  }
  return bytes;
}
