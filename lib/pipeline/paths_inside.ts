// Checks and writes paths that must stay in a tree, even if a link leads out of it.

import { AgentxError } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { replaceFile } from "../sys/replace_file.ts";

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

/** Writes a file, but not through a link that leads out of the tree. Throws `IO_ERROR` for such a link. */
export function writeInside(tree: string, path: string, text: string): void {
  if (!staysInside(tree, path)) {
    throw new AgentxError("IO_ERROR", `Cannot write "${path}": a link on its way leads out`, {
      details: { operation: "write", path, errno: "ENOTDIR" },
      next: "Make it a folder of the repository",
    });
  }
  const file = `${tree}/${path}`;
  sys.makeDir(file.slice(0, file.lastIndexOf("/")));
  replaceFile(file, text);
}
