// Where the workspace of a folder is, also from inside a git worktree.
//
// The state of a repository lives with its main checkout, so that all its worktrees share it.

import { AgentxError } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { ancestors, mainCheckoutOf, repositoryAbove } from "../git/repository.ts";
import { bear } from "./state_origin.ts";
import { checkOwnership } from "./ownership.ts";

/** A workspace and the caller's place in it. */
export interface WorkspacePlace {
  /** The folder that holds the `.agentx/` in use. */
  root: string;
  /** The same folder in the tree that the caller stands in. */
  tree: string;
}

/** Whether there is a memory; where there is none, nothing is loaded for it. */
export function hasMemory(home: string): boolean {
  return sys.lstat(`${home}/memory`) !== undefined;
}

/**
 * Looks for `.agentx/` in a folder and upward. Throws `NOT_INITIALISED`; `UNTRUSTED` where it is
 * another user's, or a `.git` file leads to the state of a project that does not know this
 * worktree.
 */
export function findWorkspace(start: string): WorkspacePlace {
  const folder = sys.realPath(start);
  for (const tree of folder === undefined ? [] : ancestors(folder)) {
    const root = sharedRootOf(tree) ?? tree;
    if (!isFolder(`${root}/.agentx`)) continue;
    checkOwnership(root);
    bear(root);
    return { root, tree };
  }
  throw new AgentxError(
    "NOT_INITIALISED",
    `Cannot find a workspace: there is no .agentx/ in "${start}" or above`,
    { details: { path: start }, next: "Create one in the project folder with: agentx init" },
  );
}

/** For a folder of a linked worktree, the same folder in the main checkout, if that has a state. */
function sharedRootOf(tree: string): string | undefined {
  const repository = repositoryAbove(tree);
  const main = repository && mainCheckoutOf(repository);
  if (repository === undefined || main === undefined) return undefined;
  const { checkout } = repository;
  const root = main.path + tree.slice(checkout.length);
  if (!isFolder(`${root}/.agentx`)) return undefined;
  if (main.isRegistered) return root;
  const path = `${checkout}/.git`;
  throw new AgentxError(
    "UNTRUSTED",
    `Cannot use "${root}/.agentx": "${path}" points there, but that repository does not know this worktree`,
    {
      details: { path, reason: "git-file" },
      next: `If the worktree was moved, run this in it: git worktree repair`,
    },
  );
}

function isFolder(path: string): boolean {
  return sys.lstat(path)?.kind === "directory";
}
