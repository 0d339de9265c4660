// Finds the workspace of a folder, also from inside a git worktree.
//
// The state of a repository is stored in its main checkout, so that all its worktrees share the state.

import { AgentxError } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { ancestors, repositoryAbove } from "../git/repository.ts";
import { stateHolder } from "../git/state_holder.ts";
import { bear } from "./state_origin.ts";
import { checkOwnership } from "./ownership.ts";

/** A workspace, and the caller's place in it. */
export interface WorkspacePlace {
  /** The folder that holds the `.agentx/` in use. */
  root: string;
  /** The folder of the same path in the caller's own checkout. */
  tree: string;
}

/** Returns whether the workspace has a memory. If not, no memory modules are loaded. */
export function hasMemory(home: string): boolean {
  return sys.lstat(`${home}/memory`) !== undefined;
}

/**
 * Looks for `.agentx/` in a folder and upward. Throws `NOT_INITIALISED`; `UNTRUSTED` if the workspace belongs to
 * another user, or if its state belongs to a project that does not know this checkout; `CORRUPT_STATE` if it is
 * unclear which checkout holds the state.
 */
export function findWorkspace(start: string): WorkspacePlace {
  const folder = sys.realPath(start);
  for (const tree of folder === undefined ? [] : ancestors(folder)) {
    const root = rootOf(tree);
    if (root === undefined) continue;
    checkJj(tree);
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

/** Returns the same folder in the checkout that holds the state; undefined if there is no workspace. */
function rootOf(tree: string): string | undefined {
  const repository = repositoryAbove(tree);
  if (repository === undefined) return isFolder(`${tree}/.agentx`) ? tree : undefined;
  const below = tree.slice(repository.checkout.length);
  const holder = stateHolder(repository, below);
  return holder === undefined ? undefined : holder + below;
}

/**
 * Throws `UNTRUSTED` in a jj workspace that is not a git worktree, because nothing in it shows whether the
 * repository knows it.
 */
export function checkJj(tree: string): void {
  const has = (path: string) => sys.lstat(path) !== undefined;
  const place = ancestors(tree).find((path) => has(`${path}/.git`) || has(`${path}/.jj`));
  const path = `${place}/.jj/repo`;
  if (place === undefined || has(`${place}/.git`) || sys.lstat(path)?.kind !== "file") return;
  throw new AgentxError(
    "UNTRUSTED",
    `Cannot find the state that "${place}" shares: it is a jj workspace, and not a git worktree`,
    {
      details: { path, reason: "jj-workspace" },
      next: "Work in the main workspace, or create this one with: git worktree add",
    },
  );
}

function isFolder(path: string): boolean {
  return sys.lstat(path)?.kind === "directory";
}
