/**
 * A working tree in memory.
 *
 * @module
 */

import type { SourceTree } from "../../../lib/memory/anchors/anchors.ts";

/** Files by their paths; undefined for one that is there and cannot be read. */
export function treeOf(files: Record<string, string | undefined>): SourceTree {
  return {
    read: (path) => Object.hasOwn(files, path) ? files[path] : null,
    sources: () => Object.keys(files),
    commit: () => "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d",
  };
}
