// Finds a role's changes in a checkout beyond its definition. This runs before the role hands its work over, because a
// shell command writes without the tools that a hook judges.

import { mayChange } from "../config/role_settings.ts";
import { changedFiles } from "../git/changed_files.ts";
import { prefixOf, repositoryAbove } from "../git/repository.ts";
import { headCommit } from "../git/tracked_paths.ts";
import { LOOKS_ONLY, runGit } from "../git/run_git.ts";
import type { Judgement } from "./judge.ts";
import { judgePath } from "./paths.ts";

/** The state of workspaces, also of another package. */
const OURS = /(^|\/)\.agentx\//;

/**
 * Returns a sentence for each file that a role changed and may not change. Commits since then count as well; with null
 * only uncommitted changes do.
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
 * The files that were changed in a checkout, without those of workspaces: committed since then, or with null only
 * those that are not committed. Undefined outside of git.
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
 * @param paths that a role has changed in a working tree of its own, relative to its top
 * @returns a sentence for each that it may not change without being asked
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
