// Finds the files of a change: uncommitted files, and files that differ from the base of the branch.

import { hasCode } from "../base/errors.ts";
import { type Diff, diffOf } from "../git/diff.ts";
import { changedFiles } from "../git/changed_files.ts";
import { prefixOf, repositoryAbove } from "../git/repository.ts";
import { LOOKS_ONLY, runGit } from "../git/run_git.ts";
import { headCommit } from "../git/tracked_paths.ts";
import { sys } from "../sys/mod.ts";

/** A change in a checkout, committed or not. */
export interface Change {
  /** The commit that is checked out; null before the first commit. */
  head: string | null;
  /** The changed regular files, relative to the folder, sorted; without removed files. */
  files: string[];
}

/** Names of the trunk; the first one that exists counts. */
const TRUNKS = ["origin/HEAD", "main", "master"];

/**
 * Returns the change in a checkout since its branch left the trunk, without the files in `.agentx/`.
 *
 * @param tree the folder of the workspace in the checkout
 * @returns undefined outside of a git repository
 * @throws {AgentxError} `IO_ERROR` if git refuses
 */
export async function changeIn(tree: string): Promise<Change | undefined> {
  const repository = repositoryAbove(tree);
  if (repository === undefined) return undefined;
  const { checkout } = repository;
  const git = gitIn(checkout);
  const list = async (...args: string[]) =>
    (await git(...args)).split("\0").filter((each) => each !== "");
  const changed = await changedFiles(checkout, { action: "compare" });
  const head = headCommit(repository) ?? null;
  const base = head === null ? undefined : await baseOf(checkout);
  const committed = base === undefined
    ? []
    : await list("diff", "--name-only", "-z", "--no-renames", base, "HEAD");
  const below = prefixOf(tree, checkout);
  const up = "../".repeat(below.split("/").length - 1);
  const paths = new Set([...changed.map(({ path }) => path), ...committed]);
  const files = [...paths].filter((path) => !path.startsWith(`${below}.agentx/`))
    .map((path) => path.startsWith(below) ? path.slice(below.length) : up + path)
    .filter((path) => sys.lstat(`${tree}/${path}`)?.kind === "file");
  return { head, files: files.sort() };
}

function gitIn(checkout: string) {
  return (...args: string[]) =>
    runGit(checkout, args, { action: "compare", confinement: LOOKS_ONLY });
}

/**
 * Returns the changes in a checkout, as a diff, since its branch left the trunk; undefined outside of a git repository.
 */
export async function checkoutChange(
  tree: string,
  context?: number,
): Promise<Diff | undefined> {
  const { checkout } = repositoryAbove(tree) ?? {};
  if (checkout === undefined) return undefined;
  return await diffOf(checkout, { base: await baseOf(checkout) ?? "HEAD", context });
}

async function baseOf(checkout: string): Promise<string | undefined> {
  for (const trunk of TRUNKS) {
    try {
      return (await gitIn(checkout)("merge-base", trunk, "HEAD")).trim();
    } catch (error) {
      if (!hasCode(error, "IO_ERROR")) throw error; // the branch does not exist
    }
  }
  return undefined;
}
