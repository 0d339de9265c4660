// Finds changes of a role that its definition does not allow. This check runs before the role hands its work over,
// because a shell command can write without the tools that a hook judges.

import { mayChange } from "../config/role_settings.ts";
import { changedFiles } from "../git/changed_files.ts";
import { prefixOf, repositoryAbove } from "../git/repository.ts";
import { headCommit } from "../git/tracked_paths.ts";
import { LOOKS_ONLY, runGit } from "../git/run_git.ts";
import type { Judgement } from "./judge.ts";
import { judgePath } from "./paths.ts";

/** Matches the state folder of a workspace, including that of another package. */
const OURS = /(^|\/)\.agentx\//;

/**
 * Returns a sentence for each file that a role must not change, but did. Commits since `since` count as well; if it
 * is null, only uncommitted changes count.
 */
export async function changedBeyond(
  role: string,
  tree: string,
  since: string | null,
): Promise<string[]> {
  const theirs = mayChange(role, tree) && await changedSince(tree, since);
  if (theirs === undefined) return [];
  const { checkout } = repositoryAbove(tree)!;
  return judged(theirs, { role, tree, below: prefixOf(tree, checkout) })
    .filter(({ rule }) => rule === "may-change")
    .map(({ path, reason }) => `${path} was changed: ${reason} (may_change)`);
}

/**
 * Returns the changed files of a checkout, except those of workspaces: uncommitted changes, and commits since
 * `since` unless it is null. Undefined outside of git.
 */
export async function changedSince(
  tree: string,
  since: string | null,
): Promise<string[] | undefined> {
  const repository = repositoryAbove(tree);
  if (repository === undefined) return undefined;
  const { checkout } = repository;
  const changed = await changedFiles(checkout, { action: "compare" });
  const committed = since !== null && headCommit(repository) !== undefined
    ? await runGit(checkout, [
      "log",
      "--first-parent",
      `--since=${since}`,
      "--format=",
      "--name-only",
      "-z",
      "--no-renames",
      "HEAD",
    ], { action: "compare", confinement: LOOKS_ONLY })
    : "";
  const paths = new Set([...changed.map(({ path }) => path), ...committed.split("\0")]);
  return [...paths].filter((path) => path !== "" && !OURS.test(path)).sort();
}

interface Of {
  role: string;
  /** The tree with the valid definition of the role. */
  tree: string;
  /** The prefix of the workspace's paths. */
  below: string;
}

/**
 * Judges the changes that a role made in a working tree of its own.
 *
 * @param paths of the changed files, relative to the top of that tree
 * @returns a sentence for each file that the role must not change without a question
 */
export function notAllowed(paths: readonly string[], of: Of): string[] {
  return judged(paths, of).filter(({ verdict }) => verdict !== "allow")
    .map(({ path, reason }) => `${path} was changed: ${reason}; put it back`);
}

function judged(
  paths: readonly string[],
  { role, tree, below }: Of,
): Array<Judgement & { path: string }> {
  const may = mayChange(role, tree);
  const place = { root: tree, cwd: tree, home: "/" };
  const limits = { paths: may && { role, mayChange: may, below }, isMerged: true };
  return paths.map((path) => ({ path, ...judgePath(path, false, place, limits) }));
}
