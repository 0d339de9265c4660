// The branches of steps, `agentx/N-STEP`: merges them, and removes them afterwards. It never removes a branch that is
// not merged, or a tree with files that git does not have.

import { listed, shellWord } from "../base/quote.ts";
import { sys } from "../sys/mod.ts";
import { type Confinement, gitError, runGit } from "./run_git.ts";
import { gitFoldersOf, gitIn } from "./step_git.ts";
import { markOf, MARKS } from "./step_names.ts";

/** The place where git runs. */
interface Place {
  checkout: string;
  confinement?: Confinement;
  signal?: AbortSignal;
}

/**
 * @param issueNumber the issue, or `*` for all issues
 * @param isMerged true selects branches that are merged into the current branch, false the others; absent, all branches
 * @returns the branches of an issue, by name
 */
export async function stepBranches(
  issueNumber: number | "*",
  { checkout, isMerged, ...options }: Place & { isMerged?: boolean },
): Promise<string[]> {
  const which = isMerged === undefined ? [] : [isMerged ? "--merged=HEAD" : "--no-merged=HEAD"];
  const args = ["for-each-ref", "--format=%(refname:short)", ...which];
  const glob = `refs/heads/agentx/${issueNumber}-*`;
  const refs = await runGit(checkout, [...args, glob], { action: "list branches", ...options });
  return refs.split("\n").filter((name) => name !== "");
}

/**
 * Merges a branch into the current one, or changes nothing.
 *
 * @throws {AgentxError} `IO_ERROR` if both sides changed the same lines, or git refuses
 */
export async function mergeBranch(
  branch: string,
  { checkout, ...options }: Place,
): Promise<void> {
  const action = `merge ${branch}`;
  const git = (...args: string[]) => runGit(checkout, args, { ...options, action });
  try {
    await git("merge", "--quiet", "--no-edit", branch);
  } catch (error) {
    const both = await git(
      "diff",
      "--name-only",
      "-z",
      "--diff-filter=U",
      "--ignore-submodules=dirty",
    );
    if (both === "") throw error;
    await git("merge", "--abort");
    const why = `${both.split("\0").filter(Boolean).join(", ")} was changed on both sides`;
    const next =
      `It is as it was. Settle that there with: git merge ${branch}; then run this again`;
    throw gitError(checkout, action, why, next);
  }
}

/** Maximum number of files that a message lists. */
const MAX_NAMED = 5;

/** The state and log files of agentx in a checkout. */
const OURS = /(?:^|\/)\.agentx\/(?:state|log)\//;

/** Returns the files that would be lost with a tree, including ignored ones; a folder stands for its content. */
async function onlyIn(top: string, signal?: AbortSignal): Promise<string[]> {
  const git = gitIn({ top }, { signal });
  const said = [
    await git("ls-files", "-z", "--others", "--directory", "--no-empty-directory"),
    await git("diff", "--name-only", "-z", "--no-renames", "--ignore-submodules=all", "HEAD"),
  ];
  const modules = `${gitFoldersOf({ top })!.own}/modules`;
  const isCheckedOut = sys.lstat(modules) !== undefined;
  return [...said.flatMap((text) => text.split("\0")), isCheckedOut ? "a submodule" : ""]
    .filter((path) => path !== "" && !OURS.test(path));
}

/**
 * Removes a branch and its tree.
 *
 * @throws {AgentxError} `IO_ERROR` if the branch is not merged, or its tree has files that git does not have
 */
export async function removeBranch(
  { top, branch }: { top: string | undefined; branch: string },
  { checkout, signal }: Place,
): Promise<void> {
  const action = `remove ${branch}`;
  const git = (...args: string[]) => runGit(checkout, args, { action, signal });
  if (top !== undefined) {
    const files = await onlyIn(top, signal);
    if (files.length > 0) {
      const why = `its tree has files that git does not have: ${listed(files, MAX_NAMED)}`;
      throw gitError(
        top,
        action,
        why,
        `Copy what you need, then run: git worktree remove --force ${shellWord(top)}`,
      );
    }
    await git("worktree", "remove", "--force", top); // --force, because git would otherwise run a status in the tree
  }
  await git("branch", "--quiet", "--delete", branch);
  for (const mark of MARKS) await git("update-ref", "-d", markOf(mark, branch));
}
