// The files of a checkout that differ from its commit, as reported by git.

import { type Confinement, LOOKS_ONLY, runGit } from "./run_git.ts";

/** A file that was changed. */
export interface ChangedFile {
  /** Relative to the checkout. */
  path: string;
  /** The kind of change, as the two letters of `git status`. */
  how: string;
}

export interface ChangedFilesOptions {
  /** The action for error messages, such as `commit`. */
  action: string;
  /** Whether to include untracked files. @default {true} */
  withNew?: boolean;
  /** Limits the answer to these files and folders, relative to the checkout. Empty: all files. */
  within?: readonly string[];
  confinement?: Confinement;
  signal?: AbortSignal;
}

/** Returns the changed files. Throws `IO_ERROR` if git refuses. */
export async function changedFiles(
  checkout: string,
  { action, withNew = true, within = [], ...options }: ChangedFilesOptions,
): Promise<ChangedFile[]> {
  const untracked = `--untracked-files=${withNew ? "all" : "no"}`;
  const args = [
    "status",
    "--porcelain",
    "-z",
    untracked,
    "--no-renames",
    "--ignore-submodules=dirty", // otherwise git would run in the submodules
    "--",
    ...within,
  ];
  const entries = (await runGit(checkout, args, { action, confinement: LOOKS_ONLY, ...options }))
    .split("\0");
  return entries.filter((entry) => entry !== "")
    .map((entry) => ({ path: entry.slice(3), how: entry.slice(0, 2) }));
}
