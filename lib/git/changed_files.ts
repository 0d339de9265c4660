// The files of a checkout that differ from its commit, as git says it.

import { type Confinement, LOOKS_ONLY, runGit } from "./run_git.ts";

/** A file that was changed. */
export interface ChangedFile {
  /** Relative to the checkout. */
  path: string;
  /** How, as the two letters of `git status`. */
  how: string;
}

export interface ChangedFilesOptions {
  /** The purpose of the question, for messages. */
  action: string;
  /** Untracked files count as well. */
  withNew?: boolean;
  /** Only these files and folders, relative to the checkout. */
  within?: readonly string[];
  confinement?: Confinement;
  signal?: AbortSignal;
}

/** Throws `IO_ERROR` where git refuses. */
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
    "--ignore-submodules=dirty", // git would run in them
    "--",
    ...within,
  ];
  const entries = (await runGit(checkout, args, { action, confinement: LOOKS_ONLY, ...options }))
    .split("\0");
  return entries.filter((entry) => entry !== "")
    .map((entry) => ({ path: entry.slice(3), how: entry.slice(0, 2) }));
}
