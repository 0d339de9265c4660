// Reads the moves of HEAD in a checkout from its reflog.

import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { askGit } from "./ask_git.ts";
import { reftableStamp } from "./reftable.ts";
import { prefixOf, type Repository, repositoryAbove } from "./repository.ts";

/**
 * Returns a text that changes with every commit, switch, reset or pull of a checkout; undefined if git keeps no reflog.
 */
export function reflogStamp({ gitFolder }: Repository): string | undefined {
  const info = sys.lstat(`${gitFolder}/logs/HEAD`);
  return info === undefined
    ? reftableStamp(gitFolder)
    : `${info.id} ${info.size} ${info.modifiedMs}`;
}

/** Maximum number of commits to look at, the newest first. */
const MAX_COMMITS = 1_000;

/**
 * Returns the maximum size of each file in the commits that the checkout has had, according to the reflog of HEAD;
 * empty if git does not answer.
 */
export function committedSizes(root: string, files: readonly string[]): Map<string, number> {
  const repository = repositoryAbove(root);
  if (repository === undefined) return new Map();
  const { gitFolder, checkout } = repository;
  const ask = (args: string[], stdin = "") =>
    (orElse(undefined, () => askGit(gitFolder, args, stdin), "IO_ERROR") ?? "").trimEnd().split(
      "\n",
    );
  const commits = ask(["rev-list", "--walk-reflogs", `--max-count=${MAX_COMMITS}`, "HEAD"]);
  const asked = [...new Set(commits)].flatMap((commit) => files.map((file) => ({ commit, file })));
  const paths = asked.map(({ commit, file }) => `${commit}:${prefixOf(root, checkout)}${file}\n`);
  const sizes = ask(["cat-file", "--batch-check=%(objectsize)"], paths.join(""));
  const largest = new Map<string, number>();
  asked.forEach(({ file }, at) => {
    const size = Number(sizes[at]); // if the file is missing in a commit, git prints a text instead
    if (size > (largest.get(file) ?? 0)) largest.set(file, size);
  });
  return largest;
}
