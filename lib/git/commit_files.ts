// Commits some folders of a checkout and nothing else. Hooks, signatures and the author are as the user configured
// them.

import { changedFiles } from "./changed_files.ts";
import { headCommit } from "./tracked_paths.ts";
import { prefixOf, repositoryAbove } from "./repository.ts";
import { type Confinement, gitError, runGit } from "./run_git.ts";

export interface CommittedFiles {
  /** The files, relative to the checkout. */
  files: string[];
  /** The branch; null if none is checked out. */
  branch: string | null;
  /** The commit; null if there was nothing to commit. */
  commit: string | null;
}

export interface CommitFilesOptions {
  /** The folders to commit, relative to `root`. */
  folders: readonly string[];
  /** The first line of the message. */
  message: string;
  confinement?: Confinement;
  signal?: AbortSignal;
}

/**
 * Commits the new and changed files of some folders; a deleted file stays in git. `root` is a folder of a checkout,
 * without links. Throws `IO_ERROR` if git refuses; then nothing is committed, and the index is unchanged.
 */
export async function commitFiles(
  root: string,
  { folders, message, ...options }: CommitFilesOptions,
): Promise<CommittedFiles> {
  const repository = repositoryAbove(root);
  if (repository === undefined) throw gitError(root, "commit", "it is in no git repository");
  const { checkout } = repository;
  const below = prefixOf(root, checkout);
  const git = async (args: string[], paths: readonly string[] = []) => {
    const stdin = paths.map((path) => `${path}\0`).join("");
    return await runGit(checkout, args, { ...options, stdin, action: "commit" });
  };
  const within = folders.map((folder) => below + folder);
  const changes = (await changedFiles(checkout, { ...options, action: "commit", within }))
    .filter(({ how }) => !how.includes("D"));
  const files = changes.map(({ path }) => path);
  const branch = (await git(["branch", "--show-current"])).trim() || null;
  if (files.length === 0) return { files, branch, commit: null };
  const fromStdin = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  const fresh = changes.filter(({ how }) => how === "??").map(({ path }) => path);
  try { // `git add` would refuse files that a sparse checkout leaves out
    if (fresh.length > 0) await git(["update-index", "--add", "-z", "--stdin"], fresh);
    await git(["commit", "--quiet", "--only", `--message=${message}`, ...fromStdin], files);
  } catch (error) {
    if (fresh.length > 0) await git(["update-index", "--force-remove", "-z", "--stdin"], fresh);
    throw error;
  }
  return { files, branch, commit: headCommit(repository) ?? null };
}
