// Git in the working tree of a step, which an agent has written. Where the repository is follows from the main
// checkout and from git's register of worktrees: no file of the tree is asked. No hook runs there, nothing is
// fetched, and git starts nothing in a submodule.

import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { repositoryAbove } from "./repository.ts";
import { type Confinement, gitError, LOOKS_ONLY, runGit } from "./run_git.ts";
import { type StepTree, TREES } from "./step_names.ts";

/** Where git finds its files for a working tree. */
export interface GitFolders {
  /** Those of the working tree. */
  own: string;
  /** Those of all working trees of the repository. */
  shared: string;
}

const ACTION = "prepare a step";

/** @returns what runs git in the tree of a step, there or in a folder of it */
export function gitIn(tree: Pick<StepTree, "top">, { cwd = tree.top, signal }: {
  cwd?: string;
  signal?: AbortSignal;
} = {}) {
  return (...args: string[]) => {
    return runGit(cwd, args, { action: ACTION, confinement: confinedTo(tree), signal });
  };
}

/** @returns undefined where git knows no such tree */
export function gitFoldersOf({ top }: Pick<StepTree, "top">): GitFolders | undefined {
  const repository = repositoryAbove(top.slice(0, top.lastIndexOf(`/${TREES}/`)));
  if (repository === undefined) return undefined;
  // The git folder of a main checkout names no other, unless somebody leads git astray.
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

/** @returns the folder that a `.git` file names; undefined where it is none, or there is no such folder */
export function leadsTo(file: string): string | undefined {
  const read = () => sys.lstat(file)?.kind === "file" ? sys.readTextFile(file) ?? "" : "";
  const path = /^gitdir: (.+)\n$/.exec(orElse("", read, "IO_ERROR"))?.[1];
  return path && sys.realPath(path.startsWith("/") ? path : file.replace(/[^/]*$/, path));
}

/** The variables and settings with which git obeys nothing in the tree of a step. */
export function confinedTo(tree: Pick<StepTree, "top">): Confinement {
  const folders = gitFoldersOf(tree);
  if (folders === undefined) {
    throw gitError(tree.top, ACTION, "it is no working tree of its repository any more");
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
