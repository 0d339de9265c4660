// Reads the artifacts of agents in the repository. This module never writes them: they belong to the agents.

import { sys } from "../sys/mod.ts";
import { isIgnored } from "./ignored.ts";

/**
 * Returns the text of a file inside the tree; undefined for a folder, a missing file, and a link that leads out of the
 * tree.
 */
export function readArtifact(tree: string, path: string): string | undefined {
  const real = sys.realPath(`${tree}/${path}`);
  if (real === undefined || !real.startsWith(`${sys.realPath(tree)}/`)) return undefined;
  return sys.lstat(real)?.kind === "file" ? sys.readTextFile(real) : undefined;
}

/**
 * Reads an artifact for the prompt of an agent, which may be of another vendor. Hidden files and files kept out of git
 * are never artifacts, even if a workflow names them.
 *
 * @param path relative to the tree
 * @returns as {@linkcode readArtifact}; undefined also if a part of the path begins with a dot, or git ignores the path
 *   or the target of its link
 */
export function readQuotableArtifact(tree: string, path: string): string | undefined {
  return isQuotable(tree, path) ? readArtifact(tree, path) : undefined;
}

/**
 * Whether a model may see a file or folder: it exists inside the tree, no part of its path begins with a dot, and git
 * does not ignore it. The target of a link has to meet the same conditions.
 */
export function isQuotable(tree: string, path: string): boolean {
  const root = sys.realPath(tree);
  const real = sys.realPath(`${tree}/${path}`);
  if (root === undefined || !real?.startsWith(`${root}/`)) return false;
  // A rule such as `logs/` ignores the content of the folder, so test a path below the folder.
  const within = sys.lstat(real)?.kind === "directory" ? "/x" : "";
  return ![path, real.slice(root.length + 1)].some((path) => isPrivate(root, path + within));
}

function isPrivate(root: string, path: string): boolean {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return parts.some((part, index) => {
    if (part.startsWith(".")) return true;
    const folder = [root, ...parts.slice(0, index)].join("/");
    const gitignore = sys.readTextFile(`${folder}/.gitignore`);
    return gitignore !== undefined && isIgnored(parts.slice(index).join("/"), gitignore);
  });
}
