// Whether a path stays in a tree, whatever links there are.

import { sys } from "../sys/mod.ts";

/** Whether the nearest existing folder above a file is inside the tree. */
export function staysInside(tree: string, file: string): boolean {
  const root = sys.realPath(tree);
  let folder = `${tree}/${file}`;
  while (folder.length > tree.length) {
    folder = folder.slice(0, folder.lastIndexOf("/"));
    const real = sys.realPath(folder);
    if (real !== undefined) return real === root || real.startsWith(`${root}/`);
  }
  return false;
}
