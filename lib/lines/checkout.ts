// Asks git about the files of lines: whether they are committed, and whether the checkout has moved since a file was
// begun.

import { reflogStamp } from "../git/reflog.ts";
import { repositoryAbove } from "../git/repository.ts";
import { headCommit, trackedSizes } from "../git/tracked_paths.ts";

/** Git's view of a folder of lines, at one moment. */
export interface GitView {
  /** A text that changes with every commit, switch, reset, stash or pull of this checkout; empty outside git. */
  moved: string;
  /** The commit that is checked out; null before the first one, and outside git. */
  head: string | null;
  /** The size of each file that the index names, by its path in the folder; null if the index cannot be read. */
  indexed: ReadonlyMap<string, number> | null;
}

/** Asks git for its view of the folder of the lines. */
export function viewOfGit(root: string, folder: string): GitView {
  const repository = repositoryAbove(root);
  if (repository === undefined) return { moved: "", head: null, indexed: new Map() };
  const head = headCommit(repository) ?? null;
  return {
    moved: reflogStamp(repository) ?? head ?? "",
    head,
    indexed: trackedSizes(root, repository, `${folder}/`) ?? null,
  };
}
