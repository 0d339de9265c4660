// Runs git in the working tree of a step. An agent wrote that tree, so the git folders come from the main checkout and
// from git's register of worktrees, never from a file of the tree. In the tree, git runs no hook, fetches nothing and
// starts nothing in a submodule.

import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { repositoryAbove } from "./repository.ts";
import { type Confinement, gitError, LOOKS_ONLY, runGit } from "./run_git.ts";
import { type StepTree, TREES } from "./step_names.ts";

/** The git folders of a working tree. */
export interface GitFolders {
  /** The git folder of this working tree. */
  own: string;
  /** The git folder that all working trees of the repository share. */
  shared: string;
}

const ACTION = "prepare a step";

/** @returns a function that runs git in the tree of a step, or in a folder of it */
export function gitIn(tree: Pick<StepTree, "top">, { cwd = tree.top, signal }: {
  cwd?: string;
  signal?: AbortSignal;
} = {}) {
  return (...args: string[]) => {
    return runGit(cwd, args, { action: ACTION, confinement: confinedTo(tree), signal });
  };
}

/** @returns the git folders of a tree; undefined if git has not registered the tree */
export function gitFoldersOf({ top }: Pick<StepTree, "top">): GitFolders | undefined {
  const repository = repositoryAbove(top.slice(0, top.lastIndexOf(`/${TREES}/`)));
  if (repository === undefined) return undefined;
  // The git folder of a main checkout never names another one. If it does, somebody tries to mislead git.
  const isLinked = /\/worktrees\/[^/]+$/.test(repository.gitFolder);
  const shared = sys.realPath(isLinked ? repository.sharedFolder : repository.gitFolder);
  const file = `${sys.realPath(top) ?? top}/.git`;
  const own = orElse([], () => sys.readDir(`${shared}/worktrees`), "IO_ERROR")
    .map((name) => `${shared}/worktrees/${name}`)
    .find((folder) => {
      const said = sys.readTextFile(`${folder}/gitdir`)?.trimEnd() ?? "";
      return said === file || said.startsWith("../") && sys.realPath(`${folder}/${said}`) === file;
    });
  return own === undefined ? undefined : { own, shared: shared! };
}

/**
 * @returns the folder that a `.git` file names; undefined if the file is not a `.git` file, or the folder is missing
 */
export function leadsTo(file: string): string | undefined {
  const read = () => sys.lstat(file)?.kind === "file" ? sys.readTextFile(file) ?? "" : "";
  const path = /^gitdir: (.+)\n$/.exec(orElse("", read, "IO_ERROR"))?.[1];
  return path && sys.realPath(path.startsWith("/") ? path : file.replace(/[^/]*$/, path));
}

/** Returns variables and settings that keep git from obeying the tree of a step. */
export function confinedTo(tree: Pick<StepTree, "top">): Confinement {
  const folders = gitFoldersOf(tree);
  if (folders === undefined) {
    throw gitError(tree.top, ACTION, "it is no longer a working tree of its repository");
  }
  return {
    env: {
      GIT_DIR: folders.own,
      GIT_COMMON_DIR: folders.shared,
      GIT_WORK_TREE: tree.top,
      ...LOOKS_ONLY.env,
    },
    settings: LOOKS_ONLY.settings,
  };
}
