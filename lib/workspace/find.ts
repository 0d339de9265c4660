/**
 * Where the workspace of a folder is, also from inside a git worktree.
 *
 * The state of a repository lives with its main checkout, so that all its worktrees share it: git
 * itself is not run, the two small files that it leaves in a worktree are read.
 *
 * @module
 */

import { AgentxError } from "../errors.ts";
import { sys } from "../sys/mod.ts";

/** A workspace and the caller's place in it. */
export interface WorkspacePlace {
  /** The folder that holds the `.agentx/` in use. */
  root: string;
  /** The same folder in the tree that the caller stands in. */
  tree: string;
}

/**
 * Looks for `.agentx/` in a folder and upward.
 *
 * @param start an existing folder
 * @returns where it is
 * @throws {AgentxError} `NOT_INITIALISED`
 */
export function findWorkspace(start: string): WorkspacePlace {
  const folder = sys.realPath(start);
  const above = folder === undefined ? [] : ancestors(folder);
  for (const [index, tree] of above.entries()) {
    const checkout = above.slice(index).find((path) => sys.lstat(`${path}/.git`) !== undefined);
    const main = checkout && mainCheckoutOf(checkout);
    if (checkout !== undefined && main !== undefined) {
      const root = main + tree.slice(checkout.length);
      if (isFolder(`${root}/.agentx`)) return { root, tree };
    }
    if (isFolder(`${tree}/.agentx`)) return { root: tree, tree };
  }
  throw new AgentxError(
    "NOT_INITIALISED",
    `Cannot find a workspace: there is no .agentx/ in "${start}" or above`,
    { details: { path: start }, next: "Make one in the folder of the project with: agentx init" },
  );
}

/** The main checkout of a linked worktree; undefined for any other folder with a `.git`. */
function mainCheckoutOf(checkout: string): string | undefined {
  if (sys.lstat(`${checkout}/.git`)?.kind !== "file") return undefined;
  const gitFolder = /^gitdir: (.+)$/m.exec(sys.readTextFile(`${checkout}/.git`) ?? "")?.[1];
  if (gitFolder === undefined) return undefined;
  const own = resolve(checkout, gitFolder);
  const common = sys.readTextFile(`${own}/commondir`); // a submodule has none
  const real = common === undefined ? undefined : sys.realPath(resolve(own, common.trim()));
  return real?.endsWith("/.git") ? real.slice(0, -"/.git".length) : undefined;
}

function resolve(base: string, path: string): string {
  return path.startsWith("/") ? path : `${base}/${path}`;
}

function ancestors(folder: string): string[] {
  const paths = [folder];
  for (let end = folder.lastIndexOf("/"); end > 0; end = folder.lastIndexOf("/", end - 1)) {
    paths.push(folder.slice(0, end));
  }
  return paths;
}

function isFolder(path: string): boolean {
  return sys.lstat(path)?.kind === "directory";
}
