// Where a command that is judged runs, and which workspace's rules apply.

import { hasCode } from "../base/errors.ts";
import { repositoryAbove } from "../git/repository.ts";
import type { Place } from "../guard/judge.ts";
import { sys } from "../sys/mod.ts";
import { findWorkspace } from "./find.ts";

/** A place, and the folder that holds its `.agentx/`. */
export interface Guarded {
  place: Place;
  /** The folder of the workspace in this tree; outside of one, the tree. */
  tree: string;
  /** Undefined outside of a workspace. */
  workspace: string | undefined;
}

/** The tree around a folder: that of its workspace, else of its repository, else the folder. */
export function placeHere(folder = sys.cwd()): Guarded {
  const cwd = sys.realPath(folder) ?? folder;
  const home = sys.env("HOME") ?? "/";
  try {
    const { root, tree } = findWorkspace(cwd);
    const top = repositoryAbove(tree)?.checkout ?? tree;
    return { place: { root: top, cwd, home }, tree, workspace: root };
  } catch (error) {
    if (!hasCode(error, "NOT_INITIALISED")) throw error;
    const top = repositoryAbove(cwd)?.checkout ?? cwd;
    return { place: { root: top, cwd, home }, tree: top, workspace: undefined };
  }
}
