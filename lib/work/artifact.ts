/**
 * What agents write into the repository. A reader only: the artifacts belong to them.
 *
 * @module
 */

import { sys } from "../sys/mod.ts";

/**
 * @param tree the caller's checkout
 * @param path relative to it
 * @returns the text of a file inside the tree; undefined for a folder, for what is not there yet, and
 *   for a link that leads out
 */
export function readArtifact(tree: string, path: string): string | undefined {
  const real = sys.realPath(`${tree}/${path}`);
  if (real === undefined || !real.startsWith(`${sys.realPath(tree)}/`)) return undefined;
  return sys.lstat(real)?.kind === "file" ? sys.readTextFile(real) : undefined;
}
