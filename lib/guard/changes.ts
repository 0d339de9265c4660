// What a role has changed in a checkout, beyond what its definition lets it change: looked at before its work
// is handed over, because a shell command writes without the tools that a hook judges.

import { mayChange } from "../config/role_settings.ts";
import { repositoryAbove } from "../git/repository.ts";
import { headCommit } from "../git/tracked_paths.ts";
import { runGit } from "../git/run_git.ts";
import { judgePath } from "./paths.ts";

/**
 * A sentence for each file that a role changed and may not change. What it committed since then
 * counts as well, or with null only what is not committed.
 */
export async function changedBeyond(
  role: string,
  tree: string,
  since: string | null,
): Promise<string[]> {
  const may = mayChange(role, tree);
  const repository = repositoryAbove(tree);
  if (may === undefined || repository === undefined) return [];
  const { checkout: root } = repository;
  const git = async (...args: string[]) =>
    (await runGit(root, args, { action: "compare" })).split("\0").filter((each) => each !== "");
  const status = await git("status", "--porcelain", "-z", "--untracked-files=all", "--no-renames");
  const committed = since !== null && headCommit(repository) !== undefined
    ? await git(
      ...["log", "--first-parent", `--since=${since}`, "--format=", "--name-only", "-z"],
      ...["--no-renames", "HEAD"],
    )
    : [];
  const paths = new Set([...status.map((entry) => entry.slice(3)), ...committed]);
  return [...paths].filter((path) => !path.startsWith(".agentx/")).sort().flatMap((path) => {
    const place = { root, cwd: root, home: "/" };
    const { rule, reason } = judgePath(path, false, place, { role, mayChange: may });
    return rule === "may-change" ? [`${path} was changed: ${reason} (may_change)`] : [];
  });
}

/**
 * @param paths that a role has changed in a working tree of its own, relative to it
 * @param of the role, and the tree whose definition of it counts
 * @returns a sentence for each that it may not change without being asked
 */
export function notAllowed(
  paths: readonly string[],
  { role, tree }: { role: string; tree: string },
): string[] {
  const may = mayChange(role, tree);
  const place = { root: tree, cwd: tree, home: "/" };
  const limits = may === undefined ? undefined : { role, mayChange: may };
  return paths.flatMap((path) => {
    const { verdict, reason } = judgePath(path, false, place, limits);
    return verdict === "allow" ? [] : [`${path} was changed: ${reason}; put it back`];
  });
}
