/**
 * What the files of memory have in common: their version, their folders, how they are replaced.
 *
 * @module
 */

import { wrongKind } from "../sys/guard.ts";
import { sys } from "../sys/mod.ts";

/** Changes whenever the file does; empty if there is no file. */
export function fileVersion(path: string): string {
  const info = sys.lstat(path);
  return info === undefined ? "" : `${info.id}:${info.size}:${info.modifiedMs}`;
}

/**
 * Refuses a link or a file in the place of a folder, which need not exist. The folder of memory is
 * where the caller says, link or not; what is inside it is ours.
 */
export function checkSubfolder(folder: string): void {
  const kind = sys.lstat(folder)?.kind;
  if (kind !== undefined && kind !== "directory") throw wrongKind("open", folder, kind);
}

/** Replaces a file in one step. */
export type ReplaceFile = (path: string, content: string | Uint8Array) => void;
