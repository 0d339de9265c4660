/**
 * Seeing from outside that a file changed.
 *
 * @module
 */

import { sys } from "../sys/mod.ts";

/**
 * @param path a file
 * @returns changes whenever the file does; empty if there is none
 */
export function stampOf(path: string): string {
  const info = sys.lstat(path);
  return info === undefined ? "" : `${info.id}:${info.size}:${info.modifiedMs}`;
}
